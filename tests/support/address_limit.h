// SPDX-License-Identifier: GPL-3.0-or-later
// AddressLimit: limits the memory that the program may map, as `prlimit --as` does, while the
// object lives.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace attn::test {

// While the object lives, the program may map `bytes` more than when the object was made.
class AddressLimit {
 public:
  explicit AddressLimit(int64_t bytes) {
    std::ifstream in("/proc/self/statm");
    int64_t pages = 0;
    in >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + bytes);
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace attn::test

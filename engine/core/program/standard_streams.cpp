// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/program/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "engine/core/files/json.h"
#include "engine/core/print_error.h"

namespace attn {
namespace {

int first_failure = 0;  // errno, or 0: none

void note_failure() {
  if (first_failure == 0) first_failure = errno != 0 ? errno : EIO;
}

}  // namespace

void prepare_standard_streams() {
  // open() gives the lowest free number. Opened for reading only, the stream refuses writes.
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) (void)::open("/dev/null", O_RDONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_failure();
}

std::string text_for_output(const std::string& text) {
  return isatty(STDOUT_FILENO) != 0 ? escape_unprintable_but_lines(text) : text;
}

int finish_standard_output(std::string_view program, int code) {
  if (std::fflush(stdout) != 0) note_failure();
  // Notices failed writes of text that was printed without print_text().
  if (first_failure == 0 && std::ferror(stdout) != 0) first_failure = EIO;
  if (first_failure == 0) return code;
  print_error("{}: cannot write the output: {}\n", program, std::strerror(first_failure));
  return code == 0 ? 1 : code;
}

}  // namespace attn

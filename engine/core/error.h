// SPDX-License-Identifier: GPL-3.0-or-later
// attn::Error: an exception with an error code and a message for the user. Any thread.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace attn {

enum class ErrorCode {
  kFailed,        // no other code fits, e.g. the disk is full. Exit code 1.
  kBadInput,      // what the user gave is wrong, or needs too much memory. Exit code 2.
  kNotSupported,  // valid, but not supported. Exit code 3.
  kCancelled,     // it was stopped before its end. Exit code 1.
};

// A message of the form: what is wrong, where, found X, allowed Y, what to do.
struct ErrorParts {
  std::string what;     // "head size is not supported"
  std::string where;    // "model.safetensors, byte 1234", "$.engine.block_size", "--max-tokens"
  std::string found;    // "48"
  std::string allowed;  // "32, 64, 80, ..."
  std::string advice;   // "Choose the backend `reference`"; what() adds a missing full stop
};

class Error : public std::exception {
 public:
  Error(ErrorCode code, ErrorParts parts);
  // One error for several reasons. what() has one line per sentence.
  static Error several(ErrorCode code, std::vector<std::string> sentences);
  static Error not_supported(std::vector<std::string> sentences);

  ErrorCode code() const { return code_; }
  const ErrorParts& parts() const { return parts_; }
  const std::vector<std::string>& sentences() const { return sentences_; }
  const char* what() const noexcept override { return message_.c_str(); }
  int exit_code() const;

 private:
  ErrorCode code_;
  ErrorParts parts_;
  std::vector<std::string> sentences_;
  std::string message_;
};

[[noreturn]] void throw_bad_input(ErrorParts parts);

// what(), or words about memory for std::bad_alloc and std::length_error.
const char* message_of(const std::exception& error) noexcept;

}  // namespace attn

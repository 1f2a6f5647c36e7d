// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/error.h"

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "engine/core/files/json.h"

namespace attn {
namespace {

std::string compose(const ErrorParts& parts) {
  std::string message = parts.what;
  if (!parts.where.empty()) message += " at " + parts.where;
  if (!parts.found.empty()) message += ": found " + parts.found;
  if (!parts.allowed.empty()) message += ", allowed " + parts.allowed;
  if (!parts.advice.empty()) {
    message += ". " + parts.advice;
    if (std::string_view(".?!").find(message.back()) == std::string_view::npos) message += '.';
  }
  return escape_unprintable(message);
}

}  // namespace

Error::Error(ErrorCode code, ErrorParts parts)
    : code_(code), parts_(std::move(parts)), message_(compose(parts_)) {}

Error Error::not_supported(std::vector<std::string> sentences) {
  return several(ErrorCode::kNotSupported, std::move(sentences));
}

Error Error::several(ErrorCode code, std::vector<std::string> sentences) {
  Error error(code, {});
  for (const std::string& sentence : sentences) {
    if (!error.message_.empty()) error.message_ += '\n';
    error.message_ += sentence;
  }
  error.parts_.what = error.message_;
  error.sentences_ = std::move(sentences);
  return error;
}

int Error::exit_code() const {
  switch (code_) {
    case ErrorCode::kBadInput:
      return 2;
    case ErrorCode::kNotSupported:
      return 3;
    case ErrorCode::kFailed:
    case ErrorCode::kCancelled:
      break;
  }
  return 1;
}

void throw_bad_input(ErrorParts parts) {
  throw Error(ErrorCode::kBadInput, std::move(parts));
}

const char* message_of(const std::exception& error) noexcept {
  if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error))
    return "there is not enough memory for this. Close other programs, or use a smaller file or a "
           "smaller run";
  return error.what();
}

}  // namespace attn

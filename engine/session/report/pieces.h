// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces: the bytes of a table or a trace, handed over in pieces to save memory, or kept whole. One
// thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

class Pieces {
 public:
  using Take = std::function<void(std::string_view piece)>;

  Pieces() = default;  // keeps the whole text, for whole()
  explicit Pieces(Take take) : take_(std::move(take)) {}

  // The next text is appended here. Call end_row() after each row.
  std::string& text() { return text_; }
  void end_row() {
    if (take_ && text_.size() >= kPieceBytes) flush();
  }
  // Hands `bytes` over, or appends them if there is no taker.
  void put(std::string_view bytes) {
    flush();
    if (take_)
      take_(bytes);
    else
      text_ += bytes;
  }
  void flush() {
    if (!take_ || text_.empty()) return;
    take_(text_);
    text_.clear();
  }
  std::string whole() && { return std::move(text_); }

 private:
  static constexpr size_t kPieceBytes = size_t{1} << 20;
  Take take_;
  std::string text_;
};

}  // namespace attn

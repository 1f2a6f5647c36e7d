// SPDX-License-Identifier: GPL-3.0-or-later
// Classes of characters for tokenizers, and the byte-level alphabet. Some classes follow an older
// version of Unicode, in which younger characters have no properties. A code of -1 (a byte that is
// not UTF-8) is in none. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace attn {

bool is_word_character(int32_t code);     // alphabetic, marks, decimal digits, connectors, joiners
bool is_numeric(int32_t code);            // categories Nd, Nl, No
bool is_split_punctuation(int32_t code);  // of Unicode 8, and symbols of ASCII such as $ and +
bool is_bert_control(int32_t code);       // control characters that BERT deletes
bool is_chinese_ideograph(int32_t code);  // what BERT takes as a word of its own
bool is_nonspacing_mark(int32_t code);    // of Unicode 8
bool is_combining_mark(int32_t code);     // of Unicode 9
void append_utf8(std::string& text, int32_t code);

// The byte-level alphabet: every byte has a visible character of its own.
int32_t char_of_byte(unsigned char byte);
int byte_of_char(int32_t code);  // -1: the character stands for no byte

}  // namespace attn

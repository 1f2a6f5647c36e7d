// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/sentence_piece/piece_file.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/core/utf8.h"
#include "engine/model/files/file_format.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/steps/decoder.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

constexpr size_t kMostFileBytes = size_t{64} << 20;
// Estimated bytes of memory for each piece and for each byte of it, here and in the tokenizer.
constexpr double kMemoryOfPiece = 1024, kMemoryOfByte = 64;

// One field of a message. `at`: the byte of the file where it begins.
struct PieceField {
  uint64_t number = 0;
  int wire = 0;            // 0: varint, 1: 8 bytes, 2: bytes, 5: 4 bytes
  uint64_t value = 0;      // of wire types 0, 1 and 5
  std::string_view bytes;  // of wire type 2
  size_t at = 0, bytes_at = 0;
};

class PieceMessage {
 public:
  PieceMessage(std::string_view bytes, size_t at, const std::string& where)
      : bytes_(bytes), at_(at), where_(where) {}
  PieceMessage(const PieceField& field, const std::string& where)
      : PieceMessage(field.bytes, field.bytes_at, where) {}

  bool next(PieceField& field) {
    if (bytes_.empty()) return false;
    field = {};
    field.at = at_;
    const uint64_t tag = varint("the number of a field");
    field.number = tag >> 3;
    field.wire = static_cast<int>(tag & 7);
    if (field.number == 0 || field.number >= uint64_t{1} << 29)
      refuse(field.at, "field has no valid number", fmt::format("{}", field.number),
             "1 to 536870911");
    switch (field.wire) {
      case 0:
        field.value = varint("a number");
        break;
      case 1:
      case 5:
        for (const char c : take(field.wire == 1 ? 8 : 4, field.at))
          field.value = field.value >> 8 | uint64_t{static_cast<unsigned char>(c)} << 56;
        if (field.wire == 5) field.value >>= 32;
        break;
      case 2: {
        const uint64_t length = varint("the length of a field");
        field.bytes_at = at_;
        field.bytes = take(length, field.at);
        break;
      }
      default:
        refuse(field.at, "field has a wire type that is not used", fmt::format("{}", field.wire),
               "0, 1, 2 or 5");
    }
    return true;
  }

  [[noreturn]] void refuse(size_t at, std::string what, std::string found,
                           std::string allowed) const {
    throw_bad_input({std::move(what), fmt::format("{}, byte {}", where_, at), std::move(found),
                     std::move(allowed), ""});
  }
  void expect(const PieceField& field, const char* name, int wire) const {
    constexpr std::array kWireTypes = {"a number", "8 bytes", "a length and bytes",
                                       "",         "",        "4 bytes"};
    if (field.wire != wire)
      refuse(field.at, fmt::format("{} has a wrong wire type", name),
             fmt::format("{} ({})", field.wire, kWireTypes[static_cast<size_t>(field.wire)]),
             fmt::format("{} ({})", wire, kWireTypes[static_cast<size_t>(wire)]));
  }

 private:
  std::string_view take(uint64_t count, size_t field_at) {
    if (count > bytes_.size())
      refuse(field_at, "field is longer than what is left", fmt::format("{} bytes", count),
             fmt::format("at most {} bytes", bytes_.size()));
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    at_ += count;
    return taken;
  }
  // Seven bits a byte, the lowest first; the top bit says that another byte follows.
  uint64_t varint(const char* what) {
    const size_t begin = at_;
    uint64_t value = 0;
    for (int shift = 0; !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      if (shift > 63 || (shift == 63 && byte > 1))
        refuse(begin, fmt::format("{} is too long", what), "more than 64 bits", "64 bits");
      value |= uint64_t{byte & 0x7Fu} << shift;
      bytes_.remove_prefix(1);
      ++at_;
      if (byte < 0x80) return value;
    }
    refuse(begin, fmt::format("{} is cut off", what), "the end", "another byte");
  }

  std::string_view bytes_;
  size_t at_;
  const std::string& where_;
};

class PieceReader {
 public:
  PieceReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  PieceFile read() {
    if (const FileFormat* format = format_of(bytes_))
      throw_bad_input({"not a model file of SentencePiece", where_ + ", byte 0", format->name,
                       "a message of protobuf with pieces", format->advice});
    ask_for_pieces();
    bool has_trainer = false, has_normalizer = false;
    PieceMessage message(bytes_, 0, where_);
    for (PieceField field; message.next(field);) {
      if (field.number == 1) {
        message.expect(field, "piece", 2);
        read_piece(field);
      } else if (field.number == 2) {
        message.expect(field, "trainer_spec", 2);
        has_trainer = true;
        read_trainer(field);
      } else if (field.number == 3) {
        message.expect(field, "normalizer_spec", 2);
        has_normalizer = true;
        read_normalizer(field);
      }
    }
    const auto required = [&](bool is_there, const char* what) {
      if (!is_there)
        message.refuse(bytes_.size(), what, "the end of the file",
                       "pieces, a trainer_spec and a normalizer_spec");
    };
    required(!result_.pieces.empty(), "pieces are missing");
    required(has_trainer, "trainer_spec is missing");
    required(has_normalizer, "normalizer_spec is missing");
    if (result_.unknown < 0)
      message.refuse(bytes_.size(), "no piece stands for unknown text",
                     counted(result_.pieces.size(), "piece", "pieces") + " of other types",
                     "one piece of type 2");
    check_bytes(message);
    return std::move(result_);
  }

 private:
  // Counts the pieces, and checks that memory suffices for them before any is stored.
  void ask_for_pieces() {
    size_t count = 0, bytes = 0, last = 0;
    PieceMessage message(bytes_, 0, where_);
    for (PieceField field; message.next(field);) {
      if (field.number != 1) continue;
      ++count;
      bytes += field.bytes.size();
      last = field.at;
    }
    if (count > static_cast<size_t>(kMostVocabulary))
      message.refuse(last, "too many pieces", fmt::format("{}", count),
                     fmt::format("at most {}", kMostVocabulary));
    ask_memory({.bytes = kMemoryOfPiece * static_cast<double>(count) +
                         kMemoryOfByte * static_cast<double>(bytes),
                .what = "vocabulary does not fit in memory",
                .where = where_,
                .found = fmt::format("{} pieces x {} bytes + {} bytes in them x {}", count,
                                     kMemoryOfPiece, bytes, kMemoryOfByte),
                .advice = ""});
    result_.pieces.reserve(count);
    places_.reserve(count);
  }

  void read_piece(const PieceField& whole) {
    PieceFile::Piece piece;
    const size_t number = result_.pieces.size();
    PieceMessage message(whole, where_);
    const auto refuse = [&](const PieceField& field, const char* what, std::string found,
                            std::string allowed) {
      message.refuse(field.at, fmt::format("{} of piece {} is not valid", what, number),
                     std::move(found), std::move(allowed));
    };
    for (PieceField field; message.next(field);) {
      if (field.number == 1) {
        message.expect(field, "text of a piece", 2);
        if (field.bytes.size() > kMostPieceBytes)
          refuse(field, "text", fmt::format("{} bytes", field.bytes.size()),
                 fmt::format("1 to {} bytes", kMostPieceBytes));
        if (!is_utf8(field.bytes) || field.bytes.find('\0') != std::string_view::npos)
          refuse(field, "text", quote_text(field.bytes), "UTF-8 text without NUL");
        piece.text = field.bytes;
      } else if (field.number == 2) {
        message.expect(field, "score of a piece", 5);
        piece.score = std::bit_cast<float>(static_cast<uint32_t>(field.value));
        if (!std::isfinite(piece.score))
          refuse(field, "score", fmt::format("{}", piece.score), "a finite number");
      } else if (field.number == 3) {
        message.expect(field, "type of a piece", 0);
        if (field.value < 1 || field.value > 6)
          refuse(field, "type", fmt::format("{}", field.value), "1 to 6");
        piece.kind = static_cast<PieceFile::Kind>(field.value);
      }
    }
    if (piece.text.empty())
      message.refuse(whole.at, fmt::format("piece {} has no text", number), "\"\"",
                     fmt::format("1 to {} bytes", kMostPieceBytes));
    const auto [first, is_new] = places_.try_emplace(piece.text, number);
    if (!is_new)
      message.refuse(whole.at, fmt::format("piece {} is there twice", number),
                     quote_text(piece.text),
                     fmt::format("each piece once; the first one is piece {}", first->second));
    if (piece.kind == PieceFile::Kind::kUnknown) {
      if (result_.unknown >= 0)
        message.refuse(whole.at, "a second piece stands for unknown text",
                       fmt::format("piece {}", number),
                       fmt::format("piece {} alone", result_.unknown));
      result_.unknown = static_cast<int32_t>(number);
    }
    if (piece.kind == PieceFile::Kind::kByte) {
      const int byte = byte_of_piece(piece.text);
      // A piece for a byte is found by its text, so small letters in its number will not do.
      if (byte < 0 || piece.text != fmt::format("<0x{:02X}>", byte))
        message.refuse(whole.at, fmt::format("piece {} is not the name of a byte", number),
                       quote_text(piece.text), "<0x00> to <0xFF>, in capitals");
      if (byte_pieces_++ == 0) first_byte_piece_at_ = whole.at;
    }
    result_.pieces.push_back(std::move(piece));
  }

  // With byte_fallback there must be a piece for each of the 256 bytes, else for none.
  void check_bytes(const PieceMessage& message) const {
    if (byte_pieces_ != (result_.byte_fallback ? 256 : 0))
      message.refuse(result_.byte_fallback ? byte_fallback_at_ : first_byte_piece_at_,
                     "pieces for bytes do not fit trainer_spec",
                     fmt::format("{} bytes have a piece, and byte_fallback is {}", byte_pieces_,
                                 result_.byte_fallback),
                     "256 with byte_fallback, else none");
  }

  void read_trainer(const PieceField& whole) {
    PieceMessage message(whole, where_);
    for (PieceField field; message.next(field);) {
      const auto number = [&](const char* name) {
        message.expect(field, name, 0);
        return field.value;
      };
      // An empty name stands for the usual one.
      const auto read_name = [&](const char* name, std::string& piece) {
        message.expect(field, name, 2);
        if (!field.bytes.empty()) piece = field.bytes;
      };
      switch (field.number) {
        case 3:
          if (const uint64_t type = number("model_type"); type != 1 && type != 2)
            throw Error(
                ErrorCode::kNotSupported,
                {"kind of model is not supported", fmt::format("{}, byte {}", where_, field.at),
                 fmt::format("model_type {}", type), "1 (Unigram), 2 (BPE)", ""});
          result_.is_bpe = field.value == 2;
          break;
        case 24:
          result_.space_is_last = number("treat_whitespace_as_suffix") != 0;
          break;
        case 35:
          result_.byte_fallback = number("byte_fallback") != 0;
          byte_fallback_at_ = field.at;
          break;
        case 46:
          read_name("bos_piece", result_.first);
          break;
        case 47:
          read_name("eos_piece", result_.last);
          break;
        default:
          break;  // fields about the training
      }
    }
  }

  void read_normalizer(const PieceField& whole) {
    PieceMessage message(whole, where_);
    for (PieceField field; message.next(field);) {
      const auto flag = [&](const char* name) {
        message.expect(field, name, 0);
        return field.value != 0;
      };
      switch (field.number) {
        case 1:
          message.expect(field, "name of the normaliser", 2);
          result_.normalizer = field.bytes;
          break;
        case 2:
          message.expect(field, "precompiled_charsmap", 2);
          if (!field.bytes.empty() && !Charsmap::read(field.bytes, result_.charsmap))
            message.refuse(field.at, "table of characters is not valid",
                           fmt::format("{} bytes", field.bytes.size()),
                           "a double array and the texts to which it leads");
          break;
        case 3:
          result_.adds_space = flag("add_dummy_prefix");
          break;
        case 4:
          result_.removes_spaces = flag("remove_extra_whitespaces");
          break;
        case 5:
          result_.marks_spaces = flag("escape_whitespaces");
          break;
        default:
          break;
      }
    }
  }

  std::string_view bytes_;
  const std::string& where_;
  PieceFile result_;
  std::unordered_map<std::string, size_t> places_;  // text of a piece -> its number
  size_t byte_pieces_ = 0;
  size_t first_byte_piece_at_ = 0, byte_fallback_at_ = 0;  // bytes of the file
};

}  // namespace

PieceFile PieceFile::read(std::string_view bytes, const std::string& where) {
  return PieceReader(bytes, where).read();
}

std::string charsmap_of(const std::filesystem::path& model_file) {
  const std::string bytes = read_text_file(model_file, kMostFileBytes),
                    where = model_file.filename().string();
  std::string table;
  PieceMessage file(bytes, 0, where);
  for (PieceField spec; file.next(spec);) {
    if (spec.number != 3) continue;
    PieceMessage normalizer(spec, where);
    for (PieceField field; normalizer.next(field);)
      if (field.number == 2) table = field.bytes;
  }
  return table;
}

PieceFile PieceFile::open(const std::filesystem::path& file) {
  return read(read_text_file(file, kMostFileBytes), file.filename().string());
}

}  // namespace attn

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_file/session_chunks.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/memory.h"

namespace attn {
namespace {

constexpr size_t kPiece = size_t{4} << 20;  // read or written at once
constexpr const char* kKind = "a session file (.attn-session)";
constexpr size_t kNameBytes = 8;

constexpr std::string_view kNames[] = {"scenario", "view",     "run",     "tokens", "requests",
                                       "steps",    "blocks",   "history", "texts",  "messages",
                                       "events",   "rowstate", "notes",   "record"};

// The name of a chunk in the file: at most 8 bytes.
std::string_view short_name(ChunkKind kind) {
  return name_of(kind).substr(0, kNameBytes);
}

void append(std::string& bytes, uint64_t value, size_t size) {
  bytes.append(reinterpret_cast<const char*>(&value), size);
}

uint64_t natural_at(std::string_view bytes, uint64_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, size);
  return value;
}

[[noreturn]] void throw_cancelled(const std::filesystem::path& file) {
  throw Error(ErrorCode::kCancelled, {"cancelled", file.string(), "", "", ""});
}

// Adds a word to the checksum of the versions 1 and 2.
uint64_t old_step(uint64_t state, uint64_t word) {
  return std::rotl(state ^ word, 27) * 0x9e3779b97f4a7c15u;
}

}  // namespace

std::string_view name_of(ChunkKind kind) {
  return kNames[static_cast<size_t>(kind)];
}

void check_session_view(const std::string& json, const std::string& where) {
  constexpr size_t kMostBytes = size_t{64} << 20;
  constexpr size_t kMostValues = 500'000;
  nlohmann::json view = parse_json(
      json, where, {.max_bytes = kMostBytes, .max_depth = 32, .max_values = kMostValues});
  const TakenApart apart(view);
  if (!view.is_object())
    throw_bad_input({"what the window showed is not an object", where + ", $", view.type_name(),
                     "an object", ""});
}

Checksum::Checksum(uint32_t version) {
  if (version < kFirstXxh64Version) return;
  state_.reset(XXH64_createState());
  if (!state_) throw std::bad_alloc();
  XXH64_reset(state_.get(), 0);
}

void Checksum::add(std::string_view bytes) {
  if (state_) {
    XXH64_update(state_.get(), bytes.data(), bytes.size());
    return;
  }
  old_length_ += bytes.size();
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t size = std::min(sizeof word, bytes.size());
    std::memcpy(&word, bytes.data(), size);
    old_state_ = old_step(old_state_, word);
    bytes.remove_prefix(size);
  }
}

uint64_t Checksum::value() const {
  if (state_) return XXH64_digest(state_.get());
  uint64_t state = old_state_;
  // If the length is a multiple of 8, a word 0 comes before it.
  if (old_length_ % sizeof state == 0) state = old_step(state, 0);
  state = old_step(state, old_length_);
  return state ^ state >> 32;
}

// --- writing ---

ChunkWriter::ChunkWriter(const std::filesystem::path& file,
                         const std::vector<std::pair<ChunkKind, uint64_t>>& sizes,
                         SessionProgress progress)
    : file_(file), progress_(std::move(progress)) {
  uint64_t offset = kSessionHeaderBytes + kSessionEntryBytes * sizes.size();
  for (const auto& [kind, size] : sizes) {
    entries_.push_back({.kind = kind, .offset = offset, .size = size});
    offset += size;
  }
  total_ = offset;
  struct statvfs disk {};
  if (fstatvfs(file_.descriptor(), &disk) != 0) return;
  const double room = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  if (static_cast<double>(total_) <= room) return;
  throw Error(ErrorCode::kFailed,
              {"the disk has not enough free space for the session", file_.file().string(),
               bytes_text(static_cast<double>(total_)) + " needed", bytes_text(room) + " free",
               "Choose another folder, or free some space."});
}

void ChunkWriter::put(std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kPiece);
    file_.write_at(part, offset);
    bytes.remove_prefix(part.size());
    offset += part.size();
    written_ += part.size();
    const double share = static_cast<double>(written_) / static_cast<double>(total_);
    if (progress_ && !progress_(std::min(1.0, share))) throw_cancelled(file_.file());
  }
}

void ChunkWriter::begin(ChunkKind kind) {
  if (at_ >= entries_.size() || entries_[at_].kind != kind)
    throw std::logic_error("chunks of a session file are written in their order");
}

void ChunkWriter::write(std::string_view bytes) {
  Entry& entry = entries_[at_];
  if (bytes.size() > entry.size - entry.written)
    throw std::logic_error("a chunk of a session file is longer than was said");
  entry.sum.add(bytes);
  put(bytes, entry.offset + entry.written);
  entry.written += bytes.size();
}

void ChunkWriter::end() {
  if (entries_[at_].written != entries_[at_].size)
    throw std::logic_error("a chunk of a session file is shorter than was said");
  ++at_;
}

void ChunkWriter::finish() {
  std::string head(kSessionMagic);
  append(head, kSessionVersion, 4);
  append(head, entries_.size(), 4);
  append(head, total_, 8);
  std::string table;
  for (const Entry& entry : entries_) {
    std::string name(short_name(entry.kind));
    name.resize(kNameBytes);
    table += name;
    append(table, entry.offset, 8);
    append(table, entry.size, 8);
    append(table, entry.sum.value(), 8);
  }
  Checksum sum(kSessionVersion);
  sum.add(head);
  sum.add(table);
  append(head, sum.value(), 8);
  put(head + table, 0);
  file_.commit();
}

// --- reading ---

ChunkReader::ChunkReader(const std::filesystem::path& file, SessionProgress progress)
    : file_(InputFile::open(file, kKind)), progress_(std::move(progress)) {
  read_table();
}

void ChunkReader::read_table() {
  const uint64_t size = file_.size();
  const auto refuse = [this](const char* what, uint64_t byte, std::string found,
                             std::string allowed, std::string advice = "") {
    throw_bad_input({what, fmt::format("{}, byte {}", name(), byte), std::move(found),
                     std::move(allowed), std::move(advice)});
  };
  std::string head(static_cast<size_t>(std::min(size, kSessionHeaderBytes)), '\0');
  file_.read(0, head.data(), head.size());
  if (!head.starts_with(kSessionMagic.substr(0, std::min(head.size(), kSessionMagic.size()))) ||
      head.empty())
    refuse("not a session file", 0,
           head.empty() ? "an empty file" : quote_text(head.substr(0, kSessionMagic.size())),
           fmt::format("a file that begins with {}", kSessionMagic));
  if (size < kSessionHeaderBytes)
    refuse("session file ends inside its header", size, fmt::format("{} bytes", size),
           fmt::format("{} bytes or more", kSessionHeaderBytes), "It was cut short: copy it again");
  const uint64_t version = natural_at(head, 8, 4), count = natural_at(head, 12, 4);
  if (version < 1 || version > kSessionVersion)
    refuse("this version of the session format is not known", 8, fmt::format("{}", version),
           fmt::format("1 to {}", kSessionVersion),
           version > kSessionVersion
               ? "A newer version of this program made it, or the file is damaged"
               : "");
  version_ = static_cast<uint32_t>(version);
  const size_t singles = single_chunks(version);
  if (count < singles)
    refuse("session file has too few chunks", 12, fmt::format("{}", count),
           fmt::format("{} or more", singles));
  if (count > (size - kSessionHeaderBytes) / kSessionEntryBytes)
    refuse("table of chunks ends past the end of the file", 12, fmt::format("{} chunks", count),
           fmt::format("at most {} in a file of {} bytes",
                       (size - kSessionHeaderBytes) / kSessionEntryBytes, size));
  if (const uint64_t said = natural_at(head, 16, 8); said != size)
    refuse(said > size ? "session file is cut short" : "session file goes on after its end", 16,
           fmt::format("{} bytes, needed {} bytes", size, said), "", "Copy it again");
  ask_memory({.bytes = static_cast<double>(size),
              .what = "session does not fit in memory",
              .where = fmt::format("{}, byte 16", name()),
              .found = "",
              .advice = ""});
  std::string table(static_cast<size_t>(count * kSessionEntryBytes), '\0');
  file_.read(kSessionHeaderBytes, table.data(), table.size());
  Checksum sum(version_);
  sum.add(std::string_view(head).substr(0, 24));
  sum.add(table);
  if (sum.value() != natural_at(head, 24, 8))
    refuse("checksum of the table of chunks is wrong", 24,
           fmt::format("{:016x}", natural_at(head, 24, 8)), fmt::format("{:016x}", sum.value()),
           "The file was changed: copy it again");
  uint64_t end = kSessionHeaderBytes + table.size();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = i * kSessionEntryBytes, byte = kSessionHeaderBytes + at;
    const auto kind = i < singles ? static_cast<ChunkKind>(i) : ChunkKind::kAttention;
    std::string wanted(short_name(kind));
    wanted.resize(kNameBytes);
    if (table.compare(at, kNameBytes, wanted) != 0)
      refuse("chunk has another name than the one at its place", byte,
             quote_text(std::string_view(table).substr(at, kNameBytes)),
             std::string(short_name(kind)));
    const Entry entry{kind, natural_at(table, at + 8, 8), natural_at(table, at + 16, 8),
                      natural_at(table, at + 24, 8)};
    if (entry.offset != end)
      refuse(entry.offset < end ? "chunk begins inside what is before it"
                                : "there is a hole before the chunk",
             byte + 8, fmt::format("{} at byte {}", name_of(kind), entry.offset),
             fmt::format("byte {}", end));
    if (entry.size > size - end)
      refuse("chunk ends past the end of the file", byte + 16,
             fmt::format("{} of {} bytes", name_of(kind), entry.size),
             fmt::format("at most {} bytes", size - end));
    end += entry.size;
    entries_.push_back(entry);
  }
  if (end != size)
    refuse("there are bytes behind the last chunk", end, fmt::format("{} bytes", size - end),
           "nothing");
}

size_t ChunkReader::count(ChunkKind kind) const {
  return static_cast<size_t>(std::ranges::count(entries_, kind, &Entry::kind));
}

const ChunkReader::Entry& ChunkReader::entry(ChunkKind kind, size_t index) const {
  return kind == ChunkKind::kAttention ? entries_[single_chunks(version_) + index]
                                       : entries_[static_cast<size_t>(kind)];
}

void ChunkReader::told(uint64_t bytes) {
  done_ += bytes;
  const double part = static_cast<double>(done_) / static_cast<double>(file_.size());
  if (progress_ && !progress_(std::min(1.0, part))) throw_cancelled(file_.path());
}

void ChunkReader::refuse_checksum(const Entry& entry) const {
  throw_bad_input({"checksum of a chunk is wrong",
                   fmt::format("{}, byte {} ({})", name(), entry.offset, name_of(entry.kind)),
                   "other bytes than were written", fmt::format("{:016x}", entry.checksum),
                   "The file was changed: copy it again"});
}

std::string ChunkReader::read(ChunkKind kind, size_t index) {
  const Entry& chunk = entry(kind, index);
  std::string bytes(static_cast<size_t>(chunk.size), '\0');
  Checksum sum(version_);
  for (uint64_t at = 0; at < chunk.size;) {
    const auto part = static_cast<size_t>(std::min<uint64_t>(kPiece, chunk.size - at));
    file_.read(chunk.offset + at, bytes.data() + at, part);
    sum.add(std::string_view(bytes).substr(static_cast<size_t>(at), part));
    at += part;
    told(part);
  }
  if (sum.value() != chunk.checksum) refuse_checksum(chunk);
  return bytes;
}

TakeBytes ChunkReader::take(ChunkKind kind, std::string_view bytes, size_t index) const {
  return {bytes, name(), std::string(name_of(kind)), entry(kind, index).offset};
}

void ChunkReader::read_pieces(
    ChunkKind kind, uint64_t item_bytes,
    const std::function<void(std::string_view piece, uint64_t offset)>& each) {
  const Entry& chunk = entry(kind);
  if (chunk.size % item_bytes != 0)
    throw_bad_input({"chunk is no whole number of items",
                     fmt::format("{}, byte {} ({})", name(), chunk.offset, name_of(kind)),
                     fmt::format("{} bytes", chunk.size),
                     fmt::format("a multiple of {}", item_bytes), ""});
  const uint64_t most = kPiece / item_bytes * item_bytes;
  std::string piece;
  // The first pass only checks the checksum. each() gets no items of a damaged chunk.
  for (const bool look : {false, true}) {
    Checksum sum(version_);
    for (uint64_t at = 0; at < chunk.size; at += piece.size()) {
      piece.resize(static_cast<size_t>(std::min(most, chunk.size - at)));
      file_.read(chunk.offset + at, piece.data(), piece.size());
      sum.add(piece);
      if (look)
        each(piece, chunk.offset + at);
      else
        told(piece.size());
    }
    if (sum.value() != chunk.checksum) refuse_checksum(chunk);
  }
}

}  // namespace attn

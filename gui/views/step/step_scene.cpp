// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "engine/session/report/report.h"
#include "gui/models/words/request_words.h"
#include "gui/views/step/step_masks.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

struct StepWords {
  Q_DECLARE_TR_FUNCTIONS(Step)
};

using Kind = StepPlace::Kind;

TableKind table_kind(Kind kind) {
  return kind == Kind::kCrossBlock || kind == Kind::kEncoderToken ? TableKind::kCross
                                                                  : TableKind::kOwn;
}

QString span_words(int64_t first, int64_t last) {
  return first == last ? StepWords::tr("token %1").arg(first)
                       : StepWords::tr("tokens %1 to %2").arg(first).arg(last);
}

QString slot_words(const StepScene& scene, const StepPlace& place, int64_t at) {
  const char* field = place.kind == Kind::kEncoderToken ? "cross_slot_mapping" : "slot_mapping";
  const int64_t slot = scene.slot(place);
  QString text = QStringLiteral("%1[%2] = %3").arg(QLatin1String(field)).arg(at).arg(slot);
  if (slot >= 0)
    text += StepWords::tr(" = block %1 × %2 + offset %3")
                .arg(slot / scene.block_size)
                .arg(scene.block_size)
                .arg(slot % scene.block_size);
  if (slot < 0) return text + StepWords::tr(": its key and value are not cached");
  return scene.keeps_cache ? text : text + StepWords::tr(", but an encoder writes no cache");
}

QString block_words(const StepScene& scene, const StepPlace& place) {
  const TableKind kind = table_kind(place.kind);
  const QString field = kind == TableKind::kCross ? QStringLiteral("cross_block_tables")
                                                  : QStringLiteral("block_tables");
  const int32_t block = scene.block(place);
  QString text =
      QStringLiteral("%1[%2][%3] = %4").arg(field).arg(place.sequence).arg(place.index).arg(block);
  if (block < 0) return text + StepWords::tr(": not used");
  const int64_t first = place.index * scene.block_size;
  const int64_t after = scene.keys_after(place.sequence, kind);
  const int64_t before = scene.keys_before(place.sequence, kind);
  const int64_t used = std::clamp<int64_t>(after - first, 0, scene.block_size);
  if (scene.has_null_block && kind == TableKind::kOwn && block == 0)
    return text + StepWords::tr(": the null block; its tokens left the sliding window");
  text += QLatin1Char('\n');
  if (used > 0) text += span_words(first, first + used - 1) + StepWords::tr(", ");
  text += StepWords::tr("%1 of %2 slots used").arg(used).arg(scene.block_size);
  const int64_t written = used - std::clamp<int64_t>(before - first, 0, used);
  if (written > 0) text += StepWords::tr(", %1 of them written in this step").arg(written);
  return text;
}

}  // namespace

int64_t StepScene::context_len(int64_t sequence) const {
  return metadata().context_lens[static_cast<size_t>(sequence)];
}

int64_t StepScene::seq_len(int64_t sequence) const {
  return metadata().seq_lens[static_cast<size_t>(sequence)];
}

int64_t StepScene::first_row(int64_t sequence) const {
  return metadata().query_start_loc[static_cast<size_t>(sequence)];
}

int64_t StepScene::given_rows(int64_t sequence) const {
  const int64_t given = sequences[static_cast<size_t>(sequence)].given - context_len(sequence);
  return std::clamp<int64_t>(given, 0, query_len(sequence));
}

int64_t StepScene::given_rows() const {
  int64_t rows = 0;
  for (int64_t s = 0; s < num_sequences(); ++s) rows += given_rows(s);
  return rows;
}

int64_t StepScene::keys_after(int64_t sequence, TableKind kind) const {
  return facts->batch.sequences[static_cast<size_t>(sequence)].places(kind).end;
}

int64_t StepScene::keys_before(int64_t sequence, TableKind kind) const {
  return facts->batch.sequences[static_cast<size_t>(sequence)].places(kind).written_from;
}

std::span<const int32_t> StepScene::table(int64_t sequence, TableKind kind) const {
  if (kind == TableKind::kOwn) return metadata().block_table(sequence);
  if (!metadata().cross_block_tables) return {};
  return metadata().cross_block_table(sequence);
}

int64_t StepScene::used_entries(int64_t sequence, TableKind kind) const {
  const std::span<const int32_t> entries = table(sequence, kind);
  auto used = static_cast<int64_t>(entries.size());
  while (used > 0 && entries[static_cast<size_t>(used - 1)] < 0) --used;
  return used;
}

bool StepScene::selects_rows(bool of_encoder) const {
  if (selected.kind == SelectionKind::kToken) return !of_encoder;
  if (selected.kind != SelectionKind::kCell) return false;
  const bool in_encoder = std::ranges::any_of(facts->layers, [this](const StepFacts::Layers& some) {
    return some.config.attn_type == AttentionType::kEncoder &&
           std::ranges::find(some.layers, selected.layer) != some.layers.end();
  });
  return in_encoder == of_encoder;
}

int64_t StepScene::encoder_tokens(int64_t sequence) const {
  if (!metadata().encoder_seq_lens || !is_prefill(sequence)) return 0;
  return (*metadata().encoder_seq_lens)[static_cast<size_t>(sequence)];
}

int64_t StepScene::cross_slot(int64_t sequence, int64_t token) const {
  int64_t row = token;
  for (int64_t s = 0; s < sequence; ++s) row += encoder_tokens(s);
  return (*metadata().cross_slot_mapping)[static_cast<size_t>(row)];
}

const TokenView* StepScene::token(const StepPlace& place) const {
  const Sequence& sequence = sequences[static_cast<size_t>(place.sequence)];
  const bool own = place.kind == Kind::kToken;
  if (!own && place.kind != Kind::kEncoderToken) return nullptr;
  const auto& tokens = own ? sequence.tokens : sequence.encoder_tokens;
  const int64_t position = place.index + (own ? context_len(place.sequence) : 0);
  if (!tokens || position >= static_cast<int64_t>(tokens->size())) return nullptr;
  return &(*tokens)[static_cast<size_t>(position)];
}

int64_t StepScene::slot(const StepPlace& place) const {
  if (place.kind == Kind::kEncoderToken) return cross_slot(place.sequence, place.index);
  if (place.kind != Kind::kToken) return kPaddingSlot;
  return metadata().slot_mapping[static_cast<size_t>(first_row(place.sequence) + place.index)];
}

int32_t StepScene::block(const StepPlace& place) const {
  switch (place.kind) {
    case Kind::kBlock:
    case Kind::kCrossBlock:
      return table(place.sequence, table_kind(place.kind))[static_cast<size_t>(place.index)];
    case Kind::kToken:
    case Kind::kEncoderToken: {
      const int64_t at = slot(place);
      return at < 0 ? -1 : static_cast<int32_t>(at / block_size);
    }
    default:
      return -1;
  }
}

std::optional<int64_t> StepScene::sequence_of(int64_t request) const {
  for (size_t s = 0; s < sequences.size(); ++s)
    if (sequences[s].request == request) return static_cast<int64_t>(s);
  return std::nullopt;
}

// Whether the token at this position, of the request or of its encoder, lies in the place.
bool StepScene::covers(const StepPlace& place, int64_t request, int64_t position,
                       TableKind kind) const {
  if (place.is_none() || position < 0 ||
      sequences[static_cast<size_t>(place.sequence)].request != request ||
      table_kind(place.kind) != kind)
    return false;
  const int64_t context = context_len(place.sequence);
  switch (place.kind) {
    case Kind::kContext:
      return position < context;
    case Kind::kToken:
      return position == context + place.index;
    case Kind::kEncoderToken:
      return position == place.index;
    case Kind::kBlock:
    case Kind::kCrossBlock:
      return position < keys_after(place.sequence, kind) && position / block_size == place.index;
    default:
      return false;
  }
}

bool StepScene::is_selected(const StepPlace& place) const {
  const SelectionState& state = selected;
  if (state.kind == SelectionKind::kBlock)
    return !state.in_host_pool && state.block >= 0 && block(place) == state.block;
  if (selects_rows(true)) return covers(place, state.request, state.query, TableKind::kCross);
  return selects_rows(false) && covers(place, state.request, state.query, TableKind::kOwn);
}

bool StepScene::is_pointed(const StepPlace& place) const {
  if (!hovered.is_none()) {
    if (hovered == place) return true;
    const bool of_block = hovered.kind == Kind::kBlock || hovered.kind == Kind::kCrossBlock;
    if (of_block) return block(hovered) >= 0 && block(place) == block(hovered);
  }
  const PointedState& at = pointed;
  const TableKind keys = at.of_encoder ? TableKind::kCross : TableKind::kOwn;
  const TableKind queries = at.query_of_encoder ? TableKind::kCross : TableKind::kOwn;
  return covers(place, at.request, at.query, queries) || covers(place, at.request, at.key, keys);
}

std::optional<SelectionState> StepScene::selection_of(const StepPlace& place) const {
  if (place.kind == Kind::kToken)
    return SelectionState{.kind = SelectionKind::kToken,
                          .request = sequences[static_cast<size_t>(place.sequence)].request,
                          .query = context_len(place.sequence) + place.index};
  if (const int32_t at = block(place); at >= 0)
    return SelectionState{.kind = SelectionKind::kBlock,
                          .request = sequences[static_cast<size_t>(place.sequence)].request,
                          .block = at};
  return std::nullopt;
}

QString step_tooltip(const StepScene& scene, const StepPlace& place) {
  if (place.is_none()) return {};
  const StepScene::Sequence& sequence = scene.sequences[static_cast<size_t>(place.sequence)];
  QStringList lines;
  const auto add_token = [&](const QString& what) {
    const TokenView* token = scene.token(place);
    lines += token ? what + QLatin1Char(' ') + quoted_token(token->text) : what;
  };
  switch (place.kind) {
    case Kind::kNone:
      break;
    case Kind::kContext:
      lines += StepWords::tr("context_lens[%1] = %2: tokens of %3 from before this step")
                   .arg(place.sequence)
                   .arg(scene.context_len(place.sequence))
                   .arg(sequence.name);
      break;
    case Kind::kToken: {
      const int64_t row = scene.first_row(place.sequence) + place.index;
      add_token(StepWords::tr("row %1 of the batch: token %2 of %3")
                    .arg(row)
                    .arg(scene.context_len(place.sequence) + place.index)
                    .arg(sequence.name));
      if (scene.is_given(place)) lines += given_words();
      lines += slot_words(scene, place, row);
      break;
    }
    case Kind::kPadding:
      lines += counted(sequence.padding,
                       StepWords::tr("1 row of padding (slot −1), computed but not used"),
                       StepWords::tr("%1 rows of padding (slot −1), computed but not used"));
      break;
    case Kind::kEncoderToken: {
      int64_t row = place.index;
      for (int64_t s = 0; s < place.sequence; ++s) row += scene.encoder_tokens(s);
      add_token(StepWords::tr("token %1 of the encoder of %2").arg(place.index).arg(sequence.name));
      lines += slot_words(scene, place, row);
      break;
    }
    case Kind::kBlock:
    case Kind::kCrossBlock:
      lines += block_words(scene, place);
      break;
  }
  if (place.mask >= 0) lines += mask_words(scene, place);
  return lines.join(QLatin1Char('\n'));
}

QString step_sentence(const StepScene& scene) {
  const AttentionMetadata& metadata = scene.metadata();
  const QString text =
      StepWords::tr("%1, %2: %3 of prefill, %4 of decode")
          .arg(counted(metadata.num_seqs(), StepWords::tr("1 sequence"),
                       StepWords::tr("%1 sequences")),
               counted(metadata.num_tokens(), StepWords::tr("1 row"), StepWords::tr("%1 rows")))
          .arg(metadata.num_prefill_tokens)
          .arg(metadata.num_decode_tokens);
  const int64_t given = scene.given_rows();
  return given == 0 ? text
                    : text + counted(given, StepWords::tr("; 1 row is of a token without a query"),
                                     StepWords::tr("; %1 rows are of tokens without a query"));
}

std::vector<std::pair<QString, QString>> step_numbers(const StepScene& scene) {
  const AttentionMetadata& metadata = scene.metadata();
  std::vector<std::pair<QString, QString>> numbers;
  const auto add = [&numbers](const char* name, int64_t value) {
    numbers.emplace_back(QLatin1String(name), QString::number(value));
  };
  add("num_prefills", metadata.num_prefills);
  add("num_prefill_tokens", metadata.num_prefill_tokens);
  add("num_decode_tokens", metadata.num_decode_tokens);
  add("max_query_len", metadata.max_query_len);
  add("max_prefill_seq_len", metadata.max_prefill_seq_len);
  add("max_decode_seq_len", metadata.max_decode_seq_len);
  add("max_blocks_per_seq", metadata.max_blocks_per_seq);
  if (metadata.num_encoder_tokens) add("num_encoder_tokens", *metadata.num_encoder_tokens);
  if (metadata.max_encoder_seq_len) add("max_encoder_seq_len", *metadata.max_encoder_seq_len);
  numbers.emplace_back(QStringLiteral("use_captured_plan"),
                       !metadata.use_captured_plan ? QStringLiteral("false")
                       : scene.facts->captured_rows
                           ? StepWords::tr("true (%1 rows, %2 of them padding)")
                                 .arg(scene.facts->captured_rows)
                                 .arg(scene.facts->captured_rows - metadata.num_seqs())
                           : QStringLiteral("true"));
  return numbers;
}

std::string step_csv(const StepScene& scene) {
  std::string out =
      "step,sequence,request,name,phase,part,query_start_loc,query_len,context_len,seq_len,"
      "encoder_seq_len,row,position,token,text,slot,block,offset,table,mask,mask_form,mask_bytes,"
      "first_key,end_key,tile_first_key,tile_end_key\n";
  if (scene.is_empty()) return out;
  const AttentionMetadata& metadata = scene.metadata();
  const auto add = [&](const StepPlace& place, int64_t row, int64_t position) {
    const StepScene::Sequence& sequence = scene.sequences[static_cast<size_t>(place.sequence)];
    const bool own = place.kind == Kind::kToken;
    const int64_t slot = scene.slot(place);
    const TokenView* token = scene.token(place);
    const TableKind kind = table_kind(place.kind);
    const auto entries = scene.table(place.sequence, kind)
                             .first(static_cast<size_t>(scene.used_entries(place.sequence, kind)));
    const std::string encoder_len =
        metadata.encoder_seq_lens
            ? std::to_string((*metadata.encoder_seq_lens)[static_cast<size_t>(place.sequence)])
            : "";
    out += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", scene.facts->batch.step,
        place.sequence, sequence.request, csv_cell(sequence.name.toStdString()),
        scene.is_prefill(place.sequence) ? "prefill" : "decode", own ? "own" : "encoder",
        scene.first_row(place.sequence), scene.query_len(place.sequence),
        scene.context_len(place.sequence), scene.seq_len(place.sequence), encoder_len, row,
        position, token ? std::to_string(token->id) : "", token ? csv_cell(token->text) : "", slot,
        slot < 0 ? "" : std::to_string(slot / scene.block_size),
        slot < 0 ? "" : std::to_string(slot % scene.block_size),
        place.index == 0 ? fmt::format("{}", fmt::join(entries, " ")) : "",
        mask_cells(scene, place));
  };
  int64_t encoder_row = 0;
  for (int64_t s = 0; s < scene.num_sequences(); ++s) {
    for (int64_t i = 0; i < scene.query_len(s); ++i)
      add({Kind::kToken, s, i}, scene.first_row(s) + i, scene.context_len(s) + i);
    for (int64_t i = 0; i < scene.encoder_tokens(s); ++i)
      add({Kind::kEncoderToken, s, i}, encoder_row++, i);
  }
  return out;
}

}  // namespace attn::gui

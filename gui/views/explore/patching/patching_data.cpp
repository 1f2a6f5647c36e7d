// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/patching/patching_data.h"

#include <QCoreApplication>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/core/error.h"
#include "gui/views/explore/token_of.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

struct PatchingDataWords {
  Q_DECLARE_TR_FUNCTIONS(Patching)
};

// Longer prompts are refused, because the number of cells and the work of each grow with the
// length.
constexpr int64_t kMostPatchedTokens = 128;

// Sets those tokens of the plan's pair that the wish names. Returns what is wrong with them.
QString read_pair(const Model& model, const PatchingWish& wish, PatchPlan& plan) {
  for (const auto& [text, token] :
       {std::pair(&wish.right, &plan.right), std::pair(&wish.wrong, &plan.wrong)}) {
    if (text->isEmpty()) continue;
    const int32_t other = token == &plan.wrong ? plan.right : kChosenToken;
    if (const auto found = token_of(model, *text, other))
      *token = *found;
    else
      return PatchingDataWords::tr(
                 "The model has no token with the text “%1”, or it is the first token of the pair. "
                 "Type a word that is one token, or leave the field empty to take the likeliest "
                 "token.")
          .arg(*text);
  }
  return {};
}

QString trouble_with(const PatchingData& data) {
  const auto clean = std::ssize(data.clean), corrupted = std::ssize(data.corrupted);
  if (clean == 0 || corrupted == 0)
    return PatchingDataWords::tr("Type a clean prompt and a corrupted one of as many tokens.");
  if (clean != corrupted)
    return PatchingDataWords::tr(
               "The clean prompt has %1 tokens and the corrupted one has %2. Both must have "
               "equally many: replace a word by one with as many tokens.")
        .arg(clean)
        .arg(corrupted);
  if (data.clean == data.corrupted)
    return PatchingDataWords::tr("The two prompts are the same. Change at least one word.");
  if (clean > kMostPatchedTokens)
    return PatchingDataWords::tr(
               "The prompts have %1 tokens; at most %2 are computed. Type shorter ones.")
        .arg(clean)
        .arg(kMostPatchedTokens);
  return {};
}

}  // namespace

bool PatchingData::differs(int64_t position) const {
  const auto at = static_cast<size_t>(position);
  return at >= clean.size() || at >= corrupted.size() || clean[at] != corrupted[at];
}

bool PatchingData::is_complete() const {
  return !trouble.isEmpty() ||
         std::ranges::all_of(grids, [](const auto& grid) { return grid.has_value(); });
}

PatchPlan patching_plan(const PatchingData& data, int part) {
  return {.clean = data.clean,
          .corrupted = data.corrupted,
          .right = data.ends.right,
          .wrong = data.ends.wrong,
          .sites = is_of_heads(part) ? PatchSites::kHeads : PatchSites::kPostByPosition,
          .into_clean = is_into_clean(part)};
}

bool compute_patching(const PatchingWish& wish, const Scenario& settings,
                      const std::shared_ptr<Source>& source, const PublishPatching& publish,
                      const std::function<void(double)>& progress, RunGate* gate) {
  const auto& model = dynamic_cast<const Model&>(*source);
  PatchingData data;
  data.wish = wish;
  data.layers = model.shape().num_layers;
  data.heads = model.shape().num_heads;
  for (const bool clean : {true, false}) {
    const QString& text = clean ? wish.clean : wish.corrupted;
    std::vector<int32_t>& tokens = clean ? data.clean : data.corrupted;
    if (!text.trimmed().isEmpty()) tokens = model.encode(text.toStdString());
    for (const int32_t token : tokens)
      (clean ? data.clean_texts : data.corrupted_texts).push_back(model.token_text(token));
  }
  data.trouble = trouble_with(data);
  PatchPlan pair = patching_plan(data, kIntoCorrupted);
  pair.right = pair.wrong = kChosenToken;
  if (data.trouble.isEmpty()) data.trouble = read_pair(model, wish, pair);
  const auto show = [&] { publish(std::make_shared<const PatchingData>(data)); };
  show();
  if (!data.trouble.isEmpty()) return true;
  const auto begun = std::chrono::steady_clock::now();
  try {
    const auto ends = patch_ends(settings, source, pair, gate);
    if (!ends) return false;
    data.ends = *ends;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kBadInput) throw;
    data.trouble = QString::fromStdString(error.what());
    show();
    return true;
  }
  data.right = model.token_text(data.ends.right);
  data.wrong = model.token_text(data.ends.wrong);
  data.best_clean = model.token_text(data.ends.clean.best);
  data.best_corrupted = model.token_text(data.ends.corrupted.best);
  const double all = static_cast<double>(data.runs());
  double done = 0;
  for (const int part : {kIntoCorrupted, kIntoClean, kHeadsIntoCorrupted, kHeadsIntoClean}) {
    const double cells =
        static_cast<double>(data.layers * (is_of_heads(part) ? data.heads : data.tokens()));
    auto grid = patch_grid(
        settings, source, patching_plan(data, part),
        [&](double share) { progress((done + share * cells) / all); }, gate);
    if (!grid) return false;
    data.grids[static_cast<size_t>(part)] = std::move(*grid);
    done += cells;
    data.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    show();
  }
  return true;
}

QStringList patching_checks(const PatchingData& data) {
  if (data.right.empty()) return {};
  QStringList checks{
      PatchingDataWords::tr(
          "Check: with the embeddings of all clean tokens, or with the last position "
          "after the last layer, the corrupted run has the logits of the clean one: "
          "residues %1 and %2.")
          .arg(format_number(data.ends.residue_embedding, 2),
               format_number(data.ends.residue_last, 2))};
  int64_t first = 0;
  while (!data.differs(first)) ++first;
  double miss = 0;
  for (const int part : {kIntoClean, kIntoCorrupted})
    if (const auto& grid = data.grids[static_cast<size_t>(part)])
      for (int64_t layer = 0; layer < grid->layers; ++layer)
        for (int64_t column = 0; column < first; ++column)
          miss = std::max(miss, std::abs(grid->value(layer, column) - is_into_clean(part)));
  checks += PatchingDataWords::tr(
                "Check: a cell before position %1, the first that differs, changes "
                "nothing: residue %2.")
                .arg(first)
                .arg(format_number(miss, 2));
  return checks;
}

}  // namespace attn::gui

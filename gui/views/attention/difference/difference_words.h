// SPDX-License-Identifier: GPL-3.0-or-later
// The differences of two runs in words: which runs and requests are compared, how far their weights
// differ, and one cell. Any thread.
#pragma once

#include <QString>

#include "gui/views/attention/difference/difference_scene.h"

namespace attn::gui {

// “cat”, or “cat” / “dog” if the runs have different tokens there; empty: no token is known.
QString pair_token(const PairTokens& here, const PairTokens& beside, int64_t position);
// The title of a file.
QString difference_title(const RunPair& pair);
// The largest |difference| and its place, the mean, how many cells are compared, which runs and
// requests; one paragraph.
QString difference_sentences(const DifferenceScene& scene, const DifferenceSums& sums, bool behind);
// Several lines: query and key, the weight in each run or why it has none, and the difference.
QString difference_cell_text(const RunPair& pair, int64_t query, int64_t key);
// What a dot of several cells shows; empty at level 0.
QString difference_detail(int level);

}  // namespace attn::gui

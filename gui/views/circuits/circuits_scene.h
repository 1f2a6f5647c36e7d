// SPDX-License-Identifier: GPL-3.0-or-later
// CircuitsScene: the data of a picture of a head's circuits, the functions that compute it from the
// weights, and its texts. Any thread.
#pragma once

#include <QString>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/circuits.h"
#include "gui/models/explore/explanation.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// Says which circuits to compute. It does not keep the model in memory.
struct CircuitsWish {
  std::weak_ptr<const Model> model;
  int64_t layer = 0, head = 0;
  int64_t distance = 0;  // QK: tokens from the key to the query
  bool operator==(const CircuitsWish& other) const;
};

// A circuit and its strongest pairs of tokens, or why they could not be computed.
struct CircuitPart {
  struct Pair {
    std::string from, to;  // OV: token read, token made likelier; QK: key, query
    bool same = false;     // both are one token
    double value = 0;
  };
  QString refusal;  // why the circuit or its pairs are missing; empty: they are not
  Circuit circuit;
  std::vector<Pair> pairs;  // the largest first
};

// OV (from a token that is read to the logits), and how the head reads earlier heads.
struct OvData {
  CircuitPart part;
  QString no_composition;            // why there is no composition
  std::vector<EarlierHead> earlier;  // [layer, head] of the layers before this head's
  double seconds = 0;                // how long the computation took
};
struct QkData {
  CircuitPart part;
  double seconds = 0;
};
// Null if `quit` stopped the work or the model is gone.
std::shared_ptr<const OvData> ov_data(const CircuitsWish& wish, const std::atomic<bool>& quit);
std::shared_ptr<const QkData> qk_data(const CircuitsWish& wish, const std::atomic<bool>& quit);

// Keeps the last result and returns it for an equal wish. Any thread.
template <class Data>
class LastCircuits {
 public:
  using Work = std::shared_ptr<const Data> (*)(const CircuitsWish&, const std::atomic<bool>&);
  explicit LastCircuits(Work work) : work_(work) {}
  std::shared_ptr<const Data> of(const CircuitsWish& wish, const std::atomic<bool>& quit) {
    {
      const std::lock_guard lock(mutex_);
      if (data_ && wish_ == wish) return data_;
    }
    auto data = work_(wish, quit);
    const std::lock_guard lock(mutex_);
    if (data) wish_ = wish, data_ = data;
    return data;
  }

 private:
  Work work_;
  std::mutex mutex_;
  CircuitsWish wish_;
  std::shared_ptr<const Data> data_;
};

struct CircuitsScene {
  PictureLook look;
  QString model_name;
  QString refusal;  // why no circuits can be computed
  int64_t layer = 0, head = 0, num_heads = 1, vocab_size = 0;
  // Tokens from the key to the query in QK; nullopt: the layer has no rotary positions.
  std::optional<int64_t> distance;
  bool before_cap = false;           // the model has a soft cap of the logits; OV ends before it
  std::shared_ptr<const OvData> ov;  // null: not computed
  std::shared_ptr<const QkData> qk;
  double zoom = 1;      // zoom of the planes
  int64_t cursor = -1;  // keyboard cursor, an index into ov->earlier; -1: none
  bool exported = false;
  bool title = true;       // false: an export without it
  QString own_title = {};  // in an export in place of the sentence; empty: the sentence
  bool is_empty() const { return !refusal.isEmpty() || !ov || !qk; }
  // Must not be called for an empty scene.
  const std::vector<EarlierHead>& earlier() const { return ov->earlier; }
};

QString circuits_sentence(const CircuitsScene& scene);
// own_title or the sentence.
QString circuits_title(const CircuitsScene& scene);
// Sentences below the picture, such as scores with their residues. None for an empty scene.
std::vector<QString> circuits_facts(const CircuitsScene& scene);
QString eigenvalue_text(const std::complex<double>& value);
QString earlier_text(const EarlierHead& head);
// How much the shown head reads of what an earlier head writes; null: no such head is known.
std::shared_ptr<const Explanation> circuits_explanation(const CircuitsScene& scene, int64_t layer,
                                                        int64_t head);
// One row for each score, eigenvalue and pair, and for each way (query, key, value) in which an
// earlier head is read.
std::string circuits_csv(const CircuitsScene& scene);

}  // namespace attn::gui

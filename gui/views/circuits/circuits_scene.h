// SPDX-License-Identifier: GPL-3.0-or-later
// CircuitsScene: everything that a picture of the circuits of a head depends on, as plain data, and
// what computes it from the weights. Any thread.
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

// The head whose circuits are wanted. A wish does not keep the model in memory.
struct CircuitsWish {
  std::weak_ptr<const Model> model;
  int64_t layer = 0, head = 0;
  int64_t distance = 0;  // QK: tokens from the key to the query
  bool operator==(const CircuitsWish& other) const;
};

// A circuit with its strongest pairs of tokens, or why it is not defined for the model.
struct CircuitPart {
  struct Pair {
    std::string from, to;  // texts of tokens; OV: read, made likelier; QK: key, query
    bool same = false;     // both are one token
    double value = 0;
  };
  QString refusal;  // empty: it is defined
  Circuit circuit;
  std::vector<Pair> pairs;  // the largest first
};

// OV, the way from a token that is read to the logits; and how the head reads earlier heads.
struct OvData {
  CircuitPart part;
  QString no_composition;            // why composition is not defined; empty: it is
  std::vector<EarlierHead> earlier;  // [layer, num_heads] of the layers before that of the head
  double seconds = 0;                // that it took
};
struct QkData {
  CircuitPart part;
  double seconds = 0;
};
// Null: `quit` became true, or the model is no longer loaded.
std::shared_ptr<const OvData> ov_data(const CircuitsWish& wish, const std::atomic<bool>& quit);
std::shared_ptr<const QkData> qk_data(const CircuitsWish& wish, const std::atomic<bool>& quit);

// Keeps the last result, so that the view and the files of an export compute it once. Any thread.
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
  QString refusal;  // why there are no circuits at all, a sentence; empty: there are
  int64_t layer = 0, head = 0, num_heads = 1, vocab_size = 0;
  std::optional<int64_t> distance;   // nullopt: the model has no rotary positions
  bool before_cap = false;           // the model caps its logits, and OV ends before that
  std::shared_ptr<const OvData> ov;  // null: not computed yet
  std::shared_ptr<const QkData> qk;
  double zoom = 1;        // of the planes
  int64_t cursor = -1;    // of the keyboard, an entry of ov->earlier; -1: none
  bool exported = false;  // true: drawn for a file, not for the window
  bool title = true;      // false: an export without it
  bool is_empty() const { return !refusal.isEmpty() || !ov || !qk; }
  // The earlier heads; not for an empty scene.
  const std::vector<EarlierHead>& earlier() const { return ov->earlier; }
};

// "tinystories-gqa, layer 4, head 2: what its weights do with any text"
QString circuits_sentence(const CircuitsScene& scene);
// Scores, identities with their residues, and what is left out: a line each.
std::vector<QString> circuits_facts(const CircuitsScene& scene);
QString eigenvalue_text(const std::complex<double>& value);
QString earlier_text(const EarlierHead& head);
// How much the shown head reads of what this earlier head writes; null: there is no such head.
std::shared_ptr<const Explanation> circuits_explanation(const CircuitsScene& scene, int64_t layer,
                                                        int64_t head);
// One row for each eigenvalue, each pair, and each way in which an earlier head is read: through
// queries, keys and values.
std::string circuits_csv(const CircuitsScene& scene);

}  // namespace attn::gui

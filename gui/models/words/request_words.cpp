// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/words/request_words.h"

#include <QCoreApplication>
#include <algorithm>

namespace attn::gui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(RequestWords)
};

}  // namespace

QString request_name(const EngineSnapshot& snapshot, int64_t id) {
  const RequestView* request = request_by_id(snapshot, id);
  return request && !request->name.empty() ? QString::fromStdString(request->name)
                                           : Words::tr("request %1").arg(id);
}

bool is_preempted(const RequestView& request) {
  return request.state == RequestState::kSwapped ||
         (request.state == RequestState::kWaiting && request.num_preemptions > 0);
}

int64_t tokens_without_query(const EngineSnapshot& snapshot, const RequestView& request) {
  if (snapshot.source.first_query > 0) return snapshot.source.first_query;
  // A saved run does not say it. Its tensors have a query for each token, or for the last one only.
  const bool of_tensors = snapshot.scenario && snapshot.scenario->source.tensors;
  if (!of_tensors || !request.attention || request.num_cached > 0) return 0;
  const int64_t rows = std::min(request.attention->num_rows(), request.num_computed);
  int64_t count = 0;
  while (count < rows && !request.attention->row_done(0, 0, count)) ++count;
  // If no row is there, its rows were dropped by a preemption, or nothing is computed yet.
  return count < rows ? count : 0;
}

QString given_words() {
  return Words::tr("given with its key and value, without a query");
}

QString text_of(RequestState state) {
  switch (state) {
    case RequestState::kWaiting:
      return Words::tr("Waiting");
    case RequestState::kRunning:
      return Words::tr("Running");
    case RequestState::kSwapped:
      return Words::tr("Swapped");
    case RequestState::kFinishedStopped:
      return Words::tr("Finished");
    case RequestState::kFinishedLengthCapped:
      return Words::tr("At limit");
    case RequestState::kFinishedAborted:
      return Words::tr("Aborted");
    case RequestState::kFinishedIgnored:
      return Words::tr("Ignored");
  }
  return {};
}

QString explanation_of(RequestState state) {
  switch (state) {
    case RequestState::kWaiting:
      return Words::tr("The request waits to begin, and holds no blocks.");
    case RequestState::kRunning:
      return Words::tr("The request has been admitted, and the engine computes its tokens.");
    case RequestState::kSwapped:
      return Words::tr(
          "The request was preempted: the content of its blocks was moved to the swap pool to make "
          "room.");
    case RequestState::kFinishedStopped:
      return Words::tr("A token was sampled that ends the text, or other beams were better.");
    case RequestState::kFinishedLengthCapped:
      return Words::tr(
          "The request has as many new tokens as it asked for, or as the model or the cache "
          "allows.");
    case RequestState::kFinishedAborted:
      return Words::tr("The request was cancelled.");
    case RequestState::kFinishedIgnored:
      return Words::tr("The request was not run, because it cannot run with these settings.");
  }
  return {};
}

QString state_words(const RequestView& request) {
  return request.state == RequestState::kWaiting && is_preempted(request) ? Words::tr("Preempted")
                                                                          : text_of(request.state);
}

QString state_explanation(const RequestView& request) {
  return request.state == RequestState::kWaiting && is_preempted(request)
             ? Words::tr(
                   "The request was preempted to make room: its blocks were given back, and it "
                   "waits until all its tokens fit in the cache again.")
             : explanation_of(request.state);
}

}  // namespace attn::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/circuits/circuits_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/core/error.h"
#include "engine/session/report/report.h"
#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr int64_t kPairs = 40;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Calls compute() and returns the text of its error, or an empty text. Rethrows a cancellation.
QString refusal_of(const std::function<void()>& compute) {
  try {
    compute();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    return QString::fromUtf8(error.what());
  }
  return {};
}

void take_pairs(const Model& model, const std::vector<TokenPair>& pairs, CircuitPart& part) {
  for (const TokenPair& pair : pairs)
    part.pairs.push_back({.from = model.token_text(pair.from),
                          .to = model.token_text(pair.to),
                          .same = pair.from == pair.to,
                          .value = pair.value});
}

template <class Data, class Fill>
std::shared_ptr<const Data> data_of(const CircuitsWish& wish, const std::atomic<bool>& quit,
                                    const Fill& fill) {
  const std::shared_ptr<const Model> model = wish.model.lock();
  if (!model) return nullptr;
  const Clock::time_point begin = Clock::now();
  auto data = std::make_shared<Data>();
  try {
    fill(
        *model, HeadName{wish.layer, wish.head}, [&quit] { return !quit; }, *data);
  } catch (const Error&) {  // only a cancellation comes here
    return nullptr;
  }
  data->seconds = seconds_since(begin);
  return data;
}

QString check_text(const Circuit& circuit) {
  return tr("The eigenvalues add up to %1, the diagonal of the whole matrix to %2: residue %3.")
      .arg(format_number(circuit.sum()), format_number(circuit.trace),
           format_number(std::abs(circuit.residue()), 2));
}

}  // namespace

bool CircuitsWish::operator==(const CircuitsWish& other) const {
  return !model.owner_before(other.model) && !other.model.owner_before(model) &&
         layer == other.layer && head == other.head && distance == other.distance;
}

std::shared_ptr<const OvData> ov_data(const CircuitsWish& wish, const std::atomic<bool>& quit) {
  return data_of<OvData>(
      wish, quit, [](const Model& model, HeadName head, const GoOn& go_on, OvData& data) {
        data.part.refusal = refusal_of([&] {
          data.part.circuit = full_ov_circuit(model, head, go_on);
          take_pairs(model, strongest_ov_pairs(model, head, kPairs, go_on), data.part);
        });
        data.no_composition = refusal_of([&] { data.earlier = compositions(model, head, go_on); });
      });
}

std::shared_ptr<const QkData> qk_data(const CircuitsWish& wish, const std::atomic<bool>& quit) {
  return data_of<QkData>(
      wish, quit,
      [distance = wish.distance](const Model& model, HeadName head, const GoOn& go_on,
                                 QkData& data) {
        data.part.refusal = refusal_of([&] {
          data.part.circuit = qk_circuit(model, head, distance);
          take_pairs(model, strongest_qk_pairs(model, head, distance, kPairs, go_on), data.part);
        });
      });
}

QString circuits_sentence(const CircuitsScene& scene) {
  return tr("%1, layer %2, head %3: what its weights do with any text")
      .arg(scene.model_name)
      .arg(scene.layer)
      .arg(scene.head);
}

QString circuits_title(const CircuitsScene& scene) {
  return scene.own_title.isEmpty() ? circuits_sentence(scene) : scene.own_title;
}

std::vector<QString> circuits_facts(const CircuitsScene& scene) {
  std::vector<QString> facts;
  if (scene.is_empty()) return facts;
  const CircuitPart &ov = scene.ov->part, &qk = scene.qk->part;
  if (ov.refusal.isEmpty())
    facts.push_back(tr("Copying score %1: sum of the eigenvalues of OV / sum of their magnitudes. "
                       "1: what is read becomes likelier; −1: less likely. %2")
                        .arg(format_number(ov.circuit.score, 3), check_text(ov.circuit)));
  if (qk.refusal.isEmpty())
    facts.push_back(
        tr("Score of QK %1, computed like that of OV. 1: a query looks for tokens like its own. %2")
            .arg(format_number(qk.circuit.score, 3), check_text(qk.circuit)));
  QString left_out =
      tr("The matrices include the gains of the norms, but not the mean that a norm may subtract "
         "nor what it divides by.");
  if (scene.before_cap)
    left_out += QLatin1Char(' ') + tr("OV ends before the soft cap of the logits.");
  if (!scene.distance) left_out += QLatin1Char(' ') + tr("This layer has no rotary positions.");
  if (!scene.exported)
    left_out += QLatin1Char(' ') +
                tr("Computed in %1.")
                    .arg(format_duration_ns(1e9 * (scene.ov->seconds + scene.qk->seconds)));
  facts.push_back(left_out);
  return facts;
}

QString eigenvalue_text(const std::complex<double>& value) {
  return tr("eigenvalue %1 %2 %3 i, magnitude %4")
      .arg(format_number(value.real()),
           value.imag() < 0 ? QStringLiteral("−") : QStringLiteral("+"),
           format_number(std::abs(value.imag())), format_number(std::abs(value)));
}

QString earlier_text(const EarlierHead& head) {
  QString text =
      tr("the shown head reads layer %1, head %2").arg(head.name.layer).arg(head.name.head);
  if (head.query && head.key)
    text +=
        QLatin1Char('\n') + tr("through queries %1, through keys %2")
                                .arg(format_number(*head.query, 3), format_number(*head.key, 3));
  return text + QLatin1Char('\n') +
         tr("through values %1 more than at random").arg(format_number(head.value, 3));
}

std::shared_ptr<const Explanation> circuits_explanation(const CircuitsScene& scene, int64_t layer,
                                                        int64_t head) {
  if (scene.is_empty()) return nullptr;
  const auto found = std::ranges::find_if(scene.earlier(), [&](const EarlierHead& one) {
    return one.name.layer == layer && one.name.head == head;
  });
  if (found == scene.earlier().end()) return nullptr;
  const auto number = [](double value) { return format_number(value, 7); };
  auto of = std::make_shared<Explanation>();
  of->title = tr("Composition: layer %1, head %2 reads layer %3, head %4")
                  .arg(scene.layer)
                  .arg(scene.head)
                  .arg(layer)
                  .arg(head);
  of->meaning =
      tr("How much the later head reads of what the earlier one writes, minus the same for random "
         "matrices of these shapes.");
  if (found->query) of->numbers.emplace_back(tr("through queries"), number(*found->query));
  if (found->key) of->numbers.emplace_back(tr("through keys"), number(*found->key));
  of->numbers.emplace_back(tr("through values"), number(found->value));
  of->formulas = {tr("|A B| ÷ (|A| |B|) − the same at random"),
                  tr("B = W_O W_V of the earlier head; A of the later head: W_Q' W_K for keys and, "
                     "transposed, for queries, W_O W_V for values")};
  of->origin = tr("From the weights alone, with the Frobenius norm; at random: the mean of %1 "
                  "pairs of random matrices.")
                   .arg(kBaselines);
  return of;
}

std::string circuits_csv(const CircuitsScene& scene) {
  std::string out = "layer,head,circuit,kind,index,from,to,real,imaginary,value\n";
  if (scene.is_empty()) return out;
  const std::string place = fmt::format("{},{},", scene.layer, scene.head);
  const auto add = [&](const char* name, const char* score, const CircuitPart& part) {
    if (!part.circuit.eigenvalues.empty())
      out += fmt::format("{}{},{},,,,,,{}\n", place, name, score, part.circuit.score);
    for (size_t i = 0; i < part.circuit.eigenvalues.size(); ++i)
      out += fmt::format("{}{},eigenvalue,{},,,{},{},{}\n", place, name, i,
                         part.circuit.eigenvalues[i].real(), part.circuit.eigenvalues[i].imag(),
                         std::abs(part.circuit.eigenvalues[i]));
    for (size_t i = 0; i < part.pairs.size(); ++i)
      out += fmt::format("{}{},pair,{},{},{},,,{}\n", place, name, i, csv_cell(part.pairs[i].from),
                         csv_cell(part.pairs[i].to), part.pairs[i].value);
  };
  add("ov", "copying_score", scene.ov->part);
  add("qk", "score", scene.qk->part);
  for (const EarlierHead& earlier : scene.earlier()) {
    const auto row = [&](const char* through, double value) {
      out += fmt::format("{}composition,{},,{}.{},,,,{}\n", place, through, earlier.name.layer,
                         earlier.name.head, value);
    };
    if (earlier.query) row("query", *earlier.query);
    if (earlier.key) row("key", *earlier.key);
    row("value", earlier.value);
  }
  return out;
}

}  // namespace attn::gui

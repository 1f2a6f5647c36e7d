// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/rows/event_filter.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/core/limits.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// The names of the fields that have a number, in the order of NumberField.
constexpr std::array<const char*, 7> kNumberNames{"number", "time",    "duration", "step",
                                                  "layer",  "request", "block"};

QString name_words(EventKind kind) {
  const std::string_view name = name_of(kind);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

// --- numbers of a term ---

struct Unit {
  const char* name;
  double ns;
};
constexpr std::array<Unit, 5> kUnits{
    {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

bool is_time(NumberField field) {
  return field == NumberField::kTime || field == NumberField::kDuration;
}

// Times are in ns. nullopt: not a number of this field.
std::optional<double> number_of(NumberField field, QString text) {
  double factor = 1;
  if (is_time(field)) {
    factor = field == NumberField::kTime ? 1e6 : 1e3;  // the unit of the column
    for (const Unit& unit : kUnits) {
      const QString name = QString::fromUtf8(unit.name);
      if (!text.endsWith(name, Qt::CaseInsensitive)) continue;
      const QString rest = text.chopped(name.size());
      if (rest.isEmpty() || !rest.back().isDigit()) continue;
      text = rest;
      factor = unit.ns;
      break;
    }
  }
  bool is_number = false;
  const double value = QLocale::c().toDouble(text, &is_number);
  if (!is_number || value < 0 || !std::isfinite(value)) return std::nullopt;
  if (!is_time(field) && value != std::floor(value)) return std::nullopt;
  return value * factor;
}

bool is_name(const QString& text) {
  return std::ranges::any_of(text, [](QChar c) { return c.isLetter(); });
}

int64_t clamped(double value) {
  return value >= 9.2e18 ? kMost : static_cast<int64_t>(value);
}

int64_t above(int64_t value) {
  return value == kMost ? kMost : value + 1;
}

// --- what a value must be, for the sentence about a wrong one ---

QString number_problem(NumberField field, const QString& value) {
  const QString name = QString::fromUtf8(kNumberNames[static_cast<size_t>(field)]);
  if (is_time(field)) {
    const QString unit = field == NumberField::kTime ? tr("ms") : tr("µs");
    return tr("%1:%2 is not understood. Write a limit (%1:>50us), a range (%1:10us..2ms) or a "
              "value. Units are ns, us, ms and s; a value without a unit is in %3.")
        .arg(name, value, unit);
  }
  return tr("%1:%2 is not understood. Write a whole number (%1:3), a range (%1:10..20), a limit "
            "(%1:>10) or several (%1:1,5).")
      .arg(name, value);
}

// The kernel that the event names; -1: none.
int64_t kernel_of(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kTile:
    case EventKind::kPageFetch:
      return event.a >> 24;
    case EventKind::kKernel:
    case EventKind::kTask:
    case EventKind::kCallSplit:
    case EventKind::kPadding:
      return event.a;
    default:
      return -1;
  }
}

// The words in the details of a kind that do not depend on the numbers of the event.
QString constant_words(EventKind kind) {
  if (kind == EventKind::kRequestPreempted) return {};  // has_own_words()
  TraceEvent event;
  event.kind = kind;
  event.a = event.b = event.c = event.d = 1;
  if (kind == EventKind::kTile) pack({.request = 1, .q_count = 1, .k_count = 1}, event);
  QStringList words;
  for (const EventFact& fact : facts_of(event)) {
    if (fact.value <= FactValue::kKernel || fact.value >= FactValue::kText) continue;
    words += QString::fromUtf8(fact.name);
    if (fact.value == FactValue::kOtherRequest) words += QStringLiteral("request");
    if (fact.value == FactValue::kPart) words += QStringLiteral("of");
  }
  return words.join(QLatin1Char('\n'));
}

// Whether the details may have words besides constant_words() and the kernel.
bool has_own_words(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kRequestPreempted:
    case EventKind::kRequestFinished:
    case EventKind::kWarning:
      return true;
    case EventKind::kTile: {
      const TileEvent tile = unpack_tile(event);
      return tile.heads > 1 || tile.q_count == 0 || tile.k_count == 0;
    }
    case EventKind::kPageFetch:
      return event.c == 0;
    default:
      return is_block_event(event.kind) && (event.b == kNoNumber || event.c == kNoNumber);
  }
}

// Whether the decimal digits of `value` contain those of `word`. `beyond` is 10 to the number of
// digits of `word`.
bool has_digits(int64_t value, int64_t word, int64_t beyond) {
  uint64_t left = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const auto end = static_cast<uint64_t>(beyond);
  do {
    if (left < end / 10 && end > 10) return false;
    if (left % end == static_cast<uint64_t>(word)) return true;
    left /= 10;
  } while (left > 0);
  return false;
}

// Whether a number in the details has these digits. A kernel with a name is not a number there.
bool has_digits(const TraceEvent& event, int64_t word, int64_t beyond) {
  return std::ranges::any_of(facts_of(event), [&](const EventFact& fact) {
    if (fact.value <= FactValue::kBlock) return false;  // not in the details, but in columns
    switch (fact.value) {
      case FactValue::kKernel:
        return fact.number >= static_cast<int64_t>(KernelId::kCount) &&
               has_digits(fact.number, word, beyond);
      case FactValue::kRange:
        return fact.count > 0 && (has_digits(fact.number, word, beyond) ||
                                  has_digits(fact.number + fact.count - 1, word, beyond));
      case FactValue::kPart:
        return has_digits(fact.number, word, beyond) || has_digits(fact.count, word, beyond);
      default:
        return has_digits(fact.number, word, beyond);
    }
  });
}

// Folds the case of an event's details. Only a warning can have letters besides A to Z, such as
// those of a name; events of the other kinds can be millions.
void fold_case(EventKind kind, std::string& details) {
  if (kind == EventKind::kWarning) {
    details = QString::fromStdString(details).toCaseFolded().toStdString();
    return;
  }
  std::ranges::transform(details, details.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

// Makes "1234" of "1,234", because details have numbers without separators.
QString without_separators(QString word) {
  const QString separator = QLocale().groupSeparator();
  for (qsizetype at = word.indexOf(separator); at > 0; at = word.indexOf(separator, at + 1))
    if (at + separator.size() < word.size() && word[at - 1].isDigit() &&
        word[at + separator.size()].isDigit())
      word.remove(at, separator.size());
  return word;
}

}  // namespace

// --- the selection ---

SelectedEvents::SelectedEvents(const SelectionState& selection, int64_t shown_request,
                               const TraceEvent* span, const EngineSnapshot* snapshot)
    : selection_(selection), matcher_(selection, snapshot) {
  if (span) span_ = *span;
  if (selection.kind == SelectionKind::kNothing) request_ = shown_request;
  if (span && !is_span(span->kind) && block_of(*span) < 0) request_ = gui::request_of(*span);
}

bool SelectedEvents::matches(const TraceEvent& event, uint32_t index) const {
  switch (selection_.kind) {
    case SelectionKind::kNothing:
      return request_ >= 0 && gui::request_of(event) == request_;
    case SelectionKind::kSpan:
      if (static_cast<int64_t>(index) == selection_.event) return true;
      if (is_span(span_.kind))
        return event.begin_ns >= span_.begin_ns &&
               event.begin_ns + event.duration_ns <= span_.begin_ns + span_.duration_ns;
      if (const int64_t block = block_of(span_); block >= 0)
        return names_block(event, block, false);
      return request_ >= 0 && gui::request_of(event) == request_;
    case SelectionKind::kBlock:
      return names_block(event, selection_.block, selection_.in_host_pool) ||
             matcher_.matches(event, index);
    case SelectionKind::kToken:
    case SelectionKind::kCell:
      return matcher_.matches(event, index) ||
             (event.kind == EventKind::kTokenSampled && event.a == selection_.request &&
              event.b == selection_.query);
  }
  return false;
}

// --- the text ---

EventFilter EventFilter::parse(const QString& text, QString& problem, const Named& named) {
  EventFilter filter;
  problem.clear();
  for (const QString& term : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const qsizetype colon = term.indexOf(QLatin1Char(':'));
    if (colon > 0)
      problem = filter.take_term(term.left(colon).toLower(), term.mid(colon + 1), named);
    else
      filter.words_.push_back(word_of(term));
    if (!problem.isEmpty()) break;
  }
  return filter;
}

QString EventFilter::take_term(const QString& field, const QString& value, const Named& named) {
  if (field == QStringLiteral("kind")) return take_kinds(value);
  if (field == QStringLiteral("lane")) return take_lanes(value);
  const auto at = std::ranges::find_if(
      kNumberNames, [&](const char* name) { return field == QString::fromUtf8(name); });
  if (at == kNumberNames.end())
    return tr("There is no field %1. The fields are %2. To search for a word, leave out the colon.")
        .arg(field, field_names().join(QStringLiteral(", ")));
  const auto which = static_cast<NumberField>(at - kNumberNames.begin());
  std::vector<Range> ranges;
  for (const QString& part : value.split(QLatin1Char(','))) {
    if (which == NumberField::kRequest && is_name(part)) {
      const std::vector<int64_t> ids = named ? named(part) : std::vector<int64_t>{};
      if (named && ids.empty())
        return tr("No request so far has a name that begins with %1. Write a name, the "
                  "beginning of one, or a number from 0.")
            .arg(part);
      for (const int64_t id : ids) ranges.push_back({id, id});
      if (ids.empty()) ranges.push_back({-1, -1});
      continue;
    }
    Range range{0, kMost};
    std::optional<double> least, most;
    const qsizetype dots = part.indexOf(QStringLiteral(".."));
    if (dots >= 0) {
      const QString from = part.left(dots), to = part.mid(dots + 2);
      least = from.isEmpty() ? 0.0 : number_of(which, from);
      most = to.isEmpty() ? 1e19 : number_of(which, to);
      if (!least || !most || (from.isEmpty() && to.isEmpty()) || *least > *most)
        return number_problem(which, value);
      range = {clamped(std::ceil(*least)), clamped(std::floor(*most))};
    } else if (part.startsWith(QLatin1Char('>')) || part.startsWith(QLatin1Char('<'))) {
      const bool equal = part.size() > 1 && part[1] == QLatin1Char('=');
      const std::optional<double> limit = number_of(which, part.mid(equal ? 2 : 1));
      if (!limit) return number_problem(which, value);
      if (part[0] == QLatin1Char('>'))
        range.least = equal ? clamped(std::ceil(*limit)) : above(clamped(std::floor(*limit)));
      else
        range.most = equal ? clamped(std::floor(*limit)) : clamped(std::ceil(*limit)) - 1;
    } else {
      const std::optional<double> exact = number_of(which, part);
      if (!exact) return number_problem(which, value);
      range = {clamped(std::round(*exact)), clamped(std::round(*exact))};
    }
    ranges.push_back(range);
  }
  numbers_[static_cast<size_t>(which)].push_back(std::move(ranges));
  return {};
}

QString EventFilter::take_kinds(const QString& value) {
  std::bitset<kEventKinds> chosen;
  for (const QString& part : value.toLower().split(QLatin1Char(','))) {
    std::bitset<kEventKinds> found;
    for (size_t i = 0; i < kEventKinds; ++i) {
      const QString name = name_words(static_cast<EventKind>(i));
      if (name == part) {
        found.reset();
        found.set(i);
        break;
      }
      // "block" and "block_" mean all kinds whose names begin so.
      if (!part.isEmpty() && name.startsWith(part)) found.set(i);
    }
    if (found.none())
      return tr("kind:%1 is not understood. Write the name of a kind or the beginning of a name, "
                "such as tile, kernel, step, token_sampled or block. The button beside the filter "
                "lists all kinds.")
          .arg(part);
    chosen |= found;
  }
  kinds_ &= chosen;
  return {};
}

QString EventFilter::take_lanes(const QString& value) {
  std::bitset<256> chosen;
  for (const QString& part : value.toLower().split(QLatin1Char(','))) {
    constexpr auto kWorkers = static_cast<int>(kMostWorkers);
    bool is_number = false;
    const int worker =
        part.startsWith(QStringLiteral("worker")) ? part.mid(6).toInt(&is_number) : -1;
    if (part == QStringLiteral("engine")) {
      chosen.set(kEngineLane);
    } else if (part == QStringLiteral("worker") || part == QStringLiteral("workers")) {
      for (int i = 0; i < kWorkers; ++i) chosen.set(lane_of_worker(i));
    } else if (is_number && worker >= 0 && worker < kWorkers) {
      chosen.set(lane_of_worker(worker));
    } else {
      return tr("lane:%1 is not understood. Lanes are engine, worker0, worker1 and so on; "
                "lane:worker means all workers.")
          .arg(part);
    }
  }
  lanes_ = lanes_ ? *lanes_ & chosen : chosen;
  return {};
}

EventFilter::Word EventFilter::word_of(const QString& text) {
  const QString sought = without_separators(text.toLower());
  const auto has = [&sought](const QString& where) {
    return where.contains(sought, Qt::CaseInsensitive);
  };
  Word word;
  word.text = sought.toCaseFolded().toStdString();
  word.plain = std::ranges::all_of(sought, [](QChar c) { return c.isLetter() || c == u'_'; });
  constexpr qsizetype kMostDigits = 18;  // 10^18 fits in an int64
  const auto is_digit = [](QChar c) { return c >= u'0' && c <= u'9'; };
  if (sought.size() <= kMostDigits && std::ranges::all_of(sought, is_digit)) {
    word.number = sought.toLongLong();
    for (qsizetype i = 0; i < sought.size(); ++i) word.beyond *= 10;
  }
  for (size_t i = 0; i < kEventKinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    word.in_kind[i] = has(kind_words(kind)) || has(name_words(kind)) || has(constant_words(kind));
  }
  for (size_t i = 0; i < word.in_lane.size(); ++i)
    word.in_lane[i] = has(lane_words(static_cast<uint8_t>(i)));
  for (size_t i = 0; i < word.in_kernel.size(); ++i)
    word.in_kernel[i] = has(kernel_words(static_cast<uint32_t>(i)));
  return word;
}

// --- the answer ---

bool EventFilter::passes_all() const {
  return (kinds_ & chosen_).all() && !lanes_ && words_.empty() && !selected_ &&
         std::ranges::all_of(numbers_, [](const auto& terms) { return terms.empty(); });
}

bool EventFilter::matches(const TraceEvent& event, uint32_t index, EventContext& context,
                          bool& certain) const {
  const auto kind = static_cast<size_t>(event.kind);
  if (kind >= kEventKinds || !kinds_[kind] || !chosen_[kind]) return false;
  if (lanes_ && !(*lanes_)[event.lane]) return false;
  if (selected_ && !selected_->matches(event, index)) return false;
  return matches_words(event, context) && matches_numbers(event, index, context, certain);
}

bool EventFilter::matches_words(const TraceEvent& event, EventContext& context) const {
  bool written = false;
  for (const Word& word : words_) {
    if (word.in_kind[static_cast<size_t>(event.kind)] || word.in_lane[event.lane]) continue;
    const int64_t kernel = kernel_of(event);
    if (kernel >= 0 && kernel < static_cast<int64_t>(KernelId::kCount) &&
        word.in_kernel[static_cast<size_t>(kernel)])
      continue;
    if (word.plain && !has_own_words(event)) return false;
    if (word.number && !has_own_words(event)) {
      if (!has_digits(event, *word.number, word.beyond)) return false;
      continue;
    }
    if (!written) {
      context.text.clear();
      append_details(context.text, event, context.messages);
      fold_case(event.kind, context.text);
      written = true;
    }
    if (context.text.find(word.text) == std::string::npos) return false;
  }
  return true;
}

bool EventFilter::matches_numbers(const TraceEvent& event, uint32_t index, EventContext& context,
                                  bool& certain) const {
  const auto value_of = [&](NumberField field) -> int64_t {
    switch (field) {
      case NumberField::kNumber:
        return int64_t{index} + 1;
      case NumberField::kTime:
        return static_cast<int64_t>(std::min<uint64_t>(event.begin_ns, kMost));
      case NumberField::kDuration:
        return is_span(event.kind) ? static_cast<int64_t>(event.duration_ns) : -1;
      case NumberField::kStep: {
        const EventStep step = context.steps->step_at(event, index, context.near);
        if (!step.certain) certain = false;
        return step.step;
      }
      case NumberField::kLayer:
        return event.layer == kNoLayer ? -1 : int64_t{event.layer};
      case NumberField::kRequest:
        return gui::request_of(event);
      case NumberField::kBlock:
        return block_of(event);
      case NumberField::kCount:
        break;
    }
    return -1;
  };
  for (size_t i = 0; i < std::size(numbers_); ++i) {
    if (numbers_[i].empty()) continue;
    const auto field = static_cast<NumberField>(i);
    const int64_t value = value_of(field);
    // A copy names two blocks.
    const int64_t other = field == NumberField::kBlock && event.kind == EventKind::kBlockCopied
                              ? int64_t{event.d}
                              : -1;
    const bool all_hold = std::ranges::all_of(numbers_[i], [&](const std::vector<Range>& term) {
      return std::ranges::any_of(term, [&](const Range& range) {
        return (value >= range.least && value <= range.most && value >= 0) ||
               (other >= range.least && other <= range.most && other >= 0);
      });
    });
    if (!all_hold) return false;
  }
  return true;
}

// --- words for the user ---

QStringList field_names() {
  QStringList names{QStringLiteral("kind"), QStringLiteral("lane")};
  for (const char* name : kNumberNames) names += QString::fromUtf8(name);
  return names;
}

QStringList completions_of(const QString& text) {
  const QString term = text.section(QLatin1Char(' '), -1);
  if (term.isEmpty()) return {};
  QStringList terms;
  for (const QString& name : field_names()) terms += name + QLatin1Char(':');
  if (term.contains(QLatin1Char(':'))) {
    terms = {QStringLiteral("lane:engine"), QStringLiteral("lane:worker"),
             QStringLiteral("lane:worker0")};
    for (size_t i = 0; i < kEventKinds; ++i)
      terms += QStringLiteral("kind:") + name_words(static_cast<EventKind>(i));
  }
  QStringList fitting;
  for (const QString& full : terms)
    if (full.startsWith(term, Qt::CaseInsensitive) && full != term) fitting += full;
  return fitting;
}

}  // namespace attn::gui

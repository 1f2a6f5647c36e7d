// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/field_list.h"

#include <QRegularExpression>
#include <algorithm>
#include <map>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/models/problem_words.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

// Turns "$.requests[2].max_tokens" into "$.requests[].max_tokens".
std::string without_index(const std::string& path) {
  std::string result;
  bool inside = false;
  for (char c : path) {
    if (c == ']') inside = false;
    if (!inside) result += c;
    if (c == '[') inside = true;
  }
  return result;
}

// Whether a and b agree in the choices that make the kind of run, see take().
bool same_kind_of_run(const Scenario& a, const Scenario& b) {
  return a.arrivals.kind == b.arrivals.kind && a.engine.preemption == b.engine.preemption &&
         a.source.synthetic.has_value() == b.source.synthetic.has_value() &&
         a.source.tensors.has_value() == b.source.tensors.has_value() &&
         a.attention.type == b.attention.type;
}

ScenarioRequest shown_request(const Scenario& scenario, int index) {
  const ScenarioRequest* request = request_at(scenario, index);
  return request ? *request : ScenarioRequest{};
}

// Without a shown request, a change of the request is dropped.
template <class Set, class Value>
void change(Scenario& scenario, int index, const Set& set, const Value& value) {
  ScenarioRequest nobody;
  ScenarioRequest* request = request_at(scenario, index);
  set(scenario, request ? *request : nobody, value);
}

}  // namespace

const ScenarioRequest* request_at(const Scenario& scenario, int index) {
  return index >= 0 && index < static_cast<int>(scenario.requests.size())
             ? &scenario.requests[static_cast<size_t>(index)]
             : nullptr;
}

ScenarioRequest* request_at(Scenario& scenario, int index) {
  return const_cast<ScenarioRequest*>(request_at(std::as_const(scenario), index));
}

FieldList::FieldList(QObject* parent) : QObject(parent) {
  connect(&Theme::instance(), &Theme::changed, this, &FieldList::restyle);
}

void FieldList::restyle() {
  const QFont font = Theme::instance().font(TextRole::kBody, QFont::DemiBold);
  for (QLabel* label : headings_) label->setFont(font);
}

void FieldList::add_heading(QVBoxLayout* layout, const QString& text) {
  auto* label = new QLabel(text);
  label->setContentsMargins(0, 8, 0, 0);
  headings_.push_back(label);
  layout->addWidget(label);
  restyle();
}

void FieldList::add(QVBoxLayout* layout, Field* field) {
  layout->addWidget(field);
  fields_.push_back(field);
}

void FieldList::add_one(QVBoxLayout* layout, const FieldSpec& spec) {
  Field* field = nullptr;
  if (spec.number) {
    auto* edit = new NumberEdit(spec.whole);
    if (spec.least) edit->set_least(*spec.least);
    connect(edit, &NumberEdit::value_edited, this, &FieldList::edited);
    field = new Field(spec.name, spec.unit, spec.meaning, spec.path, edit, layout->parentWidget());
    numbers_.push_back({spec, field, edit});
  } else {
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    for (const auto& [label, value] : spec.options)
      box->addItem(label, QString::fromStdString(value));
    if (const auto& [label, value] = spec.last_option; !label.isEmpty())
      box->addItem(label, QString::fromStdString(value));
    connect(box, &QComboBox::activated, this, &FieldList::edited);
    field = new Field(spec.name, spec.unit, spec.meaning, spec.path, box, layout->parentWidget());
    choices_.push_back({spec, field, box});
  }
  add(layout, field);
}

void FieldList::add(QVBoxLayout* layout, const std::vector<FieldSpec>& specs) {
  for (const FieldSpec& spec : specs) add_one(layout, spec);
}

void FieldList::add(QVBoxLayout* layout, const std::vector<FieldSpec>& specs,
                    const QString& more_about) {
  auto* section = new MoreSection(more_about);
  for (const FieldSpec& spec : specs) add_one(spec.rare ? section->fields() : layout, spec);
  layout->addWidget(section);
  sections_.push_back(section);
}

void FieldList::show(const Scenario& scenario, int index) {
  const bool other = shown_title_ != scenario.title || shown_index_ != index;
  shown_title_ = scenario.title;
  shown_index_ = index;
  const ScenarioRequest request = shown_request(scenario, index);
  show_values(scenario, request, other);
  const auto show_relevant = [&](const auto& entries) {
    for (const auto& entry : entries)
      if (entry.spec.matters) entry.field->setVisible(entry.spec.matters(scenario, request));
  };
  show_relevant(numbers_);
  show_relevant(choices_);
  if (other) open_sections(scenario, request);
}

// other: the scenario's title or the request's index is another than before.
void FieldList::show_values(const Scenario& scenario, const ScenarioRequest& request, bool other) {
  for (Number& number : numbers_) {
    const double value = number.spec.number(scenario, request);
    if (!other && !number.edit->value() && value == number.shown) continue;
    number.shown = value;
    number.edit->set_value(value);
  }
  for (const Choice& choice : choices_) {
    if (other) remove_unlisted(choice);
    const std::string word = choice.spec.word(scenario, request);
    const QString value = QString::fromStdString(word);
    int at = choice.box->findData(value);
    if (at < 0 && !value.isEmpty()) {  // an unlisted value
      at = end_of_values(choice);
      choice.box->insertItem(at, choice.spec.label ? choice.spec.label(word) : value, value);
      choice.box->setItemData(at, plain_tooltip(value), Qt::ToolTipRole);
    }
    choice.box->setCurrentIndex(at);
  }
}

int FieldList::end_of_values(const Choice& choice) {
  return choice.box->count() - (choice.spec.last_option.first.isEmpty() ? 0 : 1);
}

void FieldList::remove_unlisted(const Choice& choice) {
  const auto first = static_cast<int>(choice.spec.options.size());
  while (end_of_values(choice) > first) choice.box->removeItem(first);
}

// Opens the sections where a visible field differs from its default, and closes the others.
void FieldList::open_sections(const Scenario& scenario, const ScenarioRequest& request) {
  const Scenario plain;
  const ScenarioRequest plain_request;
  for (MoreSection* section : sections_) {
    const auto inside = [&](const Field* field) {
      return section->isAncestorOf(field) && field->isVisibleTo(field->parentWidget());
    };
    bool unusual = false;
    for (const Number& number : numbers_)
      unusual |= inside(number.field) &&
                 number.spec.number(scenario, request) != number.spec.number(plain, plain_request);
    for (const Choice& choice : choices_)
      unusual |= inside(choice.field) &&
                 choice.spec.word(scenario, request) != choice.spec.word(plain, plain_request);
    section->set_open(unusual);
  }
}

bool FieldList::take(Scenario& scenario, int index) const {
  const Scenario before = scenario;
  for (const Choice& choice : choices_) {
    const std::string value = choice.box->currentData().toString().toStdString();
    if (!value.empty() && value != choice.spec.word(scenario, shown_request(scenario, index)))
      change(scenario, index, choice.spec.set_word, value);
    if (!same_kind_of_run(scenario, before)) return false;
  }
  // Only numbers that the user changed are set, because a choice above may have changed others.
  const ScenarioRequest request = shown_request(before, index);
  for (const Number& number : numbers_)
    if (const auto value = number.edit->value();
        value && *value != number.spec.number(before, request))
      change(scenario, index, number.spec.set_number, *value);
  return true;
}

// Puts the names of fields in place of keys of the file: "Max sequences" for max_num_seqs.
QString FieldList::with_names(const Field& at, QString sentence) const {
  const auto key_of = [](const Field& field) {
    QString key = QString::fromStdString(field.path()).section(QLatin1Char('.'), -1);
    return key.remove(QStringLiteral("[]"));
  };
  if (const QString own = key_of(at) + QLatin1Char(' ');
      sentence.startsWith(own, Qt::CaseInsensitive))
    sentence.replace(0, own.size() - 1, at.name());
  // block_size is the engine's, not that of block-sparse attention.
  for (const Field* field : fields_)
    if (const QString key = key_of(*field);
        key.contains(QLatin1Char('_')) && !field->path().starts_with("$.attention.blocksparse."))
      sentence.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(key),
                                          QRegularExpression::CaseInsensitiveOption),
                       field->name());
  return sentence;
}

Field* FieldList::field_at(const std::string& where) const {
  // A file name may stand before the path: "first-look.json, $.engine.block_size".
  const std::string wanted = without_index(where.substr(std::min(where.find('$'), where.size())));
  const auto at = std::ranges::find_if(fields_, [&](const Field* field) {
    return field->isVisibleTo(field->parentWidget()) && field->path() == wanted;
  });
  return at == fields_.end() ? nullptr : *at;
}

void FieldList::put_back(const Field& field, const Scenario& valid, Scenario& scenario,
                         int index) const {
  const ScenarioRequest request = shown_request(valid, index);
  for (const Number& number : numbers_)
    if (number.field == &field)
      change(scenario, index, number.spec.set_number, number.spec.number(valid, request));
  for (const Choice& choice : choices_)
    if (choice.field == &field)
      change(scenario, index, choice.spec.set_word, choice.spec.word(valid, request));
}

bool FieldList::mark_problems(const Scenario& scenario, const Scenario& valid, int index) {
  std::map<const Field*, QString> problems;
  bool placed = true;
  Scenario rest = scenario;
  // Where the text of a field is no valid number, the scenario still has an earlier number.
  for (const Number& number : numbers_)
    if (!number.edit->value()) put_back(*number.field, valid, rest, index);
  for (;;) {
    try {
      validate(rest);
      break;
    } catch (const Error& error) {
      const Field* field = field_at(error.parts().where);
      if (problems.empty()) placed = field != nullptr;
      if (!field || problems.contains(field)) break;
      problems[field] = with_names(*field, words_at_field(error.parts()));
      put_back(*field, valid, rest, index);
    }
  }
  for (Field* field : fields_) {
    const auto problem = problems.find(field);
    const auto* edit = qobject_cast<NumberEdit*>(field->editor());
    field->set_problem(problem != problems.end() ? problem->second
                       : edit                    ? edit->trouble()
                                                 : QString());
    if (problem != problems.end()) open_section_of(*field);
  }
  return placed;
}

std::vector<Field*> FieldList::relevant() const {
  std::vector<Field*> relevant = fields_;
  std::erase_if(relevant, [](const Field* field) { return field->isHidden(); });
  return relevant;
}

void FieldList::open_section_of(const Field& field) {
  for (MoreSection* section : sections_)
    if (section->isAncestorOf(&field)) section->set_open(true);
}

QString FieldList::unreadable() const {
  for (const Number& number : numbers_)
    if (number.field->isVisibleTo(number.field->parentWidget()) && !number.edit->value())
      return number.edit->trouble();
  return {};
}

}  // namespace attn::gui

#include "moc_field_list.cpp"

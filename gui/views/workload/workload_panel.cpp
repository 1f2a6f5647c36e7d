// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/workload_panel.h"

#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTimer>

#include "engine/session/scenario/scenario_groups.h"
#include "gui/models/plain_tooltip.h"
#include "gui/models/text.h"
#include "gui/models/words/scenario_words.h"
#include "gui/theme/file_dialogs.h"
#include "gui/theme/icons.h"
#include "gui/theme/panel_header.h"
#include "gui/theme/theme.h"
#include "gui/views/workload/fields/source_fields.h"
#include "gui/views/workload/scenario_list.h"

namespace attn::gui {
namespace {

QToolButton* tool_button(Icon which, const QString& tip) {
  auto* button = new QToolButton;
  button->setIcon(icon(which));
  button->setAutoRaise(true);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  return button;
}

}  // namespace

WorkloadPanel::WorkloadPanel(RunControl& control, Selection& selection, QWidget* parent)
    : QWidget(parent),
      control_(control),
      selection_(selection),
      model_(new RequestModel(control, this)),
      form_(new ScenarioForm(RunControl::bundled_models())),
      scroll_(new QScrollArea) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* header = new PanelHeader(tr("Workload"));
  auto* open = tool_button(Icon::kOpen,
                           tr("Open a scenario, a model, tensors, a session or a lesson (Ctrl+O)"));
  auto* save = tool_button(Icon::kSave, tr("Save this scenario (Ctrl+S)"));
  header->add_control(open);
  header->add_control(save);
  connect(open, &QToolButton::clicked, this, &WorkloadPanel::open_file);
  connect(save, &QToolButton::clicked, this, &WorkloadPanel::save_file);

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  scenarios_ = new QComboBox;
  scenarios_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  scenarios_->setMinimumContentsLength(8);
  scenarios_->setMaxVisibleItems(24);
  scenarios_->setAccessibleName(tr("Scenario"));
  connect(scenarios_, &QComboBox::activated, this, [this](int row) {
    if (control_.open(scenarios_->itemData(row).toString())) control_.start();
  });
  column->addWidget(scenarios_);
  description_ = new Description;
  column->addWidget(description_);
  build_requests(column);
  column->addWidget(addition_note_);
  column->addWidget(form_->request_part());
  column->addWidget(form_->engine_part());
  column->addStretch(1);

  scroll_->setWidgetResizable(true);
  scroll_->setAccessibleName(tr("Workload"));
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  scroll_->setBackgroundRole(QPalette::Base);
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  scroll_->setWidget(content);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header);
  layout->addWidget(scroll_, 1);
  build_footer(layout);

  form_->setParent(this);
  form_->hide();  // its parts are shown
  connect(form_, &ScenarioForm::edited, this, &WorkloadPanel::take);
  connect(form_->fit_note(), &FitNote::wanted, this,
          [this] { control_.make_it_fit(form_->request_index()); });
  connect(form_, &ScenarioForm::run_wanted, this, &WorkloadPanel::start);
  // The connection is queued, because the form first has to show the unchanged scenario again.
  connect(form_, &ScenarioForm::tensors_wanted, this, &WorkloadPanel::open_tensors,
          Qt::QueuedConnection);
  connect(form_, &ScenarioForm::models_wanted, this, &WorkloadPanel::models_wanted,
          Qt::QueuedConnection);
  connect(&control, &RunControl::scenario_changed, this, &WorkloadPanel::show_scenario);
  connect(&control, &RunControl::state_changed, this, &WorkloadPanel::show_fit);
  connect(&selection, &Selection::shown_changed, this, &WorkloadPanel::follow_shown);
  connect(model_, &QAbstractItemModel::dataChanged, this, &WorkloadPanel::follow_shown);
  connect(model_, &QAbstractItemModel::rowsInserted, this, &WorkloadPanel::follow_shown);
  connect(&Theme::instance(), &Theme::changed, this, &WorkloadPanel::restyle);
  fill_scenarios();
  restyle();
  show_scenario();
}

QSize WorkloadPanel::sizeHint() const {
  return {Theme::instance().px(304), 560};
}

void WorkloadPanel::build_requests(QVBoxLayout* layout) {
  table_ = new QTableView;
  table_->setModel(model_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->setAccessibleName(tr("Requests"));
  table_->verticalHeader()->hide();
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QHeaderView* head = table_->horizontalHeader();
  head->setHighlightSections(false);
  head->setSectionsClickable(false);
  head->setSectionResizeMode(QHeaderView::ResizeToContents);
  head->setSectionResizeMode(RequestModel::kName, QHeaderView::Stretch);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) { choose_request(current.row()); });
  connect(model_, &QAbstractItemModel::rowsInserted, this, &WorkloadPanel::fit_table);
  connect(model_, &QAbstractItemModel::rowsRemoved, this, &WorkloadPanel::fit_table);
  layout->addWidget(table_);

  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  add_ = new QToolButton;
  add_->setIcon(icon(Icon::kAdd));
  add_->setText(tr("Add while running"));
  add_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add_->setToolTip(
      tr("Adds a request with the prompt and settings below to the run while it "
         "goes on."));
  remove_ = tool_button(
      Icon::kRemove,
      tr("Remove the chosen request from the scenario, and cancel it if it has not ended"));
  connect(add_, &QToolButton::clicked, this, &WorkloadPanel::add_request);
  connect(remove_, &QToolButton::clicked, this,
          [this] { control_.remove_request(form_->request_index()); });
  row->addWidget(add_);
  row->addStretch(1);
  row->addWidget(remove_);
  layout->addLayout(row);

  addition_note_ = new QLabel;
  addition_note_->setWordWrap(true);
  addition_note_->setTextFormat(Qt::PlainText);
  addition_note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  addition_note_->hide();
  connect(model_, &QAbstractItemModel::dataChanged, this, &WorkloadPanel::show_addition);
}

void WorkloadPanel::build_footer(QVBoxLayout* layout) {
  auto* footer = new QWidget;
  auto* column = new QVBoxLayout(footer);
  column->setContentsMargins(12, 8, 12, 12);
  column->setSpacing(8);
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setTextFormat(Qt::PlainText);
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  problem_->hide();
  start_ = new QPushButton(tr("Start"));
  start_->setDefault(true);
  start_->setToolTip(tr("Applies all changes and starts the run again."));
  start_->setFocusPolicy(Qt::TabFocus);
  connect(start_, &QPushButton::clicked, this, &WorkloadPanel::start);
  column->addWidget(problem_);
  column->addWidget(start_);
  layout->addWidget(footer);
}

// Any widget of the panel but Start loses the focus: in a text, Space would write, not pause.
void WorkloadPanel::start() {
  if (!control_.start()) return;
  QWidget* written = focusWidget();
  if (written && written != start_ && written->hasFocus()) written->clearFocus();
}

// The editors of the fields leave Ctrl+Enter to the panel, but the prompt takes it. Nothing starts
// while a field has a text that is no valid number: the field says so.
void WorkloadPanel::keyPressEvent(QKeyEvent* event) {
  const bool is_enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!is_enter || !(event->modifiers() & Qt::ControlModifier))
    return QWidget::keyPressEvent(event);
  if (start_->isEnabled()) start();
  event->accept();
}

void WorkloadPanel::edit_prompt() {
  if (shows_addition()) choose_request(form_->request_index());
  QPlainTextEdit* prompt = form_->prompt();
  (prompt->isVisible() ? static_cast<QWidget*>(prompt) : form_)->setFocus();
  if (prompt->isVisible()) prompt->selectAll();
}

void WorkloadPanel::edit_field(const Field& field) {
  if (shows_addition()) choose_request(form_->request_index());
  form_->open_section_of(field);
  QWidget* editor = field.editor();
  editor->setFocus();
  if (auto* line = qobject_cast<QLineEdit*>(editor)) line->selectAll();
  // The field gets its place in the next turn of the event loop, if its section was closed.
  QTimer::singleShot(0, editor, [this, editor] { scroll_->ensureWidgetVisible(editor); });
}

void WorkloadPanel::restyle() {
  const Theme& theme = Theme::instance();
  table_->verticalHeader()->setDefaultSectionSize(theme.px(24));
  table_->horizontalHeader()->setFont(theme.font(TextRole::kSmall));
  problem_->setFont(theme.font(TextRole::kSmall));
  addition_note_->setFont(theme.font(TextRole::kSmall));
  // The open list has room for the longest title, also if the box is narrower.
  const QFontMetrics metrics(theme.font());
  int widest = 0;
  for (int i = 0; i < scenarios_->count(); ++i)
    widest = std::max(widest, metrics.horizontalAdvance(scenarios_->itemText(i)));
  scenarios_->view()->setMinimumWidth(widest + theme.px(44));
  // The columns would keep the widths of the old text, and the table gets its new font later.
  QTimer::singleShot(0, table_, [this] {
    // The mode stays the same; setting it makes Qt measure the columns.
    table_->horizontalHeader()->setSectionResizeMode(RequestModel::kName, QHeaderView::Stretch);
  });
  fit_table();
  updateGeometry();
}

void WorkloadPanel::fit_table() {
  const bool roomy = height() >= Theme::instance().px(520);
  const int rows = std::clamp(model_->rowCount(), 1, roomy ? 8 : 5);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         rows * table_->verticalHeader()->defaultSectionSize() + 2);
}

void WorkloadPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_table();
}

// When a run begins, the selection can name a request before the table has it. So the table is
// asked again when its rows change, but only once for each shown request: the user may then choose
// a row that is not in the run.
void WorkloadPanel::follow_shown() {
  const int64_t shown = selection_.shown_request();
  if (shown == followed_) return;
  const int row = model_->row_of(shown);
  followed_ = row < 0 ? -1 : shown;
  if (row >= 0 && row != table_->currentIndex().row()) choose_request(row);
}

namespace {

void add_heading(QComboBox& box, const QString& title) {
  box.addItem(title);
  auto* item = qobject_cast<QStandardItemModel*>(box.model())->item(box.count() - 1);
  item->setEnabled(false);
  QFont font = item->font();
  font.setBold(true);
  item->setFont(font);
}

}  // namespace

void WorkloadPanel::fill_scenarios() {
  scenarios_->clear();
  try {
    for (const ScenarioGroup& group : scenario_groups()) {
      add_heading(*scenarios_, words_of_group(group.title));
      for (const std::string& name : group.scenarios) {
        const QString file = QString::fromStdString(name);
        scenarios_->addItem(words_of_scenario(file), file);
      }
    }
  } catch (const std::exception&) {
    scenarios_->setEnabled(false);  // the groups cannot be read
  }
}

void WorkloadPanel::show_scenario() {
  const QString file = control_.file();
  int at = scenarios_->findData(file);
  if (at < 0 && !file.isEmpty()) {
    // A model folder is opened by its config.json, so the folder's name is shown.
    const QFileInfo info(file);
    scenarios_->addItem(info.fileName() == QLatin1String("config.json") ? info.dir().dirName()
                                                                        : info.completeBaseName(),
                        file);
    at = scenarios_->count() - 1;
  }
  scenarios_->setCurrentIndex(at);
  // The box may shorten the title.
  QStringList tip{scenarios_->currentText(),
                  tr("A scenario is a file that says what is computed and how it is shown.")};
  tip.removeAll(QString());
  scenarios_->setToolTip(plain_tooltip(tip.join(QLatin1Char('\n'))));
  description_->show_text(description_of(control_.scenario()));
  if (!taking_) {
    const int last = static_cast<int>(control_.scenario().requests.size()) - 1;
    form_->show_scenario(control_.scenario(),
                         std::clamp(form_->request_index(), 0, std::max(0, last)));
    if (last >= 0 && !shows_addition() && table_->currentIndex().row() != form_->request_index()) {
      const QSignalBlocker quiet(table_->selectionModel());
      table_->setCurrentIndex(model_->index(form_->request_index(), 0));
    }
  }
  show_addition();
  show_problem();
}

bool WorkloadPanel::shows_addition() const {
  return model_->is_addition(table_->currentIndex().row());
}

// The form keeps the request of the scenario that was chosen before.
void WorkloadPanel::show_addition() {
  const bool addition = shows_addition();
  form_->request_part()->setVisible(!addition);
  addition_note_->setVisible(addition);
  add_->setEnabled(!addition);
  remove_->setEnabled(!addition && control_.scenario().requests.size() > 1);
  if (!addition) return;
  QString note =
      tr("This request was added to the run, and not to the scenario. So it cannot be changed "
         "here, and a new run does not compute it.");
  const int64_t id = model_->request_at(table_->currentIndex().row());
  const RequestView* request = id >= 0 ? request_by_id(*control_.bridge().snapshot(), id) : nullptr;
  if (request && request->prompt_text)
    note += QStringLiteral("\n\n") + tr("Prompt: %1").arg(text_of(*request->prompt_text));
  if (note != addition_note_->text()) addition_note_->setText(note);
}

void WorkloadPanel::show_problem() {
  QString sentence = form_->unreadable();
  // A sentence about the prompt is shown without its path: only one prompt is in sight.
  if (sentence.isEmpty())
    sentence = control_.problem_where().endsWith(QStringLiteral(".prompt"))
                   ? control_.problem_at_field()
                   : control_.problem();
  // The fields of the request are hidden while one is chosen that is only in the run.
  const bool at_field =
      (form_->mark_problems(control_.valid_scenario()) || !form_->unreadable().isEmpty()) &&
      !shows_addition();
  problem_->setVisible(!sentence.isEmpty() && !at_field);
  problem_->setText(sentence);
  QPalette palette = problem_->palette();
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text})
    palette.setColor(role, Theme::instance().colors().bad);
  problem_->setPalette(palette);
  start_->setEnabled(sentence.isEmpty());
  start_->setText(control_.has_changes() ? tr("Start with changes") : tr("Start again"));
  show_fit();
}

void WorkloadPanel::show_fit() {
  const bool can_tell = control_.problem().isEmpty() && form_->unreadable().isEmpty();
  form_->fit_note()->show_fit(can_tell ? control_.fit(form_->request_index()) : PromptFit{});
}

void WorkloadPanel::take() {
  taking_ = true;
  // The pace may have been chosen elsewhere after the form was filled.
  Scenario edited = form_->scenario();
  edited.view.pace_tiles_per_s = control_.scenario().view.pace_tiles_per_s;
  control_.edit(edited);
  taking_ = false;
  // A choice may show other fields and fill them in.
  form_->show_scenario(control_.scenario(), form_->request_index());
  show_problem();
}

void WorkloadPanel::choose_request(int row) {
  if (row < 0 || row >= model_->rowCount()) return;
  if (!model_->is_addition(row)) form_->show_scenario(control_.scenario(), row);
  if (table_->currentIndex().row() != row) table_->setCurrentIndex(model_->index(row, 0));
  const int64_t request = model_->request_at(row);
  if (request >= 0) selection_.show(request, selection_.shown_layer(), selection_.shown_head());
  show_addition();
  show_problem();
}

void WorkloadPanel::add_request() {
  const Scenario& scenario = form_->scenario();
  const auto at = static_cast<size_t>(form_->request_index());
  ScenarioRequest request =
      at < scenario.requests.size() ? scenario.requests[at] : ScenarioRequest{};
  request.name = tr("Request %1").arg(scenario.requests.size()).toStdString();
  if (control_.add_request(request))
    choose_request(static_cast<int>(control_.scenario().requests.size()) - 1);
}

void WorkloadPanel::open_file() {
  const QString file = ask_open_file(
      this, tr("Open a scenario, a session, a model, tensors or a lesson"), FileKind::kOpened,
      tr("All that can be opened (*.json *.attn-session *.gguf *.safetensors *.npy *.md);;"
         "Scenarios (*.json);;Sessions (*.attn-session);;Models (*.gguf);;"
         "Tensors (*.safetensors *.npy);;Lessons (*.md);;All files (*)"));
  if (!file.isEmpty()) control_.open_later({file});
}

void WorkloadPanel::open_tensors() {
  const QStringList files =
      ask_open_files(this, tr("Open queries, keys and values"), FileKind::kTensors,
                     tr("Tensors (*.safetensors *.npy);;All files (*)"));
  if (!files.isEmpty()) control_.open_later(files);
}

void WorkloadPanel::use_model(const ModelChange& change) {
  Scenario scenario = control_.scenario();
  change_model(scenario, change);
  control_.edit(scenario);
}

void WorkloadPanel::save_file() {
  const QString name = QFileInfo(control_.file()).fileName().section(QLatin1Char('.'), 0, 0);
  const QString file = ask_save_file(this, tr("Save the scenario"), FileKind::kScenario, name,
                                     {QStringLiteral("attn.json")});
  if (!file.isEmpty()) control_.save(file);
}

std::vector<KeyHelp> workload_key_help() {
  return {{WorkloadPanel::tr("Ctrl+Enter"),
           WorkloadPanel::tr("In the prompt or a field: apply all changes and start the run")},
          {WorkloadPanel::tr("Up, Down"),
           WorkloadPanel::tr(
               "In the list of requests: choose a request; in a number field: change the number")},
          {WorkloadPanel::tr("Tab"), WorkloadPanel::tr("Next field")}};
}

}  // namespace attn::gui

#include "moc_workload_panel.cpp"

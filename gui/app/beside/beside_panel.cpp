// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/beside/beside_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "gui/app/beside/run_numbers.h"
#include "gui/app/view_registry.h"
#include "gui/models/plain_tooltip.h"
#include "gui/models/text.h"
#include "gui/models/words/scenario_words.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"
#include "gui/widgets/pair_entry.h"

namespace attn::gui {

#define PAIR(name) PairEntry name##_pair();
#include "gui/app/beside/pair_list.inc"
#undef PAIR

namespace {

std::vector<PairEntry> pair_entries() {
  return {
#define PAIR(name) name##_pair(),
#include "gui/app/beside/pair_list.inc"
#undef PAIR
  };
}

enum Column { kName, kHere, kBeside, kDifference, kColumns };

constexpr int kWhole = Qt::UserRole;  // role of the whole text of a cell that shows less
constexpr qsizetype kMostText = 12;   // characters of a prompt or a setting in a cell

// A difference without its ratio: "+12.5 ms" of "+12.5 ms (×1.31)".
QString without_ratio(const QString& difference) {
  return difference.section(QStringLiteral(" ("), 0, 0);
}

// Does not cut a surrogate pair.
QString beginning(const QString& text) {
  if (text.size() <= kMostText) return text;
  const qsizetype size = kMostText - 1 - (text.at(kMostText - 2).isHighSurrogate() ? 1 : 0);
  return text.left(size) + QChar(0x2026);
}

// What cells show of two texts: their beginnings or, if these are equal, what follows the words
// that both begin with.
std::pair<QString, QString> shortened_pair(const QString& here, const QString& beside) {
  const std::pair plain{beginning(here), beginning(beside)};
  if (plain.first != plain.second) return plain;
  const auto differ = std::ranges::mismatch(here, beside);
  const qsizetype at = differ.in1 - here.begin();
  // A long word is cut, so that its end is seen.
  qsizetype from = at > 0 ? here.lastIndexOf(QLatin1Char(' '), at - 1) + 1 : 0;
  if (at - from > kMostText / 2) from = at - kMostText / 2;
  if (from > 0 && from < here.size() && here.at(from).isLowSurrogate()) --from;
  const auto rest = [from](const QString& text) {
    return beginning(QChar(0x2026) + text.mid(from));
  };
  return {rest(here), rest(beside)};
}

QString whole_text(const QTableWidgetItem& cell) {
  const QString whole = cell.data(kWhole).toString();
  return whole.isEmpty() ? cell.text() : whole;
}

// Leaves out the ratio of a difference that has too little room.
class DifferenceDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QStyle& style = option->widget ? *option->widget->style() : *QApplication::style();
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1;
    if (QFontMetrics(option->font).horizontalAdvance(option->text) >
        option->rect.width() - 2 * margin)
      option->text = without_ratio(option->text);
  }
};

}  // namespace

BesidePanel::BesidePanel(const RunContext& main, QWidget* parent) : QWidget(parent), main_(main) {
  hide();
}

BesidePanel::~BesidePanel() {
  close_run();
}

void BesidePanel::build() {
  header_ = new PanelHeader(tr("Beside"), this);
  auto* copy = new QToolButton;
  copy->setText(tr("Copy"));
  copy->setAutoRaise(true);
  copy->setToolTip(tr("Copy the table of numbers."));
  copy->setAccessibleName(tr("Copy the numbers of both runs"));
  connect(copy, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(numbers_text()); });
  auto* close = new QToolButton;
  set_up_tool(close, Icon::kClose, tr("Close the run beside"), tr("Close this run."));
  connect(close, &QToolButton::clicked, this, &BesidePanel::close_asked);
  // The tab of the numbers may be scrolled out of sight, so there is a button that shows them.
  auto* show_numbers = new QToolButton;
  show_numbers->setText(tr("Numbers"));
  show_numbers->setAutoRaise(true);
  show_numbers->setToolTip(tr("Show the numbers of both runs."));
  show_numbers->setObjectName(QStringLiteral("show_numbers"));
  connect(show_numbers, &QToolButton::clicked, this, [this] { tabs_->setCurrentWidget(numbers_); });
  header_->add_control(show_numbers);
  header_->add_control(copy);
  header_->add_control(close);
  header_->set_leaving({copy, show_numbers});

  numbers_ = new QTableWidget(0, kColumns);
  numbers_->setAccessibleName(tr("Numbers of both runs"));
  numbers_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  numbers_->setSelectionBehavior(QAbstractItemView::SelectRows);
  numbers_->setTabKeyNavigation(false);
  numbers_->setShowGrid(false);
  numbers_->setFrameShape(QFrame::NoFrame);
  numbers_->verticalHeader()->hide();
  numbers_->setHorizontalHeaderLabels(
      {tr("Number"), tr("In the window"), tr("Beside"), tr("Window − beside")});
  numbers_->horizontalHeaderItem(kDifference)
      ->setToolTip(
          tr("The number in the window minus the one beside, and the ratio window / beside."));
  numbers_->setItemDelegateForColumn(kDifference, new DifferenceDelegate(numbers_));
  numbers_->viewport()->installEventFilter(this);
  for (int column = kHere; column < kColumns; ++column)
    numbers_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  numbers_->horizontalHeaderItem(kName)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  numbers_->horizontalHeader()->setHighlightSections(false);

  tabs_ = new QTabWidget;
  tabs_->setDocumentMode(true);
  tabs_->setUsesScrollButtons(true);
  tabs_->tabBar()->setAccessibleName(tr("Views of the run beside"));
  tabs_->addTab(numbers_, tr("Numbers"));

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(header_);
  column->addWidget(tabs_, 1);

  later_.setSingleShot(true);
  later_.setInterval(100);
  connect(&later_, &QTimer::timeout, this, &BesidePanel::refresh);
  connect(&main_.cursor, &TimeCursor::changed, this, [this] {
    if (run_ && !later_.isActive()) later_.start();
  });
  connect(&main_.selection, &Selection::shown_changed, this, [this] {
    if (run_ && !later_.isActive()) later_.start();
  });
  connect(&Theme::instance(), &Theme::changed, this, &BesidePanel::restyle);
  restyle();
}

void BesidePanel::show_run(const std::shared_ptr<const Session>& session, const QString& title) {
  close_run();
  if (!tabs_) build();
  run_ = std::make_unique<RunBeside>(main_, session);
  title_ = title;
  const RunContext own = run_->context();
  const ViewContext beside{&own.bridge, &own.selection, &own.cursor};
  for (const PairEntry& entry : pair_entries()) {
    const ViewContext here{&main_.bridge, &main_.selection, &main_.cursor};
    pairs_.push_back(entry.make(here, beside, title, nullptr));
    add_view(pairs_.back(), entry.name, entry.title, {entry.look_at, entry.document});
  }
  for (const ViewEntry& entry : view_registry())
    // The job of a view would run the engine, and this run takes no further step.
    if (!entry.job)
      add_view(entry.make(beside, nullptr), entry.name, entry.title,
               {entry.look_at, QString::fromLatin1(entry.document)});
  connect(&own.cursor, &TimeCursor::changed, this, [this] {
    if (!later_.isActive()) later_.start();
  });
  show();
  refresh();
}

void BesidePanel::add_view(View* view, const std::string& name, const QString& title,
                           const View::About& about) {
  view->setObjectName(QString::fromStdString(name));
  view->set_about(about);
  tabs_->setTabToolTip(tabs_->addTab(view, title), about.look_at);
  connect(view, &View::menu_asked, this,
          [this, view](const QPoint& at) { emit menu_asked(view, at); });
  connect(view, &View::view_asked, this,
          [this](const QString& asked) { show_view(asked.toStdString()); });
  views_.push_back(view);
}

void BesidePanel::close_run() {
  later_.stop();
  for (View* view : views_) delete view;
  views_.clear();
  pairs_.clear();
  run_.reset();
  if (numbers_) numbers_->setRowCount(0);
  hide();
}

View* BesidePanel::view(std::string_view name) const {
  const auto at = std::ranges::find_if(
      views_, [&](const View* view) { return view->objectName().toStdString() == name; });
  return at == views_.end() ? nullptr : *at;
}

void BesidePanel::show_view(std::string_view name) {
  if (View* wanted = view(name)) tabs_->setCurrentWidget(wanted);
}

void BesidePanel::show_pair() {
  if (!pairs_.empty()) tabs_->setCurrentWidget(pairs_.front());
}

RunContext BesidePanel::context_of(const View& view) {
  return std::ranges::find(pairs_, &view) == pairs_.end() ? run_->context() : main_;
}

void BesidePanel::restyle() {
  const Theme& theme = Theme::instance();
  numbers_->setFont(theme.mono(TextRole::kSmall));
  numbers_->horizontalHeader()->setFont(theme.font(TextRole::kSmall));
  numbers_->verticalHeader()->setDefaultSectionSize(theme.px(24));
  if (run_) refresh();
}

// For example "XFORMERS, step 8 of 20: First look".
QString BesidePanel::line_of_run() const {
  const EngineSnapshot* shown = run_ ? run_->snapshot().get() : nullptr;
  if (!shown) return tr("it is being opened");
  QString name = shown->scenario && !shown->scenario->title.empty() ? title_of(*shown->scenario)
                                                                    : tr("untitled");
  if (const QString prompt = different_prompts().second; !prompt.isEmpty())
    name += QStringLiteral(" – ") + prompt;
  const TimeCursor& cursor = run_->context().cursor;
  return tr("%1, step %2 of %3: %4")
      .arg(QString::fromStdString(shown->backend_name))
      .arg(cursor.is_live() ? shown->step : cursor.step())
      .arg(std::max(shown->step, cursor.range().last))
      .arg(name);
}

void BesidePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (run_) fit_title();
}

// The title takes at most half of the header, so that the button that closes the run is never cut.
void BesidePanel::fit_title() {
  const QString whole = tr("Beside: %1").arg(title_);
  const QFontMetrics metrics(Theme::instance().font(TextRole::kBody, QFont::DemiBold));
  const QString shown = metrics.elidedText(whole, Qt::ElideRight, width() / 2);
  header_->set_title(shown);
  header_->setToolTip(shown == whole ? line_of_run() : line_of_run() + QLatin1Char('\n') + whole);
}

std::pair<QString, QString> BesidePanel::different_prompts() const {
  const EngineSnapshot* here = main_.cursor.snapshot().get();
  const EngineSnapshot* beside = run_ ? run_->snapshot().get() : nullptr;
  if (!here || !beside) return {};
  const RequestView* left = request_by_id(*here, main_.selection.shown_request());
  const RequestView* right = request_by_id(*beside, run_->context().selection.shown_request());
  if (!left || !right || !left->prompt_text || !right->prompt_text ||
      *left->prompt_text == *right->prompt_text)
    return {};
  return {text_of(*left->prompt_text).simplified(), text_of(*right->prompt_text).simplified()};
}

// Those of the run beside count its own requests: the shown one may be another there.
std::vector<SettingDifference> BesidePanel::different_settings() const {
  const EngineSnapshot* here = main_.cursor.snapshot().get();
  const EngineSnapshot* beside = run_ ? run_->snapshot().get() : nullptr;
  if (!here || !beside || !here->scenario || !beside->scenario) return {};
  const auto shown = [](const EngineSnapshot& snapshot, int64_t id) {
    const RequestView* request = request_by_id(snapshot, id);
    return request ? static_cast<int>(request->parent.value_or(request->id)) : -1;
  };
  return setting_differences(*here->scenario, shown(*here, main_.selection.shown_request()),
                             *beside->scenario,
                             shown(*beside, run_->context().selection.shown_request()));
}

void BesidePanel::set_cell(int row, int column, const QString& text, const QString& tip,
                           const QString& whole) {
  QTableWidgetItem* item = numbers_->item(row, column);
  if (!item) numbers_->setItem(row, column, item = new QTableWidgetItem);
  item->setText(text);
  item->setData(kWhole, whole);
  item->setToolTip(tip);
  item->setTextAlignment((column == kName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  const Theme& theme = Theme::instance();
  item->setFont(column == kName ? theme.font(TextRole::kSmall) : theme.mono(TextRole::kSmall));
}

void BesidePanel::set_texts(int row, const QString& name, const QString& tip, const QString& here,
                            const QString& beside) {
  const auto [in_window, in_column] = shortened_pair(here, beside);
  set_cell(row, kName, name, tip);
  set_cell(row, kHere, in_window, plain_tooltip(here), here);
  set_cell(row, kBeside, in_column, plain_tooltip(beside), beside);
  set_cell(row, kDifference, QStringLiteral("–"), tip);
}

void BesidePanel::set_heading(int column, const QString& text, const QString& tip) {
  numbers_->horizontalHeaderItem(column)->setText(text);
  numbers_->horizontalHeaderItem(column)->setToolTip(tip);
}

void BesidePanel::refresh() {
  fit_title();
  header_->set_detail(line_of_run());
  const EngineSnapshot* here = main_.cursor.snapshot().get();
  const EngineSnapshot* beside = run_ ? run_->snapshot().get() : nullptr;
  if (!here || !beside) return;
  const std::vector<RunNumber> left = run_numbers(*here), right = run_numbers(*beside);
  const bool clocks_differ = here->modelled_time != beside->modelled_time;
  const QString modelled = clocks_differ
                               ? tr("Times of this run are modelled and those of the other are "
                                    "measured, so they have no difference.")
                               : QString();
  set_heading(kHere,
              clocks_differ && here->modelled_time ? tr("Window, modelled") : tr("In the window"),
              here->modelled_time ? modelled : QString());
  set_heading(kBeside,
              clocks_differ && beside->modelled_time ? tr("Beside, modelled") : tr("Beside"),
              beside->modelled_time ? modelled : QString());
  const auto [prompt_here, prompt_beside] = different_prompts();
  const bool prompts_differ = !prompt_here.isEmpty() || !prompt_beside.isEmpty();
  const std::vector<SettingDifference> settings = different_settings();
  // A setting that has a row is not named again among the numbers, such as the block size.
  std::vector<size_t> shown;
  for (size_t i = 0; i < left.size(); ++i)
    if (std::ranges::find(settings, left[i].name, &SettingDifference::name) == settings.end())
      shown.push_back(i);
  numbers_->setRowCount(static_cast<int>(settings.size() + shown.size()) +
                        (prompts_differ ? 1 : 0));
  int row = 0;
  if (prompts_differ)
    set_texts(row++, tr("Prompt"), tr("The prompts of the shown request differ."), prompt_here,
              prompt_beside);
  for (const SettingDifference& setting : settings)
    set_texts(row++, setting.name, setting.name + QLatin1Char('\n') + setting.meaning,
              setting.first, setting.second);
  const auto text_of_value = [](const RunNumber& number) {
    return number.value ? number.text(*number.value) : QStringLiteral("–");
  };
  for (const size_t i : shown) {
    const RunNumber &a = left[i], &b = right[i];
    const QString difference = difference_text(a, b);
    set_cell(row, kName, a.name, a.name + QLatin1Char('\n') + a.meaning);
    set_cell(row, kHere, text_of_value(a), a.meaning);
    set_cell(row, kBeside, text_of_value(b), b.meaning);
    set_cell(row++, kDifference, difference, difference + QLatin1Char('\n') + a.meaning);
  }
  fit_columns();
}

// If the columns have too little room, the names are shortened first, then the ratios of the
// differences are left out.
void BesidePanel::fit_columns() {
  const int rows = numbers_->rowCount();
  if (rows == 0 || !numbers_->item(rows - 1, kDifference)) return;  // empty, or being filled
  const Theme& theme = Theme::instance();
  numbers_->resizeColumnsToContents();
  std::array<int, kColumns> widths{};
  int missing = -numbers_->viewport()->width();
  for (int column = 0; column < kColumns; ++column) {
    widths[static_cast<size_t>(column)] = numbers_->columnWidth(column);
    missing += numbers_->columnWidth(column);
  }
  const int gap = theme.px(12);
  if (missing + kColumns * gap <= 0) {
    for (int& width : widths) width += gap;
  } else {
    const auto narrow = [&](Column column, int least) {
      const int by = std::clamp(missing, 0, std::max(0, widths[column] - least));
      widths[column] -= by;
      missing -= by;
    };
    const QFontMetrics metrics(numbers_->font());
    int whole = 0, brief = 0;
    for (int row = 0; row < rows; ++row) {
      const QString text = numbers_->item(row, kDifference)->text();
      whole = std::max(whole, metrics.horizontalAdvance(text));
      brief = std::max(brief, metrics.horizontalAdvance(without_ratio(text)));
    }
    const int heading = numbers_->horizontalHeader()->sectionSizeHint(kDifference);
    narrow(kName, theme.px(110));
    narrow(kDifference, std::max(heading, widths[kDifference] - (whole - brief)));
    narrow(kName, theme.px(48));
  }
  for (int column = 0; column < kColumns; ++column)
    numbers_->setColumnWidth(column, widths[static_cast<size_t>(column)]);
}

bool BesidePanel::eventFilter(QObject* watched, QEvent* event) {
  // Later, because new widths can show or hide a scroll bar, which resizes the viewport again.
  if (numbers_ && watched == numbers_->viewport() && event->type() == QEvent::Resize)
    QTimer::singleShot(0, this, &BesidePanel::fit_columns);
  return QWidget::eventFilter(watched, event);
}

QString BesidePanel::numbers_text() const {
  QStringList lines, titles;
  for (int column = 0; column < kColumns; ++column)
    titles.append(numbers_->horizontalHeaderItem(column)->text());
  lines.append(titles.join(QLatin1Char('\t')));
  for (int row = 0; row < numbers_->rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < kColumns; ++column)
      cells.append(whole_text(*numbers_->item(row, column)));
    lines.append(cells.join(QLatin1Char('\t')));
  }
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace attn::gui

#include "moc_beside_panel.cpp"

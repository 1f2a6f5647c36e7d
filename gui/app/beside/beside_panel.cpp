// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/beside/beside_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/beside/run_numbers.h"
#include "gui/app/view_registry.h"
#include "gui/models/words/scenario_words.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

enum Column { kName, kHere, kBeside, kDifference, kColumns };

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
      {tr("Number"), tr("In the window"), tr("Beside"), tr("Beside − window")});
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
  connect(&Theme::instance(), &Theme::changed, this, &BesidePanel::restyle);
  restyle();
}

void BesidePanel::show_run(const std::shared_ptr<const Session>& session, const QString& title) {
  close_run();
  if (!tabs_) build();
  run_ = std::make_unique<RunBeside>(main_, session);
  title_ = title;
  const RunContext own = run_->context();
  for (const ViewEntry& entry : view_registry()) {
    if (entry.job) continue;  // its job would run the engine, and this run takes no further step
    View* view = entry.make({&own.bridge, &own.selection, &own.cursor}, nullptr);
    view->setObjectName(QString::fromStdString(entry.name));
    tabs_->setTabToolTip(tabs_->addTab(view, entry.title), entry.look_at);
    connect(view, &View::menu_asked, this,
            [this, view](const QPoint& at) { emit menu_asked(view, at); });
    connect(view, &View::view_asked, this,
            [this](const QString& name) { show_view(name.toStdString()); });
    views_.push_back(view);
  }
  connect(&own.cursor, &TimeCursor::changed, this, [this] {
    if (!later_.isActive()) later_.start();
  });
  show();
  refresh();
}

void BesidePanel::close_run() {
  later_.stop();
  for (View* view : views_) delete view;
  views_.clear();
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
  const QString name = shown->scenario && !shown->scenario->title.empty()
                           ? title_of(*shown->scenario)
                           : tr("untitled");
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

void BesidePanel::refresh() {
  fit_title();
  header_->set_detail(line_of_run());
  const EngineSnapshot* here = main_.cursor.snapshot().get();
  const EngineSnapshot* beside = run_ ? run_->snapshot().get() : nullptr;
  if (!here || !beside) return;
  const std::vector<RunNumber> left = run_numbers(*here), right = run_numbers(*beside);
  numbers_->setRowCount(static_cast<int>(left.size()));
  const Theme& theme = Theme::instance();
  const auto set = [&](int row, int column, const QString& text, const QString& tip) {
    QTableWidgetItem* item = numbers_->item(row, column);
    if (!item) numbers_->setItem(row, column, item = new QTableWidgetItem);
    item->setText(text);
    item->setToolTip(tip);
    item->setTextAlignment((column == kName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (column == kName) item->setFont(theme.font(TextRole::kSmall));
  };
  const auto text_of_value = [](const RunNumber& number) {
    return number.value ? number.text(*number.value) : QStringLiteral("–");
  };
  for (int row = 0; row < static_cast<int>(left.size()); ++row) {
    const RunNumber &a = left[static_cast<size_t>(row)], &b = right[static_cast<size_t>(row)];
    set(row, kName, a.name, a.meaning);
    set(row, kHere, text_of_value(a), a.meaning);
    set(row, kBeside, text_of_value(b), b.meaning);
    set(row, kDifference, difference_text(a, b), a.meaning);
  }
  numbers_->resizeColumnsToContents();
  for (int column = 0; column < kColumns; ++column)
    numbers_->setColumnWidth(column, numbers_->columnWidth(column) + theme.px(12));
}

QString BesidePanel::numbers_text() const {
  QStringList lines, titles;
  for (int column = 0; column < kColumns; ++column)
    titles.append(numbers_->horizontalHeaderItem(column)->text());
  lines.append(titles.join(QLatin1Char('\t')));
  for (int row = 0; row < numbers_->rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < kColumns; ++column)
      cells.append(numbers_->item(row, column)->text());
    lines.append(cells.join(QLatin1Char('\t')));
  }
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace attn::gui

#include "moc_beside_panel.cpp"

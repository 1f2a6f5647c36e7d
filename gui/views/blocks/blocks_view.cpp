// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/blocks_view.h"

#include <QFontMetrics>
#include <QSignalBlocker>
#include <algorithm>

#include "engine/session/report/report.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/block_figures.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr double kThreeParts = 900;  // px at 100%; width from which the tree is shown unasked

}  // namespace

BlocksView::BlocksView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      has_bridge_(context.bridge != nullptr),
      header_(new PanelHeader(tr("Blocks"), this)),
      figures_(new QLabel(this)),
      color_by_(new QComboBox(this)),
      grid_(new QToolButton(this)),
      tables_(new QToolButton(this)),
      prefixes_(new QToolButton(this)),
      fit_(new QToolButton(this)),
      canvas_(new BlocksCanvas(*context.selection, this)) {
  stack(header_, canvas_, canvas_);

  figures_->setAccessibleName(tr("Cache use"));
  figures_->setTextInteractionFlags(Qt::NoTextInteraction);
  for (int i = 0; i < kBlockColorings; ++i) {
    const auto by = static_cast<BlockColorBy>(i);
    color_by_->addItem(text_of(by));
    color_by_->setItemData(i, explanation_of(by), Qt::ToolTipRole);
  }
  color_by_->setToolTip(tr("Choose what the colours of the blocks mean"));
  color_by_->setAccessibleName(tr("Colour blocks by"));
  set_up_switch(
      grid_, tr("Grid"), tr("Show the physical grid"),
      tr("Physical blocks: the blocks of the cache, in the order in which they lie in memory"));
  set_up_switch(tables_, tr("Tables"), tr("Show the block tables"),
                tr("Block tables: which physical blocks hold the logical blocks of a request"));
  set_up_switch(prefixes_, tr("Prefixes"), tr("Show the prefix tree"), QString());
  for (QToolButton* part : {grid_, tables_, prefixes_})
    connect(part, &QToolButton::toggled, this, &BlocksView::parts_changed);
  set_up_tool(fit_, Icon::kFit, tr("Show all blocks"), tr("Show all blocks (Home)"));
  header_->add_control(figures_);
  header_->add_control(color_by_);
  header_->add_control(grid_);
  header_->add_control(tables_);
  header_->add_control(prefixes_);
  header_->add_control(fit_);

  header_->set_leaving({prefixes_, fit_, color_by_});
  connect(color_by_, &QComboBox::currentIndexChanged, this,
          [this](int index) { canvas_->set_color_by(static_cast<BlockColorBy>(index)); });
  connect(fit_, &QToolButton::clicked, canvas_, &BlocksCanvas::fit_all);
  connect(&Theme::instance(), &Theme::changed, this, &BlocksView::arrange_header);
  offer_prefixes();
  arrange_header();

  if (!has_bridge_) return;
  EngineBridge* engine = context.bridge;
  canvas_->set_events(&engine->events());
  connect(engine, &EngineBridge::run_started, this, [this] {
    pinned_ = false;
    show_now(nullptr);
  });
  on_shown([this] {
    if (!pinned_) show_now(shown());
  });
  connect(engine, &EngineBridge::events_appended, canvas_, &BlocksCanvas::take_events);
  connect(canvas_, &BlocksCanvas::run_asked, engine, &EngineBridge::run);
  if (shown()) show_now(shown());
}

void BlocksView::show_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  pinned_ = snapshot != nullptr;
  if (!snapshot && has_bridge_) snapshot = shown();
  show_now(std::move(snapshot));
}

void BlocksView::show_now(std::shared_ptr<const EngineSnapshot> snapshot) {
  canvas_->set_snapshot(std::move(snapshot), has_bridge_ && (pinned_ || past_step()));
  offer_prefixes();
  arrange_header();
}

// Without prefix caching, or unasked in a narrow view, the switch is off; the user's choice stays.
void BlocksView::offer_prefixes() {
  const EngineSnapshot* snapshot = canvas_->scene().snapshot.get();
  const bool offered = !snapshot || snapshot->prefixes;
  const bool room = width() >= Theme::instance().px(kThreeParts);
  prefixes_->setEnabled(offered);
  prefixes_->setToolTip(
      offered ? tr("Prefix tree: the beginnings of sequences that the cache holds, and the "
                   "requests that use them")
              : tr("Prefix tree: this run has no prefix cache (enable_prefix_caching is off)"));
  const bool shown = offered && wants_prefixes_ && (asked_for_prefixes_ || room);
  if (shown == prefixes_->isChecked()) return;
  const QSignalBlocker quiet(prefixes_);
  prefixes_->setChecked(shown);
  const BlocksScene& scene = canvas_->scene();
  if (grid_->isChecked() || tables_->isChecked())
    canvas_->set_parts(scene.show_grid, scene.show_tables, shown);
  else
    show_parts();
}

void BlocksView::parts_changed() {
  if (sender() == prefixes_) {
    wants_prefixes_ = prefixes_->isChecked();
    asked_for_prefixes_ = true;
  }
  show_parts();
}

// One part stays on: switching off the last one switches another on.
void BlocksView::show_parts() {
  if (!grid_->isChecked() && !tables_->isChecked() && !prefixes_->isChecked()) {
    QToolButton* other = sender() == grid_ ? tables_ : grid_;
    const QSignalBlocker quiet(other);
    other->setChecked(true);
  }
  canvas_->set_parts(grid_->isChecked(), tables_->isChecked(), prefixes_->isChecked());
  canvas_->set_exports_prefixes(wants_prefixes_);
}

void BlocksView::arrange_header() {
  const Theme& theme = Theme::instance();
  figures_->setFont(theme.font(TextRole::kSmall));
  QPalette muted = figures_->palette();
  muted.setColor(QPalette::WindowText, theme.colors().muted);
  figures_->setPalette(muted);
  const EngineSnapshot* snapshot = canvas_->scene().snapshot.get();
  if (!snapshot || snapshot->blocks.empty()) {
    canvas_->setAccessibleDescription(tr("No cache yet"));
    figures_->clear();
    return;
  }
  const BlockFigures figures = figures_of(*snapshot);
  const QFontMetrics small(theme.font(TextRole::kSmall)),
      bold(theme.font(TextRole::kBody, QFont::DemiBold));
  int room = width() - bold.horizontalAdvance(title()) - theme.px(80);
  for (const QWidget* control :
       std::initializer_list<QWidget*>{color_by_, grid_, tables_, prefixes_, fit_})
    room -= control->sizeHint().width() + 8;
  QString text = figures_text(figures, false);
  if (small.horizontalAdvance(text) > room) text = figures_text(figures, true);
  if (small.horizontalAdvance(text) > room) text.clear();
  figures_->setText(text);
  figures_->setVisible(!text.isEmpty());
  figures_->setToolTip(figures_explanation(figures));
  figures_->setAccessibleDescription(figures_text(figures, false));
  if (canvas_->accessibleDescription() != figures_->accessibleDescription())
    canvas_->setAccessibleDescription(figures_->accessibleDescription());
}

void BlocksView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  offer_prefixes();
  arrange_header();
}

std::vector<KeyHelp> BlocksView::key_help() const {
  return {{tr("Arrows"), tr("Move between blocks; in the prefix tree Left and Right follow an "
                            "edge, Up and Down go to the next block of the same depth")},
          {tr("Enter, click"), tr("Select the block")},
          {tr("Ctrl+wheel, +, -"),
           tr("Zoom at the pointer (wheel), at the block of the cursor or in the middle (keys)")},
          {tr("Wheel, Shift+wheel, middle-drag"), tr("Pan grids and tree, scroll the tables")},
          {tr("Double-click, F"), tr("Enlarge the block; its tokens appear where they fit")},
          {tr("Home"), tr("Show all blocks")},
          {tr("Esc"), tr("Clear the selection")}};
}

void BlocksView::paint_content(QPainter& painter, const QRectF& bounds) {
  canvas_->paint_all(painter, bounds);
}

QSize BlocksView::export_size() const {
  return canvas_->full_size();
}

QSize BlocksView::export_size_for(double width) const {
  return canvas_->full_size(width);
}

QByteArray BlocksView::csv() const {
  const EngineSnapshot* snapshot = canvas_->scene().snapshot.get();
  return QByteArray::fromStdString(block_table_csv(snapshot ? *snapshot : EngineSnapshot{}));
}

void BlocksView::show_moment(const std::shared_ptr<const EngineSnapshot>& snapshot,
                             const QString& caption) {
  if (snapshot) show_snapshot(snapshot);
  set_caption(caption);
}

void BlocksView::leave_moment() {
  show_snapshot(nullptr);
  set_caption({});
}

ViewEntry blocks_entry() {
  return {.name = "blocks",
          .title = BlocksView::tr("Blocks"),
          .keys = {},
          .look_at = BlocksView::tr("A square is a block of the KV cache: see how requests take "
                                    "blocks, fill them and give them back."),
          .document = "block-table.md",
          .place = ViewPlace::kBelow,
          .in_every_run = true,
          .run_order = 2,
          .make = make_view<BlocksView>};
}

QJsonObject BlocksView::options() const {
  return {{QStringLiteral("color_by"), color_by_->currentIndex()},
          {QStringLiteral("grid"), grid_->isChecked()},
          {QStringLiteral("tables"), tables_->isChecked()},
          {QStringLiteral("prefixes"), wants_prefixes_},
          {QStringLiteral("asked_for_prefixes"), asked_for_prefixes_}};
}

void BlocksView::set_options(const QJsonObject& options) {
  if (const auto by = whole_option(options, "color_by", 0, kBlockColorings - 1))
    color_by_->setCurrentIndex(*by);
  if (const auto wants = flag_option(options, "prefixes")) wants_prefixes_ = *wants;
  if (const auto asked = flag_option(options, "asked_for_prefixes")) asked_for_prefixes_ = *asked;
  for (const auto& [key, part] : {std::pair("grid", grid_), std::pair("tables", tables_)}) {
    const QSignalBlocker quiet(part);
    if (const auto shown = flag_option(options, key)) part->setChecked(*shown);
  }
  offer_prefixes();
  show_parts();
}

}  // namespace attn::gui

#include "moc_blocks_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/figure_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <optional>

#include "gui/theme/theme.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/request/interventions_line.h"

namespace attn::gui {
namespace {

constexpr int kAllHeads = -1;       // data of the entry "all heads"
constexpr double kLeastPoints = 5;  // pt, the least text that can be read in print

bool is_array(const QString& format) {
  return format == QLatin1String("npy") || format == QLatin1String("safetensors");
}

// Takes a typed number above the range as a whole, and ends at the largest one. A QDoubleSpinBox
// would leave out the last digit.
class WidthBox : public QDoubleSpinBox {
 public:
  QValidator::State validate(QString& text, int& cursor) const override {
    const QValidator::State state = QDoubleSpinBox::validate(text, cursor);
    const auto typed = number_of(text);
    return typed && *typed > maximum() ? QValidator::Intermediate : state;
  }
  void fixup(QString& text) const override {
    if (const auto typed = number_of(text))
      text = textFromValue(std::clamp(*typed, minimum(), maximum())) + suffix();
  }

 private:
  std::optional<double> number_of(QString text) const {
    bool is_number = false;
    const double number = locale().toDouble(text.remove(suffix().trimmed()).trimmed(), &is_number);
    return is_number ? std::optional(number) : std::nullopt;
  }
};

}  // namespace

FigureDialog::FigureDialog(const EngineSnapshot& snapshot, const FigureSpec& spec, QWidget* parent,
                           AutomaticTitle automatic, SizeOf size, const FigureFields& fields)
    : QDialog(parent),
      fields_(fields),
      automatic_(std::move(automatic)),
      size_(std::move(size)),
      request_(new QComboBox),
      head_(new QComboBox),
      map_(new QComboBox),
      theme_(new QComboBox),
      format_(new QComboBox),
      text_(new QComboBox),
      layer_(new QSpinBox),
      dpi_(new QSpinBox),
      first_(new QSpinBox),
      last_(new QSpinBox),
      width_(new WidthBox),
      own_title_(new QLineEdit),
      points_(new QLabel),
      warning_(new QLabel),
      all_layers_(new QCheckBox(tr("All layers"))),
      title_(new QCheckBox(tr("Title"))),
      legend_(new QCheckBox(tr("Colour bar and legend"))),
      sums_(new QCheckBox(tr("Sums of rows and columns"))),
      selection_(new QCheckBox(tr("Mark of the selection"))) {
  setWindowTitle(tr("Export a figure"));
  for (const RequestView& request : snapshot.requests) {
    request_->addItem(QString::fromStdString(request.name), static_cast<qlonglong>(request.id));
    changed_.push_back(!interventions_of(request).isEmpty());
  }
  request_->setCurrentIndex(std::max(0, request_->findData(static_cast<qlonglong>(spec.request))));
  layer_->setRange(0, static_cast<int>(std::max<int64_t>(1, snapshot.source.num_layers) - 1));
  layer_->setValue(static_cast<int>(spec.layer));
  for (int head = 0; head < snapshot.source.num_heads; ++head)
    head_->addItem(tr("head %1").arg(head), head);
  head_->addItem(tr("all heads"), kAllHeads);
  head_->setCurrentIndex(
      head_->findData(spec.look.all_heads ? kAllHeads : static_cast<int>(spec.head)));
  for (const ColorMapId map : kColorMaps) map_->addItem(name_of(map));
  map_->setCurrentText(spec.colormap);
  theme_->addItems({tr("Light"), tr("Dark")});
  theme_->setCurrentIndex(spec.dark ? 1 : 0);
  theme_->setToolTip(tr("Light is for paper, dark for slides with a dark background."));
  format_->addItem(tr("PDF, fonts inside"), QStringLiteral("pdf"));
  format_->addItem(tr("SVG"), QStringLiteral("svg"));
  format_->addItem(tr("PNG"), QStringLiteral("png"));
  if (fields.cells) {
    format_->addItem(tr("NumPy array (.npy)"), QStringLiteral("npy"));
    format_->addItem(tr("safetensors, with the tokens"), QStringLiteral("safetensors"));
  }
  format_->setCurrentIndex(std::max(0, format_->findData(spec.format)));
  width_->setRange(kLeastFigureMm, kMostFigureMm);
  width_->setDecimals(1);
  width_->setSuffix(tr(" mm"));
  width_->setValue(spec.width_mm);
  for (const int percent : Theme::kTextPercents)
    text_->addItem(QStringLiteral("%1%").arg(percent), percent);
  text_->setCurrentIndex(std::max(0, text_->findData(spec.text_percent)));
  text_->setToolTip(
      tr("The figure does not take the text size of the window. A narrow figure with large text "
         "has little room for cells."));
  dpi_->setRange(72, 1200);
  dpi_->setSuffix(tr(" pixels per inch"));
  dpi_->setValue(spec.dpi);
  all_layers_->setChecked(spec.look.all_layers);
  own_title_->setMaxLength(kMostTitle);
  own_title_->setText(spec.look.own_title);
  own_title_->setToolTip(
      tr("The title of the figure. If the field is empty, the figure has the title that is shown "
         "there in grey. A long title has several lines."));
  const int most = static_cast<int>(std::max<int64_t>(1, fields.positions)) - 1;
  for (QSpinBox* box : {first_, last_}) box->setRange(0, most);
  first_->setValue(spec.look.positions ? static_cast<int>(spec.look.positions->first) : 0);
  last_->setValue(spec.look.positions ? static_cast<int>(spec.look.positions->second) : most);
  title_->setChecked(spec.look.title);
  legend_->setChecked(spec.look.legend);
  sums_->setChecked(spec.look.sums);
  selection_->setChecked(spec.look.selection);

  // With large text the fields can be higher than the screen.
  auto* fields_box = new QWidget;
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* form = new QFormLayout(fields_box);
  const auto row = [form](const QString& name, QWidget* field) {
    field->setAccessibleName(name);
    form->addRow(name, field);
  };
  row(tr("Request"), request_);
  // Two fields in a row keep the dialog low.
  const auto pair = [](QWidget* left, QWidget* right) {
    auto* both = new QWidget;
    auto* beside = new QHBoxLayout(both);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->addWidget(left, 1);
    beside->addWidget(right, 1);
    return both;
  };
  layer_->setAccessibleName(tr("Layer"));
  auto* layer_row = pair(layer_, all_layers_);
  form->addRow(tr("Layer"), layer_row);
  row(tr("Head"), head_);
  row(tr("Colours"), map_);
  row(tr("Light or dark"), theme_);
  row(tr("Format"), format_);
  row(tr("Width, %1 to %2 mm").arg(kLeastFigureMm).arg(kMostFigureMm), width_);
  text_->setAccessibleName(tr("Text size"));
  form->addRow(tr("Text size"), pair(text_, points_));
  form->addRow(warning_);
  QPalette palette = warning_->palette();
  palette.setColor(QPalette::WindowText, Theme::instance().colors().warning);
  warning_->setPalette(palette);
  row(tr("Resolution"), dpi_);
  first_->setAccessibleName(tr("First position"));
  last_->setAccessibleName(tr("Last position"));
  auto* positions_row = pair(first_, last_);
  positions_row->setToolTip(tr("The first and the last position of the text in the figure."));
  form->addRow(tr("Positions, 0 to %1").arg(most), positions_row);
  row(tr("Own title"), own_title_);
  auto* upper_parts = pair(title_, legend_);
  auto* lower_parts = pair(sums_, selection_);
  form->addRow(upper_parts);
  form->addRow(lower_parts);
  if (!fields.cells)
    for (QWidget* field : {static_cast<QWidget*>(request_), layer_row, static_cast<QWidget*>(head_),
                           static_cast<QWidget*>(map_), lower_parts})
      form->setRowVisible(field, false);
  legend_->setVisible(fields.cells);
  if (!fields.title)
    for (QWidget* field : {static_cast<QWidget*>(own_title_), upper_parts})
      form->setRowVisible(field, false);
  form->setRowVisible(positions_row, fields.positions > 0);
  head_->setToolTip(
      tr("The figure of one head has the numbers that the heatmap shows, without its zoom. A "
         "figure of all heads or all layers has weights."));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
  scroll->setWidget(fields_box);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(scroll, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(form->contentsMargins());
  foot->addWidget(buttons);
  column->addLayout(foot);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(format_, &QComboBox::currentIndexChanged, this, &FigureDialog::fit_format);
  connect(head_, &QComboBox::currentIndexChanged, this, &FigureDialog::fit_format);
  for (QCheckBox* part : {all_layers_, title_})
    connect(part, &QCheckBox::toggled, this, &FigureDialog::fit_format);
  connect(request_, &QComboBox::currentIndexChanged, this, &FigureDialog::fit_format);
  connect(layer_, &QSpinBox::valueChanged, this, &FigureDialog::fit_format);
  connect(text_, &QComboBox::currentIndexChanged, this, &FigureDialog::fit_format);
  for (QSpinBox* box : {first_, last_})
    connect(box, &QSpinBox::valueChanged, this, &FigureDialog::fit_format);
  connect(own_title_, &QLineEdit::textChanged, this, &FigureDialog::fit_format);
  connect(width_, &QDoubleSpinBox::valueChanged, this, &FigureDialog::fit_format);
  for (QCheckBox* part : {legend_, sums_})
    connect(part, &QCheckBox::toggled, this, &FigureDialog::fit_format);
  fit_format();
  warning_->show();                                              // so that there is room for it
  const QSize room = screen()->availableSize() - QSize(16, 48);  // for the frame of the window
  const QSize wanted = fields_box->sizeHint() + QSize(0, foot->sizeHint().height() + 8);
  scroll->setMinimumWidth(std::min(room.width(), wanted.width()));
  resize(wanted.boundedTo(room));
  fit_format();
}

// A .npy file cannot say what is changed in a request, so it is not offered for a changed one.
void FigureDialog::fit_npy() {
  const bool changed = changed_[static_cast<size_t>(std::max(0, request_->currentIndex()))];
  const int npy = format_->findData(QStringLiteral("npy"));
  if (npy < 0) return;
  format_->setItemText(npy, changed ? tr("NumPy array (.npy): not for a changed request")
                                    : tr("NumPy array (.npy)"));
  format_->setItemData(npy,
                       changed ? tr("A .npy file has no room to say what is changed in the "
                                    "request; a .safetensors file says it.")
                               : QString(),
                       Qt::ToolTipRole);
  if (auto* items = qobject_cast<QStandardItemModel*>(format_->model()))
    items->item(npy)->setEnabled(!changed);
  if (changed && format_->currentIndex() == npy)
    format_->setCurrentIndex(format_->findData(QStringLiteral("safetensors")));
}

void FigureDialog::fit_format() {
  fit_npy();
  const FigureSpec now = spec();
  const bool picture = !is_array(now.format);
  for (QWidget* field :
       std::initializer_list<QWidget*>{map_, theme_, width_, text_, title_, legend_})
    field->setEnabled(picture);
  for (QCheckBox* part : {sums_, selection_}) part->setEnabled(picture && !now.look.all_heads);
  own_title_->setEnabled(picture && now.look.title);
  own_title_->setPlaceholderText(automatic_ ? automatic_(now) : QString());
  const bool can_have_layers = !picture || now.look.all_heads;
  all_layers_->setEnabled(can_have_layers);
  all_layers_->setToolTip(
      can_have_layers
          ? tr("The figure has all layers that read the same tokens as the chosen layer.")
          : tr("A picture of all layers has all heads. Choose “all heads” at Head first, or an "
               "array as the format."));
  layer_->setEnabled(!now.look.all_layers);
  dpi_->setEnabled(now.format == QLatin1String("png"));
  first_->setMaximum(last_->value());
  last_->setMinimum(first_->value());
  fit_size(now);
}

void FigureDialog::fit_size(const FigureSpec& now) {
  const Size size = is_array(now.format) || !size_ ? Size{} : size_(now);
  // The warning goes by the number that is shown.
  const double points = std::round(size.points * 10) / 10;
  QStringList words;
  if (points > 0) words += tr("smallest text: %1 pt").arg(points, 0, 'f', 1);
  if (size.height_mm > 0) words += tr("height: %1 mm").arg(size.height_mm, 0, 'f', 0);
  points_->setText(words.join(QStringLiteral(", ")));
  const bool small = points > 0 && points < kLeastPoints;
  warning_->setText(small ? tr("At this width the smallest text has less than %1 pt.\n"
                               "A wider figure has larger text; a larger text size can help, too.")
                                .arg(kLeastPoints)
                          : QString());
  warning_->setVisible(small);
}

QString figure_stem(const View& view, const FigureSpec& spec) {
  QString stem = view.export_name();
  stem += spec.look.all_layers ? QStringLiteral("-all-layers")
                               : QStringLiteral("-layer%1").arg(spec.layer);
  return stem + (spec.look.all_heads ? QStringLiteral("-all-heads")
                                     : QStringLiteral("-head%1").arg(spec.head));
}

FigureSpec FigureDialog::spec() const {
  FigureSpec spec;
  spec.request = request_->currentData().toLongLong();
  spec.layer = layer_->value();
  const int head = head_->currentData().toInt();
  spec.look.all_heads = head == kAllHeads;
  spec.head = std::max(0, head);
  spec.colormap = map_->currentText();
  spec.dark = theme_->currentIndex() == 1;
  spec.format = format_->currentData().toString();
  spec.width_mm = width_->value();
  spec.text_percent = text_->currentData().toInt();
  spec.dpi = dpi_->value();
  spec.look.all_layers = (is_array(spec.format) || spec.look.all_heads) && all_layers_->isChecked();
  spec.look.title = title_->isChecked();
  spec.look.own_title = own_title_->text().simplified();
  spec.look.legend = legend_->isChecked();
  spec.look.sums = sums_->isChecked();
  spec.look.selection = selection_->isChecked();
  if (fields_.positions > 0 && (first_->value() > 0 || last_->value() < last_->maximum()))
    spec.look.positions = std::pair(first_->value(), last_->value());
  return spec;
}

double smallest_points(const View& view, const RequestView& request, const FigureSpec& spec) {
  constexpr double kPointsPerPixel = 72.0 / 96;
  const Theme::Drawing look(spec.dark, spec.text_percent);
  const double width = spec.width_mm * kPixelsPerMm,
               laid_out = view.figure_width(request, spec.layer, spec.look, width);
  const int letters = Theme::instance().font(TextRole::kSmall).pixelSize();
  return laid_out > 0 ? letters * kPointsPerPixel * width / laid_out : 0;
}

FigureDialog::Size size_of_picture(View& view, const FigureSpec& spec) {
  constexpr double kPointsPerPixel = 72.0 / 96;
  const Theme::Drawing look(spec.dark, spec.text_percent);
  view.set_figure(spec.look);
  const double width = spec.width_mm * kPixelsPerMm;
  const QSize laid_out = view.export_size_for(width);
  view.set_figure({});
  const double scale = width / std::max(1, laid_out.width());
  return {.points = Theme::instance().font(TextRole::kSmall).pixelSize() * kPointsPerPixel * scale,
          .height_mm = laid_out.height() * scale / kPixelsPerMm};
}

ExportJob prepare_sized_picture(View& view, const FigureSpec& spec, const QString& file) {
  view.set_figure(spec.look);
  view.set_page({.fits = {}, .width_mm = spec.width_mm, .dpi = spec.dpi});
  // The picture takes its colours and fonts from the theme while it is prepared, here.
  const auto in_its_look = [&] {
    const Theme::Drawing look(spec.dark, spec.text_percent);
    return spec.format == QLatin1String("png")   ? prepare_png(view, file, 1)
           : spec.format == QLatin1String("svg") ? prepare_svg(view, file)
                                                 : prepare_pdf(view, file);
  };
  ExportJob job = in_its_look();
  view.set_page({});
  view.set_figure({});
  return job;
}

ExportJob prepare_figure(View& view, Selection& selection, const FigureSpec& spec,
                         const QString& file) {
  const int64_t request = selection.shown_request(), layer = selection.shown_layer(),
                head = selection.shown_head();
  const QJsonObject options = view.options();
  selection.show(spec.request, spec.layer, spec.head);
  ViewChoices choices;
  choices.colormap = spec.colormap.toStdString();
  view.choose(choices);
  ExportJob job;
  if (!is_array(spec.format)) {
    job = prepare_sized_picture(view, spec, file);
  } else {
    view.set_figure(spec.look);
    if (view.arrays())
      job = prepare_array(view, file);
    else
      job = [] {
        return FigureDialog::tr("No attention has been computed, so there is no array.");
      };
    view.set_figure({});
  }
  view.set_options(options);
  selection.show(request, layer, head);
  return job;
}

}  // namespace attn::gui

#include "moc_figure_dialog.cpp"

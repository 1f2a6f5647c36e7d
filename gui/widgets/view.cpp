// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/view.h"

#include <QBuffer>
#include <QContextMenuEvent>
#include <QHash>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <exception>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/memory.h"
#include "gui/models/explore/inside.h"
#include "gui/theme/pdf_fonts.h"
#include "gui/theme/plain_glyphs.h"
#include "gui/theme/theme.h"
#include "gui/widgets/canvas.h"
#include "gui/widgets/figure/picture_bytes.h"
#include "gui/widgets/request/interventions_line.h"

namespace attn::gui {
namespace {

constexpr int kLargestSide = 16384;  // px, the longest side of a PNG, and of a page before scaling
// The limit in bytes of an SVG or PDF, counted as SVG.
constexpr double kMostDocumentBytes = 256.0 * (1 << 20);
// Qt holds an SVG as text of two bytes per character, and there are copies of its bytes.
constexpr double kMemoryPerDocumentByte = 5;
constexpr double kMetersPerInch = 0.0254;
constexpr double kPixelsPerInch = 96;
constexpr double kPointsPerPixel = 72 / kPixelsPerInch;

constexpr const char* kNoTitle = "-";  // in an SVG until titled()

using Drawing = std::function<void(QPainter&, const QRectF&)>;

// content draws at the size `whole` (logical pixels); the drawing is then scaled. A Page is made on
// the GUI thread, because it reads the theme.
struct Page {
  Drawing content;
  QSize whole;
  double scale = 1;
  QColor surface = Theme::instance().colors().surface, text = Theme::instance().colors().text;
  QFont font = Theme::instance().font();
  QByteArray mono = Theme::instance().mono().family().toUtf8();

  void draw(QPainter& painter) const {
    // Without LosslessImageRendering Qt may put images into a PDF as JPEG.
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                           QPainter::LosslessImageRendering);
    if (scale != 1) painter.scale(scale, scale);
    painter.fillRect(QRect(QPoint(0, 0), whole), surface);
    painter.setFont(font);
    painter.setPen(text);
    content(painter, QRectF(QPointF(0, 0), QSizeF(whole)));
  }
};

Drawing below_interventions(const QStringList& interventions, Drawing content) {
  return [interventions, content = std::move(content), look = PictureLook::read()](
             QPainter& painter, const QRectF& bounds) {
    const double edge = look.px(12), line = interventions_height(look);
    paint_interventions(painter,
                        QRectF(bounds.left() + edge, bounds.top(), bounds.width() - 2 * edge, line),
                        interventions, look);
    painter.save();
    painter.translate(bounds.left(), bounds.top() + line);
    content(painter, QRectF(0, 0, bounds.width(), bounds.height() - line));
    painter.restore();
  };
}

QStringList interventions_on(const View& view) {
  const auto* line = view.findChild<InterventionsLine*>({}, Qt::FindDirectChildrenOnly);
  return line ? line->interventions() : QStringList();
}

Page page_of(const View& view, Drawing content) {
  int above = 0;  // px, height of the line of interventions
  if (const QStringList interventions = interventions_on(view); !interventions.isEmpty()) {
    above = interventions_height(PictureLook::read());
    content = below_interventions(interventions, std::move(content));
  }
  const QSize least(64, 64), most(kLargestSide, kLargestSide);
  const PageSetup& page = view.page();
  const double width = page.width_mm.value_or(0) * kPixelsPerMm;
  const QSize needed =
      (page.width_mm ? view.export_size_for(width) : view.export_size()) + QSize(0, above);
  const QSizeF whole = needed.expandedTo(least).boundedTo(most);
  double scale = 1;
  if (page.width_mm)
    scale = width / whole.width();
  else if (page.fits)
    scale = std::min(page.fits->width() / whole.width(), page.fits->height() / whole.height());
  return {.content = std::move(content), .whole = whole.toSize(), .scale = scale};
}

Drawing on_this_thread(View& view) {
  return [&view](QPainter& painter, const QRectF& bounds) { view.paint_content(painter, bounds); };
}

QString save(const FilePath& file, const QByteArray& bytes) {
  try {
    write_file_atomically(file.path(), {bytes.constData(), static_cast<size_t>(bytes.size())});
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

// Throws Error for an SVG or PDF that would have too many bytes or not fit in memory.
void check_document(Page page, const FilePath& file) {
  page.scale = 1;
  const double bytes = svg_bytes([&page](QPainter& painter) { page.draw(painter); }, page.whole);
  const std::string where = file.path().string(),
                    found = bytes_text(bytes) + " of shapes and texts";
  const char* const advice =
      "Export it as PNG, or show less: fewer requests, or a shorter part of the run";
  if (bytes > kMostDocumentBytes)
    throw_bad_input({.what = "the picture is too large for SVG and PDF",
                     .where = where,
                     .found = found,
                     .allowed = bytes_text(kMostDocumentBytes),
                     .advice = advice});
  ask_memory({.bytes = bytes * kMemoryPerDocumentByte,
              .what = "the picture does not fit in memory",
              .where = where,
              .found = found + " x " + std::to_string(static_cast<int>(kMemoryPerDocumentByte)) +
                       " = " + bytes_text(bytes * kMemoryPerDocumentByte),
              .advice = advice});
}

// factor: pixels per logical pixel of the page. Null: not enough memory.
QImage draw_image(const Page& page, double factor) {
  const auto pixels = [&](int side) {
    return std::max(1, static_cast<int>(std::lround(side * page.scale * factor)));
  };
  const QSize size(pixels(page.whole.width()), pixels(page.whole.height()));
  // The pixels, and as much for the compressed file.
  const double bytes = 8.0 * size.width() * size.height();
  if (bytes > static_cast<double>(allowed_memory_bytes(available_memory_bytes()))) return {};
  QImage image(size, QImage::Format_RGB32);
  if (image.isNull()) return image;
  if (page.scale != 1) image.fill(page.surface);  // rounding may leave an edge that is not drawn
  QPainter painter(&image);
  painter.scale(factor, factor);
  page.draw(painter);
  painter.end();
  const int dots = static_cast<int>(std::lround(factor * kPixelsPerInch / kMetersPerInch));
  image.setDotsPerMeterX(dots);
  image.setDotsPerMeterY(dots);
  return image;
}

// Throws Error if there was not enough memory for the image.
QString save_image(const QImage& image, const FilePath& file) {
  if (image.isNull())
    throw_bad_input(
        {.what = View::tr("there is not enough memory for this picture").toStdString(),
         .where = file.path().string(),
         .found = "",
         .allowed = "",
         .advice = View::tr("Choose SVG or PDF, or on the command line a smaller --scale")
                       .toStdString()});
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QImageWriter writer(&buffer, "png");
  if (!writer.write(image))
    return View::tr("%1 could not be written: %2.").arg(file.shown(), writer.errorString());
  return save(file, buffer.data());
}

// Numbers the patterns of the document from 1, so that two exports of a view are equal: the id that
// Qt gives to a pattern depends on the pictures made before.
QByteArray with_patterns_counted(const QByteArray& svg) {
  const QByteArray prefix("texpattern_");
  QHash<QByteArray, qsizetype> numbers;
  QByteArray result;
  result.reserve(svg.size());
  qsizetype done = 0, from = 0;
  for (qsizetype at; (at = svg.indexOf(prefix, from)) >= 0;) {
    const qsizetype begin = from = at + prefix.size();
    // Only where the prefix begins a quoted value, as in id="...", or follows "(#" of a url().
    if (!svg.first(at).endsWith('"') && !svg.first(at).endsWith("(#")) continue;
    qsizetype end = begin;
    while (end < svg.size() && std::isxdigit(static_cast<unsigned char>(svg[end]))) ++end;
    const QByteArray id = svg.mid(begin, end - begin);
    if (!numbers.contains(id)) numbers.insert(id, numbers.size() + 1);
    result += svg.mid(done, begin - done) + QByteArray::number(numbers.value(id));
    done = from = end;
  }
  return result + svg.mid(done);
}

// Asks viewers by a second word, "pixelated", to draw images without smoothing.
QByteArray with_sharp_images(QByteArray svg) {
  return svg.replace("image-rendering=\"optimizeSpeed\"",
                     "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\"");
}

// Tells viewers not to use the ligatures of the font.
QByteArray without_ligatures(QByteArray svg) {
  const qsizetype at = svg.indexOf("<svg ");
  return at < 0 ? svg : svg.insert(at + 5, "style=\"font-variant-ligatures:none\" ");
}

// A machine that reads the file may lack our fonts, so each font is the first of a list as in CSS.
QByteArray with_other_fonts(const QByteArray& svg, const QByteArray& mono) {
  const QByteArray before("font-family=\"");
  QByteArray result;
  result.reserve(svg.size() + svg.size() / 4);
  qsizetype done = 0;
  for (qsizetype at; (at = svg.indexOf(before, done)) >= 0;) {
    const qsizetype begin = at + before.size(), end = svg.indexOf('"', begin);
    if (end < 0) break;
    const QByteArray family = svg.mid(begin, end - begin);
    result += svg.mid(done, begin - done) + (family.contains(' ') ? "'" + family + "'" : family);
    result += family == mono ? ", 'DejaVu Sans Mono', monospace"
                             : ", 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
    done = end;
  }
  return result + svg.mid(done);
}

// Puts the title in the place of the one that draw_svg() makes. Qt 6.4 writes a title without
// escapes.
QByteArray titled(QByteArray svg, const QString& title) {
  const QByteArray begin("<title>");
  const qsizetype at = svg.indexOf(begin + kNoTitle);
  if (at < 0) return svg;
  return svg.replace(at + begin.size(), qstrlen(kNoTitle), title.toHtmlEscaped().toUtf8());
}

// Sets the width and height of a scaled page in mm. The content keeps the units of `whole`.
QByteArray with_page_size(QByteArray svg, const Page& page) {
  const qsizetype begin = svg.indexOf("width=\""), end = svg.indexOf("\n", begin);
  if (page.scale == 1 || begin < 0 || end < 0) return svg;
  const auto mm = [&](int side) {
    return QByteArray::number(side * page.scale / kPixelsPerMm, 'f', 3) + "mm";
  };
  return svg.replace(
      begin, end - begin,
      "width=\"" + mm(page.whole.width()) + "\" height=\"" + mm(page.whole.height()) + '"');
}

QByteArray draw_svg(const Page& asked, const QString& title) {
  Page page = asked;
  page.scale = 1;
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(page.whole);
  generator.setViewBox(QRect(QPoint(0, 0), page.whole));
  generator.setResolution(96);
  generator.setTitle(QLatin1String(kNoTitle));
  generator.setDescription(QStringLiteral("Attention Workbench " ATTN_VERSION));
  QPainter painter(&generator);
  page.draw(painter);
  painter.end();
  QByteArray svg = with_sharp_images(with_patterns_counted(buffer.data()));
  svg = without_ligatures(with_page_size(titled(std::move(svg), title), asked));
  return with_other_fonts(svg, page.mono);
}

// Overwrites dates and random ids with spaces, so that two exports of a view are equal. The number
// of bytes stays the same, because the file contains offsets.
void leave_out_times_and_names(QByteArray& pdf) {
  constexpr std::array<std::array<const char*, 2>, 7> kParts{{{"/CreationDate", ")"},
                                                              {"/ModDate", ")"},
                                                              // XMP metadata
                                                              {"xmp:CreateDate=\"", "\""},
                                                              {"xmp:ModifyDate=\"", "\""},
                                                              {"xmp:MetadataDate=\"", "\""},
                                                              {"xmpMM:DocumentID=\"", "\""},
                                                              {"/ID [", "]"}}};
  for (const auto& [from, to] : kParts) {
    const qsizetype begin = pdf.indexOf(from);
    const qsizetype end = begin < 0 ? -1 : pdf.indexOf(to, begin + qstrlen(from));
    if (end >= 0) std::fill(pdf.begin() + begin, pdf.begin() + end + qstrlen(to), ' ');
  }
}

// Qt rounds the page to whole points; this sets the width with the digits that fit in its place.
void set_page_width(QByteArray& pdf, double points) {
  const QByteArray before("/MediaBox [0 0 ");
  const qsizetype at = pdf.indexOf(before);
  const qsizetype begin = at + before.size(), end = at < 0 ? -1 : pdf.indexOf(' ', begin);
  if (end < 0) return;
  // Keeps the number of bytes, because of the offsets in the file.
  const QByteArray width = QByteArray::number(points, 'f', 6).left(end - begin);
  pdf.replace(begin, width.size(), width);
}

QByteArray draw_pdf(const Page& page, const QString& title) {
  keep_order_of_pdf_fonts();
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QSizeF(page.whole) * page.scale * kPointsPerPixel, QPageSize::Point,
                               QString(), QPageSize::ExactMatch));
  writer.setPageMargins({});
  writer.setResolution(96);
  writer.setTitle(title);
  writer.setCreator(QStringLiteral("Attention Workbench " ATTN_VERSION));
  QPainter painter(&writer);
  page.draw(painter);
  painter.end();
  QByteArray pdf = buffer.data();
  leave_out_times_and_names(pdf);
  set_page_width(pdf, page.whole.width() * page.scale * kPointsPerPixel);
  return pdf;
}

using DrawDocument = QByteArray (*)(const Page&, const QString& title);

ExportJob prepare_document(View& view, const FilePath& file, DrawDocument draw) {
  const Drawing drawing = view.drawing();
  const Page page = page_of(view, drawing ? drawing : on_this_thread(view));
  const QString own = view.figure().own_title;
  const auto bytes = [page, title = own.isEmpty() ? view.title() : own, file, draw] {
    check_document(page, file);
    return draw(page, title);
  };
  if (drawing) return [bytes, file] { return save(file, bytes()); };
  // The job throws again what is thrown here.
  QByteArray drawn;
  std::exception_ptr trouble;
  try {
    drawn = bytes();
  } catch (const std::exception&) {
    trouble = std::current_exception();
  }
  return [drawn, trouble, file] {
    if (trouble) std::rethrow_exception(trouble);
    return save(file, drawn);
  };
}

}  // namespace

void View::refuse_runs(const QString& why) {
  for (Canvas* canvas : findChildren<Canvas*>()) canvas->refuse_run(why);
}

Inside& View::inside() {
  if (!context_.inside) context_.inside = new Inside(bridge(), selection(), context_.cursor, this);
  return *context_.inside;
}

void View::stack(PanelHeader* header, QWidget* content, QWidget* focus) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  // A panel may be narrower than its header.
  header->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  layout->addWidget(header);
  layout->addWidget(content, 1);
  setFocusProxy(focus);
}

View* view_around(QWidget* widget) {
  for (; widget; widget = widget->parentWidget())
    if (auto* view = qobject_cast<View*>(widget)) return view;
  return nullptr;
}

void View::set_covered(const QRect& of_window) {
  if (of_window == covered_) return;
  covered_ = of_window;
  covered_changed();
}

int View::covered_below() const {
  const QRect part = covered_.translated(-mapTo(window(), QPoint())) & rect();
  return part.isEmpty() ? 0 : height() - part.top();
}

ViewPoint View::point_at(const QPoint& position) {
  auto* canvas = qobject_cast<Canvas*>(childAt(position));
  return canvas ? canvas->point_at(canvas->mapFrom(this, position)) : ViewPoint{};
}

std::optional<QPoint> View::place_of_selection() {
  auto* canvas = findChild<Canvas*>();
  const std::optional<QPointF> place = canvas ? canvas->place_of_selection() : std::nullopt;
  if (!place) return std::nullopt;
  const QPoint here = canvas->mapTo(this, place->toPoint());
  return childAt(here) == canvas ? std::optional(here) : std::nullopt;
}

std::optional<QRect> View::row_of_selection() {
  auto* canvas = findChild<Canvas*>();
  const std::optional<QRectF> row = canvas ? canvas->row_of_selection() : std::nullopt;
  if (!row) return std::nullopt;
  return row->translated(canvas->mapTo(this, QPoint())).toAlignedRect();
}

// If a key asks for the menu, it opens at the selection, or else in the middle of the view.
void View::contextMenuEvent(QContextMenuEvent* event) {
  event->accept();
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  emit menu_asked(by_key ? place_of_selection().value_or(rect().center()) : event->pos());
}

std::function<QImage()> prepare_image(View& view, double scale) {
  const Drawing drawing = view.drawing();
  const Page page = page_of(view, drawing ? drawing : on_this_thread(view));
  const double largest =
      kLargestSide / (std::max(page.whole.width(), page.whole.height()) * page.scale);
  const std::optional<int> dpi = view.page().dpi;
  const double factor =
      std::min(dpi ? *dpi / kPixelsPerInch : std::clamp(scale, 1.0, 4.0), largest);
  if (drawing) return [page, factor] { return draw_image(page, factor); };
  return [image = draw_image(page, factor)] { return image; };
}

std::function<QByteArray()> prepare_table(View& view) {
  const QStringList interventions =
      view.table_is_of_request() ? interventions_on(view) : QStringList();
  if (auto table = view.table())
    return [table, interventions] { return with_interventions(table(), interventions); };
  return [bytes = with_interventions(view.csv(), interventions)] { return bytes; };
}

ExportJob prepare_png(View& view, const FilePath& file, double scale) {
  return [image = prepare_image(view, scale), file] { return save_image(image(), file); };
}

ExportJob prepare_svg(View& view, const FilePath& file) {
  return prepare_document(view, file, draw_svg);
}

ExportJob prepare_pdf(View& view, const FilePath& file) {
  const PlainGlyphs plain;
  return [job = prepare_document(view, file, draw_pdf)] {
    const PlainGlyphs plain_here;
    return job();
  };
}

ExportJob prepare_csv(View& view, const FilePath& file) {
  return [table = prepare_table(view), file] { return save(file, table()); };
}

ExportJob prepare_array(View& view, const FilePath& file) {
  return [write = view.arrays(), file] {
    write(file);
    return QString();
  };
}

void ask_for_table(uint64_t events) {
  constexpr double kBytesPerEvent = 512;  // for the text of its row, a copy of that, and the event
  const double bytes = kBytesPerEvent * static_cast<double>(events);
  ask_memory({.bytes = bytes,
              .what = "the table does not fit in memory",
              .where = "",
              .found = std::to_string(events) + " events x 512 bytes = " + bytes_text(bytes),
              .advice = "Write the report of the run instead: it writes its tables in pieces"});
}

QString trouble_of(const std::function<QString()>& job) {
  try {
    return job();
  } catch (const std::exception& error) {
    return QString::fromUtf8(message_of(error));
  }
}

QString export_png(View& view, const FilePath& file, double scale) {
  return trouble_of(prepare_png(view, file, scale));
}
QString export_svg(View& view, const FilePath& file) {
  return trouble_of(prepare_svg(view, file));
}
QString export_pdf(View& view, const FilePath& file) {
  return trouble_of(prepare_pdf(view, file));
}
QString export_csv(View& view, const FilePath& file) {
  return trouble_of(prepare_csv(view, file));
}

}  // namespace attn::gui

#include "moc_view.cpp"

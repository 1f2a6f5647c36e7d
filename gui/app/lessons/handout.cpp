// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/handout.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QScreen>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/program/standard_streams.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/sheets.h"
#include "engine/lesson/run/answer_key.h"
#include "gui/app/view_registry.h"
#include "gui/theme/pdf_fonts.h"
#include "gui/theme/plain_glyphs.h"
#include "gui/theme/theme.h"
#include "gui/views/lessons/choice_input.h"

namespace attn::gui {
namespace {

constexpr double kMargin_mm = 18, kMarginBelow_mm = 10;
constexpr double kWidth_mm = 210 - 2 * kMargin_mm;  // of an A4 page
constexpr double kFooter_mm = 8;                    // height of the footer line
constexpr double kPoints = 10.5;                    // size of the text, points
constexpr double kTitle = 17, kHeading = 13, kFooter = 9;
constexpr int kDpi = 150;              // pixels per inch of the layout; pictures have twice as many
constexpr double kPictureShare = 0.6;  // a picture is at most this part of a page's height
constexpr double kLeastShare = 0.5;    // a picture is reduced to no less than this part of its
                                       // wanted height
constexpr std::chrono::seconds kPatience{60};

struct HandoutWords {
  Q_DECLARE_TR_FUNCTIONS(Handout)
};

QString kind_words(lesson::TaskKind kind) {
  switch (kind) {
    case lesson::TaskKind::kPredict:
      return HandoutWords::tr("Predict, before you look");
    case lesson::TaskKind::kObserve:
      return HandoutWords::tr("What did you see?");
    case lesson::TaskKind::kChange:
      return HandoutWords::tr("Change");
    case lesson::TaskKind::kBuild:
      return HandoutWords::tr("Build");
  }
  return {};
}

}  // namespace

QImage picture_of_start(const lesson::Step& step) {
  EngineBridge bridge;
  Selection selection;
  follow_runs(bridge, selection);
  TimeCursor cursor(bridge);
  const ViewContext context{&bridge, &selection, &cursor, nullptr, nullptr};
  std::vector<std::pair<const ViewEntry*, std::unique_ptr<View>>> views;
  const auto add = [&](const ViewEntry& entry) {
    views.emplace_back(&entry, entry.make(context, nullptr));
  };
  if (const ViewEntry* entry = find_view(step.view)) add(*entry);
  for (const ViewEntry& entry : view_registry())
    if (entry.at_start == AtStart::kPrompt && entry.name != step.view) add(entry);
  bridge.start(step.scenario, true);
  const auto begin = std::chrono::steady_clock::now();
  const auto stands = [&] {
    return bridge.snapshot() && bridge.snapshot()->phase == EnginePhase::kPaused &&
           bridge.runner().pending_commands() == 0;
  };
  while (!stands() && std::chrono::steady_clock::now() - begin < kPatience) {
    QApplication::processEvents(QEventLoop::AllEvents, 20);
    bridge.tick();
  }
  bridge.catch_up();
  QApplication::processEvents();
  for (const auto& [entry, view] : views) {
    if (entry->at_start == AtStart::kNothing || !view->has_export()) continue;
    view->set_page({.fits = {}, .width_mm = kWidth_mm, .dpi = 2 * kDpi});
    view->resize(view->export_size_for(kWidth_mm / 25.4 * 96));
    return prepare_image(*view)();
  }
  return {};
}

namespace {

// The parts of a hand-out, such as a task. Qt splits a frame at the end of a page, so each part is
// a document of its own.
class Parts {
 public:
  Parts(const lesson::AnswerKey& key, bool teacher, QPdfWriter& writer)
      : key_(key),
        teacher_(teacher),
        writer_(writer),
        size_(writer.pageLayout().paintRectPixels(kDpi).size() -
              QSize(0, qRound(kFooter_mm / 25.4 * kDpi))),
        further_(lesson::further_sheets(key)) {}

  void write() {
    begin_part();
    const lesson::About& about = key_.lesson->about;
    block(QString::fromStdString(about.title), kTitle, true, 0);
    if (teacher_) {
      block(HandoutWords::tr(
                "Teacher's copy of %1, version %2. The answers were computed from the runs.")
                .arg(QString::fromStdString(about.id))
                .arg(about.version),
            kPoints, false, 4);
    }
    head_sheet(1);
    for (size_t step = 0; step < key_.steps.size(); ++step) {
      if (step > 0) begin_part();
      write_step(step);
    }
  }

  // Returns the number of pages.
  int print() const {
    std::vector<double> heights;
    for (const auto& part : parts_) heights.push_back(part->size().height());
    const std::vector<HandoutPlace> places = place_on_pages(heights, size_.height(), sheets_);
    QPainter painter(&writer_);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    int pages = 1;
    for (size_t i = 0; i < parts_.size(); ++i)
      pages = std::max(pages, places[i].page + std::max(1, pages_from(places[i].top, heights[i])));
    std::set<int> heads{0};  // pages on which a sheet begins, with its line for the name
    for (const size_t part : sheets_) heads.insert(places[part].page);
    int page = 0;
    print_footer(painter, 1, pages, true);
    for (size_t i = 0; i < parts_.size(); ++i) {
      double top = places[i].top;
      for (double done = 0; done < heights[i]; done += size_.height() - std::exchange(top, 0)) {
        const int wanted = done > 0 ? page + 1 : places[i].page;
        for (; page < wanted; ++page) {
          writer_.newPage();
          print_footer(painter, page + 2, pages, heads.contains(page + 1));
        }
        painter.save();
        painter.translate(0, top - done);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(0, done, size_.width(), size_.height() - top);
        context.palette.setColor(QPalette::Text, Qt::black);
        painter.setClipRect(context.clip);
        parts_[i]->documentLayout()->draw(&painter, context);
        painter.restore();
      }
    }
    return page + 1;
  }

 private:
  int pages_from(double top, double height) const {
    return static_cast<int>(std::ceil((top + height) / size_.height() - 1e-9));
  }
  // A page of learners without the head of a sheet has the line for the name in its footer.
  void print_footer(QPainter& painter, int page, int pages, bool has_head) const {
    QFont font = Theme::instance().font();
    font.setPointSizeF(kFooter);
    painter.setFont(font);
    painter.setPen(Qt::black);
    const double room = kFooter_mm / 25.4 * kDpi;
    const QRectF below(0, size_.height(), size_.width(), room);
    const QString number = HandoutWords::tr("Page %1 of %2").arg(page).arg(pages);
    painter.drawText(below, Qt::AlignRight | Qt::AlignBottom, number);
    const QFontMetricsF metrics(font, &writer_);
    QString heading = QString::fromStdString(lesson::heading_of(*key_.lesson));
    if (!teacher_ && !has_head)
      heading = HandoutWords::tr("Name ______________________________     %1").arg(heading);
    heading = metrics.elidedText(heading, Qt::ElideRight,
                                 size_.width() - metrics.horizontalAdvance(number) - room);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignBottom, heading);
  }
  void begin_part() {
    parts_.push_back(std::make_unique<QTextDocument>());
    QTextDocument& part = *parts_.back();
    part.documentLayout()->setPaintDevice(&writer_);
    QFont font = Theme::instance().font();
    font.setPointSizeF(kPoints);
    part.setDefaultFont(font);
    part.setDocumentMargin(0);
    part.setTextWidth(size_.width());
    cursor_ = QTextCursor(&part);
    first_ = true;
  }
  void block(const QString& text, double points, bool bold, double above) {
    QTextBlockFormat format;
    format.setTopMargin(above * kDpi / 72);
    format.setBottomMargin(3.0 * kDpi / 72);
    QTextCharFormat letters;
    letters.setFontPointSize(points);
    letters.setFontWeight(bold ? QFont::DemiBold : QFont::Normal);
    if (first_) {
      cursor_.setBlockFormat(format);
      cursor_.setBlockCharFormat(letters);
    } else {
      cursor_.insertBlock(format, letters);
    }
    first_ = false;
    cursor_.insertText(text, letters);
  }
  // For the empty block that Qt puts before and after a frame.
  void flatten_block() {
    QTextBlockFormat format;
    format.setLineHeight(1, QTextBlockFormat::FixedHeight);
    cursor_.setBlockFormat(format);
  }
  void text(const std::string& markdown, const QString& before = {}) {
    block(before, kPoints, true, 2);
    cursor_.insertHtml(QString::fromStdString(lesson::markdown_to_html(markdown)));
  }
  // Writes the head of a sheet. Except in the teacher's copy, it has a line for the learner's name.
  void head_sheet(size_t sheet) {
    if (sheet > 1) sheets_.insert(parts_.size() - 1);
    if (!further_.empty())
      block(
          QString::fromStdString(lesson::sheet_words(further_, sheet, key_.lesson->about.language)),
          kPoints, true, 0);
    if (!teacher_)
      block(HandoutWords::tr("Name ______________________________     Date ____________________"),
            kPoints, false, 10);
  }
  std::string filled(const lesson::Text& from, size_t step) const {
    return lesson::filled(from, *key_.steps[step].run);
  }

  bool is_shown_already(size_t index) const {
    return index > 0 && key_.steps[index].run == key_.steps[index - 1].run &&
           key_.lesson->steps[index].view == key_.lesson->steps[index - 1].view;
  }
  void write_step(size_t index) {
    const lesson::Step& step = key_.lesson->steps[index];
    const lesson::HandoutPart part{index, lesson::HandoutPart::kStepText};
    if (const size_t sheet = lesson::sheet_that_begins(further_, part)) head_sheet(sheet);
    block(QStringLiteral("%1. %2").arg(index + 1).arg(QString::fromStdString(step.title)), kHeading,
          true, 12);
    text(filled(step.text, index));
    const QImage picture = is_shown_already(index) ? QImage() : picture_of_start(step);
    if (!picture.isNull()) {
      std::optional<QSizeF> shown = picture_below(
          parts_.back()->size().height() + kPoints * kDpi / 72, picture.size(), size_);
      if (!shown) {
        begin_part();
        shown = picture_below(0, picture.size(), size_);
      }
      const QString name = QStringLiteral("start%1").arg(index);
      parts_.back()->addResource(QTextDocument::ImageResource, QUrl(name), picture);
      // Qt takes the size of an image in pixels of the screen.
      const double pixel = QGuiApplication::primaryScreen()->logicalDotsPerInchY() / kDpi;
      QTextImageFormat format;
      format.setName(name);
      format.setWidth(shown->width() * pixel);
      format.setHeight(shown->height() * pixel);
      if (!first_) cursor_.insertBlock();
      cursor_.insertImage(format);
    }
    for (size_t task = 0; task < step.tasks.size(); ++task) write_task(index, task);
  }

  void write_task(size_t index, size_t which) {
    const lesson::Task& task = key_.lesson->steps[index].tasks[which];
    const lesson::TaskKey& right = key_.steps[index].tasks[which];
    QTextFrameFormat format;
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(QColor(0x55, 0x55, 0x55));
    format.setPadding(6.0 * kDpi / 72);
    format.setTopMargin(6.0 * kDpi / 72);
    format.setBottomMargin(4.0 * kDpi / 72);
    begin_part();
    if (const size_t sheet = lesson::sheet_that_begins(further_, {index, which}))
      head_sheet(sheet);
    else
      flatten_block();
    cursor_.insertFrame(format);
    first_ = true;
    block(kind_words(task.kind), kPoints - 2, true, 0);
    text(lesson::printed_question(*key_.lesson, task, *key_.steps[index].run));
    if (const auto* choice = std::get_if<lesson::ChoiceQuestion>(&task.form)) {
      for (size_t i = 0; i < choice->options.size(); ++i) {
        const bool marked = teacher_ && i == right.option;
        const QString box = marked ? QStringLiteral("☑") : QStringLiteral("☐");
        text(filled(choice->options[i].text, index),
             QStringLiteral("%1 %2  ").arg(box, ChoiceInput::letter(static_cast<int>(i))));
        if (teacher_) text(filled(choice->options[i].explanation, index));
      }
    } else if (!teacher_) {
      QTextTableFormat box;
      box.setWidth(QTextLength(QTextLength::PercentageLength, 100));
      box.setBorder(1);
      box.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      box.setBorderCollapse(true);
      box.setCellPadding(10.0 * kDpi / 72);
      cursor_.insertTable(1, 1, box);
      cursor_.movePosition(QTextCursor::NextBlock);
    }
    if (teacher_) write_key(index, task, right);
    cursor_.movePosition(QTextCursor::End);
    flatten_block();
  }

  void write_key(size_t index, const lesson::Task& task, const lesson::TaskKey& right) {
    const std::string& language = key_.lesson->about.language;
    if (const auto* goal = std::get_if<lesson::Goal>(&task.form)) {
      block(HandoutWords::tr("Goal: %1.")
                .arg(QString::fromStdString(lesson::wanted_words(*goal, right, language))),
            kPoints, true, 4);
      block(HandoutWords::tr("For example: %1.")
                .arg(QString::fromStdString(lesson::solution_words(*goal, language))),
            kPoints, false, 2);
    } else {
      block(HandoutWords::tr("Answer: %1")
                .arg(QString::fromStdString(lesson::teacher_words(task, right))),
            kPoints, true, 4);
    }
    for (size_t i = 0; i < task.hints.size(); ++i)
      text(filled(task.hints[i].text, index), HandoutWords::tr("Hint %1: ").arg(i + 1));
    for (const lesson::Explanation& explanation : task.explanations) {
      QString when;
      if (explanation.when)
        when = *explanation.when == lesson::Outcome::kRight     ? HandoutWords::tr("If right: ")
               : *explanation.when == lesson::Outcome::kTooLow  ? HandoutWords::tr("If too low: ")
               : *explanation.when == lesson::Outcome::kTooHigh ? HandoutWords::tr("If too high: ")
                                                                : HandoutWords::tr("If wrong: ");
      text(filled(explanation.text, index), when);
    }
  }

  const lesson::AnswerKey& key_;
  bool teacher_;
  QPdfWriter& writer_;
  QSizeF size_;  // of a page without margins and footer, in pixels at kDpi
  std::vector<lesson::SheetStart> further_;
  std::set<size_t> sheets_;  // indices of parts that begin a further sheet, on a new page
  std::vector<std::unique_ptr<QTextDocument>> parts_;
  QTextCursor cursor_;  // writes into the last part
  bool first_ = true;
};

}  // namespace

std::optional<QSizeF> picture_below(double text, const QSizeF& picture, const QSizeF& page) {
  const double most = page.height() * kPictureShare;
  const QSizeF wanted = picture.scaled(page.width(), most, Qt::KeepAspectRatio);
  // The space that the text leaves on its last page.
  const double left = page.height() - std::fmod(text, page.height());
  if (wanted.height() <= left) return wanted;
  if (left < kLeastShare * wanted.height()) return std::nullopt;
  return picture.scaled(page.width(), left, Qt::KeepAspectRatio);
}

std::vector<HandoutPlace> place_on_pages(const std::vector<double>& heights, double page,
                                         const std::set<size_t>& new_page) {
  std::vector<HandoutPlace> places;
  HandoutPlace next;
  for (const double height : heights) {
    if (next.top > 0 && (next.top + height > page || new_page.contains(places.size())))
      next = {next.page + 1, 0};
    places.push_back(next);
    next.top += height;
    for (; next.top > page; next.top -= page) ++next.page;
  }
  return places;
}

void write_handout(const HandoutOrder& order) {
  const std::filesystem::path file = lesson::find_lesson(order.lesson, order.language);
  const std::vector<std::filesystem::path> read{file};
  refuse_inputs("--out", order.out, read);
  check_output_place("--out", order.out);
  const lesson::ParsedLesson parsed = lesson::read_lesson(file);
  if (!parsed.ok()) throw parsed.error();
  const lesson::AnswerKey key = lesson::make_answer_key(parsed.lesson);
  Theme::instance().set_mode(ThemeMode::kLight);
  keep_order_of_pdf_fonts();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(kMargin_mm, kMargin_mm, kMargin_mm, kMarginBelow_mm),
                        QPageLayout::Millimeter);
  writer.setResolution(kDpi);
  writer.setTitle(QString::fromStdString(parsed.lesson->about.title));
  const PlainGlyphs plain;
  Parts parts(key, order.teacher, writer);
  parts.write();
  const int pages = parts.print();
  write_file_atomically(order.out,
                        std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
  print_out("wrote {}, {} {}\n", order.out, pages, pages == 1 ? "page" : "pages");
}

}  // namespace attn::gui

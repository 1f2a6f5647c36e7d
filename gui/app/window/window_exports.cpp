// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/window_exports.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "engine/core/error.h"
#include "engine/session/page/run_page.h"
#include "engine/session/record/query_key_value_file.h"
#include "gui/app/beside/beside_panel.h"
#include "gui/app/report/report_figures.h"
#include "gui/app/view_registry.h"
#include "gui/bridge/log.h"
#include "gui/theme/file_dialogs.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/tables/further_tables.h"

namespace attn::gui {

namespace {

// Delay before the next picture of a report, in which the window handles events.
constexpr std::chrono::milliseconds kTurn{1};

// Whether the HTML page of the run can begin with this view. It cannot if the view is in
// BesidePanel, which shows another run.
bool begins_a_page(const View& view) {
  for (const QWidget* at = view.parentWidget(); at; at = at->parentWidget())
    if (qobject_cast<const BesidePanel*>(at)) return false;
  return std::ranges::find(page_views(), view.objectName().toStdString()) != page_views().end();
}

const ViewEntry* entry_of(const View& view) {
  const auto& all = view_registry();
  const auto at = std::ranges::find(all, view.objectName().toStdString(), &ViewEntry::name);
  return at == all.end() ? nullptr : &*at;
}

bool has_own_figure(const View& view) {
  const ViewEntry* entry = entry_of(view);
  return entry && !entry->exports.figure.isEmpty();
}

// Whether the view knows FigureLook::title and own_title.
bool has_title(const View& view) {
  const ViewEntry* entry = entry_of(view);
  return entry && std::ranges::any_of(entry->options, [](const ViewOption& option) {
           return std::string_view(option.name) == "--no-title";
         });
}

// Says which layers the file of the figure has, if all layers were asked for and it does not have
// them all. Otherwise empty.
QString layers_note(const View& view, const FigureSpec& spec) {
  const QString note = spec.look.all_layers ? view.left_out_of_arrays(spec.layer) : QString();
  return note.isEmpty() ? note : QLatin1Char(' ') + note;
}

}  // namespace

WindowExports::WindowExports(RunControl& control, const Selection& selection,
                             const TimeCursor& cursor, const Notes& notes, MessageBar& messages,
                             QWidget& window)
    : control_(control),
      selection_(selection),
      cursor_(cursor),
      notes_(notes),
      messages_(messages),
      window_(window) {
  jobs_.setMaxThreadCount(1);  // one export at a time
}

WindowExports::~WindowExports() {
  jobs_.waitForDone();
}

void WindowExports::finish() {
  prepare_rest_of_report();
  jobs_.waitForDone();
}

QMenu* WindowExports::add_menu(QMenu& exports, const QString& title, View& view) {
  QMenu* menu = exports.addMenu(title);
  for (const QString& format :
       {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")})
    menu->addAction(format.toUpper() + QStringLiteral("…"), this,
                    [this, &view, format] { ask(view, format); });
  if (!has_own_figure(view))
    menu->addAction(tr("Figure with a width…"), this, [this, &view] { ask_picture(view); });
  for (const FurtherTable& table : further_tables_of(view))
    menu->addAction(tr("%1 (CSV)…").arg(table.title), this,
                    [this, &view, name = table.name] { ask_further_table(view, name); });
  if (begins_a_page(view)) add_page(*menu, view);
  menu->addSeparator();
  menu->addAction(tr("Copy the picture"), this, [this, &view] { copy_picture(view); });
  menu->addAction(tr("Copy the table"), this, [this, &view] { copy_table(view); });
  return menu;
}

void WindowExports::add_page(QMenu& exports, View& view) {
  exports.addAction(tr("Interactive page (HTML)…"), this,
                    [this, &view] { ask(view, QStringLiteral("html")); });
}

void WindowExports::ask(View& view, const QString& format) {
  const bool is_page = format == QLatin1String("html");  // of the whole run
  const QString stem = is_page                          ? QStringLiteral("run")
                       : format == QLatin1String("csv") ? view.table_name()
                                                        : view.export_name();
  const QString title =
      is_page ? tr("Export the run as an interactive page") : tr("Export %1").arg(view.title());
  const QString file = ask_save_file(&window_, title, FileKind::kExport, stem, {format});
  if (!file.isEmpty()) write(view, format, file);
}

void WindowExports::ask_further_table(View& view, const QString& name) {
  for (const FurtherTable& table : further_tables_of(view)) {
    if (table.name != name) continue;
    const QString file = ask_save_file(&window_, tr("Export %1").arg(table.title),
                                       FileKind::kExport, name, {QStringLiteral("csv")});
    if (!file.isEmpty() && may_write(file))
      write_in_background(prepare_further_table(table, file), file);
  }
}

bool WindowExports::may_write(const QString& file) {
  const QString refusal = control_.refusal_of_output(file, RunControl::Output::kExport);
  if (!refusal.isEmpty()) messages_.show_message(MessageKind::kError, refusal, file);
  return refusal.isEmpty();
}

void WindowExports::write(View& view, const QString& format, const QString& file) {
  if (!may_write(file)) {
    emit written(file, false);
    return;
  }
  if (format == QLatin1String("html")) return write_page(view, file);
  if (!view.is_complete())
    messages_.show_message(MessageKind::kInfo, tr("Writing %1 …").arg(file), file);
  const auto go = [this, &view, format, file] {
    const ExportJob job = format == QLatin1String("png")   ? prepare_png(view, file, 2)
                          : format == QLatin1String("svg") ? prepare_svg(view, file)
                          : format == QLatin1String("pdf") ? prepare_pdf(view, file)
                                                           : prepare_csv(view, file);
    write_in_background(job, file);
  };
  when_complete(view, go, [this, file](const QString& trouble) {
    messages_.show_message(MessageKind::kError, trouble, file);
    emit written(file, false);
  });
}

void WindowExports::when_complete(View& view, const std::function<void()>& go,
                                  const std::function<void(const QString& trouble)>& failed) {
  view.complete([self = QPointer(this), go, failed](const QString& trouble) {
    if (!self) return;
    if (trouble.isEmpty())
      go();
    else
      failed(trouble);
  });
}

void WindowExports::write_page(const View& view, const QString& file) {
  try {
    write_in_background(prepare_page(control_.bridge(),
                                     {.view = view.objectName().toStdString(),
                                      .request = selection_.shown_request(),
                                      .layer = selection_.shown_layer(),
                                      .head = selection_.shown_head(),
                                      .step = cursor_.is_live() ? 0 : cursor_.step()},
                                     file),
                        file);
  } catch (const std::exception& error) {
    messages_.show_message(MessageKind::kError, QString::fromUtf8(message_of(error)), file);
    emit written(file, false);
  }
}

void WindowExports::ask_figure(View& view, Selection& selection) {
  const auto snapshot = control_.bridge().snapshot();
  if (!snapshot || snapshot->requests.empty()) {
    messages_.show_message(MessageKind::kWarning,
                           tr("There is no figure to export until a run has a request."));
    return;
  }
  // An own title belongs to what was shown when it was written.
  const std::array<int64_t, 3> shown{selection.shown_request(), selection.shown_layer(),
                                     selection.shown_head()};
  if (std::exchange(figure_of_, shown) != shown) figure_.look.own_title.clear();
  figure_.request = selection.shown_request();
  figure_.layer = selection.shown_layer();
  figure_.head = selection.shown_head();
  figure_.colormap = view.options().value(QLatin1String("color_map")).toString();
  const auto automatic = [&view, snapshot](const FigureSpec& spec) {
    const RequestView* of = request_by_id(*snapshot, spec.request);
    return of ? view.figure_title(of->at(spec.layer), spec.layer, spec.head, spec.look) : QString();
  };
  const auto size = [&view, snapshot](const FigureSpec& spec) {
    const RequestView* of = request_by_id(*snapshot, spec.request);
    return FigureDialog::Size{.points = of ? smallest_points(view, of->at(spec.layer), spec) : 0};
  };
  FigureDialog dialog(*snapshot, figure_, &window_, automatic, size);
  if (dialog.exec() != QDialog::Accepted) return;
  figure_ = dialog.spec();
  const QString file = ask_save_file(&window_, dialog.windowTitle(), FileKind::kExport,
                                     figure_stem(view, figure_), {figure_.format});
  if (!file.isEmpty()) write_figure(view, selection, figure_, file);
}

void WindowExports::ask_picture(View& view) {
  const auto snapshot = control_.bridge().snapshot();
  if (!snapshot) return;
  // Title and positions belong to the figure for which they were chosen.
  const QString of = view.export_name();
  if (picture_of_ != of || picture_.request != selection_.shown_request()) {
    picture_.look.own_title.clear();
    picture_.look.positions.reset();
  }
  picture_of_ = of;
  picture_.request = selection_.shown_request();
  const auto ask = [this, &view, snapshot] {
    const FigureFields fields{
        .cells = false, .title = has_title(view), .positions = view.figure_positions()};
    const auto size = [&view](const FigureSpec& spec) { return size_of_picture(view, spec); };
    FigureDialog dialog(*snapshot, picture_, &window_, {}, size, fields);
    dialog.setWindowTitle(tr("Export a figure: %1").arg(view.title()));
    if (dialog.exec() != QDialog::Accepted) return;
    const int64_t request = picture_.request;
    picture_ = dialog.spec();
    picture_.request = request;
    const QString file = ask_save_file(&window_, dialog.windowTitle(), FileKind::kExport,
                                       view.export_name(), {picture_.format});
    if (!file.isEmpty() && may_write(file))
      write_in_background(prepare_sized_picture(view, picture_, file), file);
  };
  when_complete(view, ask, [this](const QString& trouble) {
    messages_.show_message(MessageKind::kError, trouble);
  });
}

void WindowExports::ask_arrays(View& view, const ArraysExport& arrays, Selection& selection) {
  FigureSpec spec = figure_;
  spec.request = selection.shown_request();
  spec.layer = selection.shown_layer();
  spec.head = selection.shown_head();
  spec.look.all_heads = spec.look.all_layers = true;
  QString title = arrays.title;
  QStringList formats{QStringLiteral("safetensors")};
  const auto snapshot = control_.bridge().snapshot();
  const RequestView* of = snapshot ? request_by_id(*snapshot, spec.request) : nullptr;
  if (of && !interventions_of(*of).isEmpty())
    title = tr("%1 (no .npy: it cannot say what is changed in the request)").arg(title);
  else
    formats += QStringLiteral("npy");
  const QString file = ask_save_file(&window_, title, FileKind::kExport, arrays.stem, formats);
  spec.format = QFileInfo(file).suffix().toLower();
  if (!file.isEmpty()) write_figure(view, selection, spec, file);
}

void WindowExports::add_own(QMenu& exports, const ViewExports& own, View& view,
                            Selection& selection) {
  if (!own.figure.isEmpty())
    exports.addAction(own.figure, this, [this, &view, &selection] { ask_figure(view, selection); });
  if (own.arrays)
    exports.addAction(own.arrays->command, this, [this, &view, arrays = *own.arrays, &selection] {
      ask_arrays(view, arrays, selection);
    });
}

void WindowExports::add_query_key_value(QMenu& exports) {
  exports.addAction(tr("Queries, keys and values…"), this, &WindowExports::ask_query_key_value);
}

void WindowExports::ask_query_key_value() {
  const auto snapshot = control_.bridge().snapshot();
  const RequestView* shown =
      snapshot ? request_by_id(*snapshot, selection_.shown_request()) : nullptr;
  if (!shown) {
    messages_.show_message(MessageKind::kWarning,
                           tr("There are no queries, keys and values until a run has a request."));
    return;
  }
  const QString file =
      ask_save_file(&window_, tr("Export queries, keys and values"), FileKind::kExport,
                    QStringLiteral("qkv"), {QStringLiteral("safetensors")});
  if (file.isEmpty() || !may_write(file)) return;
  const auto write = [request = *shown, layer = selection_.shown_layer(), file] {
    write_query_key_value(FilePath(file).path(), request, layer);
    return QString();
  };
  write_in_background(write, file);
}

void WindowExports::write_figure(View& view, Selection& selection, const FigureSpec& spec,
                                 const QString& file) {
  if (!may_write(file)) {
    emit written(file, false);
    return;
  }
  write_in_background(prepare_figure(view, selection, spec, file), file, layers_note(view, spec));
}

void WindowExports::write_in_background(const ExportJob& job, const QString& file,
                                        const QString& note) {
  messages_.show_message(MessageKind::kInfo, tr("Writing %1 …").arg(file), file);
  in_background([job] { return job(); },
                [this, file, note](const QString& trouble) {
                  qCDebug(log_export).noquote()
                      << file << (trouble.isEmpty() ? tr("written") : trouble);
                  messages_.show_message(
                      trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
                      trouble.isEmpty() ? tr("Wrote %1.").arg(file) + note : trouble, file);
                  emit written(file, trouble.isEmpty());
                });
}

void WindowExports::in_background(std::function<QString()> work,
                                  std::function<void(const QString&)> done) {
  jobs_.start([this, work = std::move(work), done = std::move(done)] {
    const QString trouble = trouble_of(work);
    QMetaObject::invokeMethod(
        this, [done, trouble] { done(trouble); }, Qt::QueuedConnection);
  });
}

void WindowExports::copy_picture(View& view) {
  const auto image = std::make_shared<QImage>();
  const auto tell = [this, image, title = view.title()](const QString& trouble) {
    if (trouble.isEmpty()) QGuiApplication::clipboard()->setImage(*image);
    tell_copied(tr("the picture of %1").arg(title), trouble);
  };
  const auto go = [this, &view, image, tell] {
    in_background(
        [draw = prepare_image(view, 2), image] {
          *image = draw();
          return image->isNull()
                     ? tr("There is not enough memory for this picture. Try to export it "
                          "as SVG or PDF.")
                     : QString();
        },
        tell);
  };
  when_complete(view, go, tell);
}

void WindowExports::copy_table(View& view) {
  const auto table = std::make_shared<QByteArray>();
  const auto tell = [this, table, title = view.title()](const QString& trouble) {
    if (trouble.isEmpty()) QGuiApplication::clipboard()->setText(QString::fromUtf8(*table));
    tell_copied(tr("the table of %1").arg(title), trouble);
  };
  const auto go = [this, &view, table, tell] {
    in_background(
        [write = prepare_table(view), table] {
          *table = write();
          return QString();
        },
        tell);
  };
  when_complete(view, go, tell);
}

void WindowExports::tell_copied(const QString& what, const QString& trouble) {
  messages_.show_message(trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
                         trouble.isEmpty() ? tr("Copied %1.").arg(what) : trouble);
  emit copied(trouble.isEmpty());
}

void WindowExports::ask_report(std::vector<View*> views) {
  const QString folder = ask_new_folder(&window_, tr("New folder for the report"),
                                        FileKind::kReport, QStringLiteral("attention-report"));
  if (!folder.isEmpty()) write_report(folder, std::move(views));
}

void WindowExports::write_report(const QString& folder, std::vector<View*> views) {
  prepare_rest_of_report();  // of an earlier report that is still being prepared
  if (!may_write(folder)) {
    emit report_finished(false);
    return;
  }
  try {
    auto work = std::make_unique<ReportWork>();
    work->folder = folder;
    work->report = collect_report(control_.bridge());
    work->report.notes = notes_.all();
    work->report.layer = selection_.shown_layer();
    work->report.head = selection_.shown_head();
    const EngineSnapshot& now = *work->report.snapshot;
    const bool ended = now.phase == EnginePhase::kFinished || now.phase == EnginePhase::kCancelled;
    if (ended && cursor_.is_live()) work->fullest = fullest_step(now);
    work->report.block_table = cursor_.is_live() ? work->fullest.snapshot : cursor_.snapshot();
    // ReportFolder throws here if the folder cannot be written.
    work->place = std::make_unique<ReportFolder>("the report", FilePath(folder).path(), false,
                                                 control_.files_read());
    std::vector<View::LeftOut> left_out;
    std::erase_if(views, [&left_out](const View* view) {
      const auto why = view->left_out_of_report();
      if (why) left_out.push_back(*why);
      return why.has_value();
    });
    refuse_other_report("the report", FilePath(folder).path(),
                        now.scenario ? now.scenario->title : "", report_figures(views));
    for (const View::LeftOut& why : left_out) work->report.messages.push_back(why.note);
    work->views = std::move(views);
    report_work_ = std::move(work);
    messages_.show_message(MessageKind::kInfo, tr("Writing the report to %1 …").arg(folder),
                           folder);
    for (const View::LeftOut& why : left_out)
      messages_.show_message(MessageKind::kWarning, why.message);
    QTimer::singleShot(kTurn, this, &WindowExports::prepare_report);
  } catch (const std::exception& error) {
    messages_.show_message(MessageKind::kError, QString::fromUtf8(message_of(error)), folder);
    emit report_finished(false);
  }
}

// Prepares one picture per turn of the event loop, so that the window stays responsive.
void WindowExports::prepare_report() {
  if (!report_work_) return;
  ReportWork& work = *report_work_;
  if (work.views.empty()) return write_prepared_report();
  View* view = work.views.back();
  const bool at_fullest = work.fullest.snapshot != nullptr;
  if (at_fullest)
    view->show_moment(work.fullest.snapshot, caption_of(work.fullest, work.report.snapshot->step));
  work.pictures.push_back(
      prepare_picture(*view, kPictureFormats[work.format], work.place->work(), 2));
  if (at_fullest) view->leave_moment();
  work.format = (work.format + 1) % std::size(kPictureFormats);
  if (work.format > 0) {
    QTimer::singleShot(kTurn, this, &WindowExports::prepare_report);
    return;
  }
  work.views.pop_back();
  if (view->has_own_table()) {
    if (const auto lacks = view->left_out_of_table()) {
      work.report.messages.push_back(lacks->note);
      messages_.show_message(MessageKind::kWarning, lacks->message);
    }
    for (auto& job : prepare_tables({view}, work.place->work())) work.tables.push_back(job);
  }
  QTimer::singleShot(kTurn, this, &WindowExports::prepare_report);
}

void WindowExports::prepare_rest_of_report() {
  while (report_work_) prepare_report();
}

void WindowExports::write_prepared_report() {
  const std::shared_ptr<ReportWork> work = std::exchange(report_work_, nullptr);
  const auto write = [work] {
    try {
      work->place->fill([&work](const std::filesystem::path& folder) {
        std::vector<std::string>& notes = work->report.messages;
        const std::vector<std::string> tables = run_pictures(work->tables, notes);
        std::vector<std::string>& files = work->report.pictures;
        files = index_pictures(run_pictures(work->pictures, notes));
        // The views were prepared from the last to the first.
        std::ranges::reverse(files);
        files.insert(files.end(), tables.begin(), tables.end());
        write_numbers(work->report, folder);
      });
      return QString();
    } catch (const std::exception& error) {
      return QString::fromUtf8(message_of(error));
    }
  };
  in_background(write, [this, folder = work->folder](const QString& trouble) {
    qCDebug(log_export).noquote() << folder
                                  << (trouble.isEmpty() ? QStringLiteral("written") : trouble);
    messages_.show_message(
        trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
        trouble.isEmpty() ? tr("The report is in %1: open index.html.").arg(folder) : trouble,
        folder);
    emit report_finished(trouble.isEmpty());
  });
}

}  // namespace attn::gui

#include "moc_window_exports.cpp"

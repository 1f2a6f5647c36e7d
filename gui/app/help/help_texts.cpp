// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/help/help_texts.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QSysInfo>
#include <array>
#include <filesystem>

#include "engine/session/scenario/scenario.h"
#include "engine/session/scenario/scenario_groups.h"
#include "gui/app/language.h"
#include "gui/app/view_registry.h"
#include "gui/views/workload/scenario_list.h"

namespace attn::gui {
namespace {

struct HelpWords {
  Q_DECLARE_TR_FUNCTIONS(Help)
};

struct ListedDocument {
  const char* file;
  const char* title;
};
constexpr ListedDocument kListed[] = {
    {"README.md", QT_TRANSLATE_NOOP("Help", "The first minutes")},
    {"manual.md", QT_TRANSLATE_NOOP("Help", "How to …")},
    {"window.md", QT_TRANSLATE_NOOP("Help", "The window")},
    {"lessons.md", QT_TRANSLATE_NOOP("Help", "Lessons")},
    {"heatmap.md", QT_TRANSLATE_NOOP("Help", "Heatmap")},
    {"heads.md", QT_TRANSLATE_NOOP("Help", "Lines and heads")},
    {"block-table.md", QT_TRANSLATE_NOOP("Help", "Blocks")},
    {"metrics.md", QT_TRANSLATE_NOOP("Help", "Metrics")},
    {"timeline.md", QT_TRANSLATE_NOOP("Help", "Timeline")},
    {"events.md", QT_TRANSLATE_NOOP("Help", "Events")},
    {"explore.md", QT_TRANSLATE_NOOP("Help", "What attention does")},
    {"step.md", QT_TRANSLATE_NOOP("Help", "Step")},
    {"backends.md", QT_TRANSLATE_NOOP("Help", "Backends")},
    {"formats.md", QT_TRANSLATE_NOOP("Help", "Scenarios and files")},
    {"LICENSE", QT_TRANSLATE_NOOP("Help", "Licence")}};

QString heading(const QString& text) {
  return QStringLiteral("<h2>%1</h2>").arg(text.toHtmlEscaped());
}
QString small_heading(const QString& text) {
  return QStringLiteral("<h3>%1</h3>").arg(text.toHtmlEscaped());
}
QString paragraph(const QString& text) {
  QString lines = text.toHtmlEscaped();
  return QStringLiteral("<p>%1</p>").arg(lines.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}
QString link(const QString& to, const QString& text) {
  return QStringLiteral("<a href=\"%1\">%2</a>").arg(to, text.toHtmlEscaped());
}
QString named(const QString& name, const QString& text) {
  return QStringLiteral("<p><b>%1</b>: %2</p>").arg(name, text.toHtmlEscaped());
}

// In an installed program the documents are in a folder below the shipped data, in a source tree
// they are beside it.
QString path_of_document(const QString& file) {
  try {
    const std::filesystem::path assets = assets_folder(), name = file.toStdString();
    for (const auto& path : {assets / "docs" / name, assets.parent_path() / "docs" / name,
                             assets.parent_path() / name})
      if (std::error_code failure; std::filesystem::is_regular_file(path, failure))
        return QString::fromStdString(path.string());
  } catch (const std::exception&) {
  }
  return {};
}

QString with_pictures(const QString& text) {
  static const QRegularExpression picture(
      QStringLiteral("!\\[([^\\]]*)\\]\\([^)]*?([a-z0-9-]+\\.png)\\)\n?"));
  QString out;
  qsizetype end = 0;
  for (auto found = picture.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    out += QStringView(text).mid(end, match.capturedStart() - end);
    end = match.capturedEnd();
    const QString name = QStringLiteral("images/") + match.captured(2), words = match.captured(1);
    if (!path_of_picture(name).isEmpty())
      out += QStringLiteral("![%1](%2)\\\n*%1*\n").arg(words, name);
  }
  out += QStringView(text).mid(end);
  return out;
}

}  // namespace

QString help_of_window() {
  QString page =
      heading(HelpWords::tr("What is this window")) +
      paragraph(HelpWords::tr(
          "The engine computes attention, and the window shows its numbers during the run and "
          "after it. Modelled times come from a cost model, not from a clock.")) +
      paragraph(
          HelpWords::tr("Space runs or pauses; after the end it runs again. With the slider in the "
                        "status line most views show an earlier step. A click can select a token, "
                        "a cell, a block or an event; the Inspector then shows its numbers. The "
                        "right mouse button, or the Menu key, opens the menu of a view.")) +
      small_heading(HelpWords::tr("Panels")) +
      named(HelpWords::tr("Workload"),
            HelpWords::tr("Here you set what is computed: the scenario, its prompts and settings. "
                          "If the scenario has a model, type a prompt and press Ctrl+Enter.")) +
      named(HelpWords::tr("Inspector"), HelpWords::tr("The numbers of what is selected."));
  for (const ViewEntry& entry : view_registry())
    if (entry.place != ViewPlace::kTab)
      page += named(link(QStringLiteral("view:") + QString::fromStdString(entry.name), entry.title),
                    entry.look_at);
  page += small_heading(HelpWords::tr("Tabs in the middle"));
  for (const ViewEntry& entry : view_registry())
    if (entry.place == ViewPlace::kTab)
      page += named(link(QStringLiteral("view:") + QString::fromStdString(entry.name), entry.title),
                    entry.look_at);
  return page;
}

QString help_of_view(const View& view, const QString& here) {
  QString page = heading(view.title()) + paragraph(view.about().look_at);
  if (!here.isEmpty()) page += small_heading(HelpWords::tr("At this place")) + paragraph(here);
  page += small_heading(HelpWords::tr("Keys and mouse")) +
          QStringLiteral("<table cellspacing='0' cellpadding='2'>");
  for (const KeyHelp& help : view.key_help())
    page += QStringLiteral("<tr><td style='padding-right:16px'><b>%1</b></td><td>%2</td></tr>")
                .arg(help.keys.toHtmlEscaped(), help.action.toHtmlEscaped());
  page += QStringLiteral("</table>");
  const QString document = view.about().document;
  if (!path_of_document(document).isEmpty())
    page += QStringLiteral("<p>%1</p>")
                .arg(link(QStringLiteral("doc:") + document, HelpWords::tr("Read more")));
  return page;
}

QString help_of_control(const ControlWords& control, const View* view) {
  QString page = heading(control.name) + paragraph(control.meaning);
  if (!control.keys.isEmpty()) page += named(HelpWords::tr("Keys"), control.keys);
  if (!control.refusal.isEmpty()) page += named(HelpWords::tr("Grey now"), control.refusal);
  if (view)
    return page + named(link(QStringLiteral("view:") + view->objectName(), view->title()),
                        view->about().look_at);
  const QString document = QStringLiteral("window.md");
  if (!path_of_document(document).isEmpty())
    page += QStringLiteral("<p>%1</p>")
                .arg(link(QStringLiteral("doc:") + document, HelpWords::tr("The window")));
  return page;
}

QString help_of_scenarios(const QString& title, const QString& description) {
  QString page =
      heading(title.isEmpty() ? HelpWords::tr("This scenario") : title) +
      paragraph(description.isEmpty() ? HelpWords::tr("This scenario has no description.")
                                      : description) +
      heading(HelpWords::tr("Scenarios that come with the program"));
  try {
    for (const ScenarioGroup& group : scenario_groups()) {
      page += small_heading(words_of_group(group.title));
      for (const std::string& shipped : group.scenarios) {
        const QString name = QString::fromStdString(shipped);
        page += named(link(QStringLiteral("scenario:") + name, words_of_scenario(name)),
                      about_scenario(name).description);
      }
    }
  } catch (const std::exception&) {
    page += paragraph(HelpWords::tr("The scenarios of the program were not found."));
  }
  return page;
}

QString help_of_program() {
  return heading(QStringLiteral("Attention Workbench %1").arg(QLatin1String(ATTN_VERSION))) +
         paragraph(HelpWords::tr(
             "The program computes attention and shows weights, kernels, a paged cache and a "
             "scheduler.")) +
         named(HelpWords::tr("Licence"),
               HelpWords::tr("GNU General Public License, version 3 or later. You may use, change "
                             "and pass on the program under its terms. There is no warranty.")) +
         named(HelpWords::tr("Network"), HelpWords::tr("The program opens no connection.")) +
         named(HelpWords::tr("This system"),
               HelpWords::tr("%1, %2, Qt %3")
                   .arg(QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(),
                        QLatin1String(qVersion()))) +
         (path_of_document(QStringLiteral("LICENSE")).isEmpty()
              ? QString()
              : QStringLiteral("<p>%1</p>")
                    .arg(
                        link(QStringLiteral("doc:LICENSE"), HelpWords::tr("Text of the licence"))));
}

std::vector<HelpDocument> help_documents() {
  std::vector<HelpDocument> found;
  for (const ListedDocument& one : kListed)
    if (const QString file = QLatin1String(one.file); !path_of_document(file).isEmpty())
      found.push_back({file, HelpWords::tr(one.title)});
  return found;
}

QString path_of_picture(const QString& name) {
  static const QRegularExpression allowed(QStringLiteral("^images/[a-z0-9-]+\\.png$"));
  return allowed.match(name).hasMatch() ? path_of_document(name) : QString();
}

QString text_of_document(const QString& file) {
  bool listed = false;
  for (const ListedDocument& one : kListed) listed = listed || file == QLatin1String(one.file);
  QFile document(listed ? path_of_document(file) : QString());
  if (!listed || !document.open(QIODevice::ReadOnly)) return {};
  QString text = QString::fromUtf8(document.readAll());
  if (file == QLatin1String("LICENSE")) return QStringLiteral("```\n%1\n```\n").arg(text);
  text = with_pictures(text);
  if (program_language() != QLatin1String("en"))
    text.prepend(QStringLiteral("*%1*\n\n").arg(HelpWords::tr("This document is in English.")));
  return text;
}

}  // namespace attn::gui

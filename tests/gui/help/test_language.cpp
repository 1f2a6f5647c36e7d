// SPDX-License-Identifier: GPL-3.0-or-later
// The German translation: the catalogue, the choice of the language, and texts in the window.
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QXmlStreamReader>
#include <algorithm>
#include <set>

#include "backends/register_all.h"
#include "engine/session/batch/step_facts.h"
#include "engine/session/history/step_history.h"
#include "engine/session/run/engine.h"
#include "engine/session/scenario/scenario_groups.h"
#include "gui/app/commands/language_menu.h"
#include "gui/app/help/help_texts.h"
#include "gui/app/language.h"
#include "gui/app/view_registry.h"
#include "gui/models/words/scenario_words.h"
#include "gui/models/words/sentence_words.h"
#include "gui/views/compare/compare_model.h"
#include "gui/views/lessons/lesson_list.h"
#include "gui/views/workload/description.h"
#include "gui/views/workload/scenario_list.h"
#include "gui/views/workload/workload_panel.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct Message {
  QString source, translation;
  bool finished = true;
};

std::vector<Message> messages() {
  QFile file(QStringLiteral(ATTN_SOURCE_DIR "/gui/translations/attention-workbench_de.ts"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<Message> list;
  for (QXmlStreamReader xml(&file); !xml.atEnd(); xml.readNext()) {
    if (!xml.isStartElement()) continue;
    if (xml.name() == QLatin1String("source")) {
      list.emplace_back().source = xml.readElementText();
    } else if (xml.name() == QLatin1String("translation")) {
      list.back().finished = xml.attributes().value(QLatin1String("type")).isEmpty();
      list.back().translation = xml.readElementText();
    }
  }
  return list;
}

// What a text and its translation must both have: places for values, tags, the mark of a key.
QStringList parts_of(const QString& text) {
  static const QRegularExpression part(
      QStringLiteral("%L?\\d+|%n|</?\\w+[^<>]*>|&(?=\\w)(?!\\w+;)"));
  QStringList parts;
  for (auto at = part.globalMatch(text); at.hasNext();) parts.append(at.next().captured());
  parts.sort();
  return parts;
}

bool same_edges(const QString& a, const QString& b) {
  return a.startsWith(u' ') == b.startsWith(u' ') && a.endsWith(u' ') == b.endsWith(u' ');
}

}  // namespace

class TestLanguage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void every_text_is_translated() {
    const std::vector<Message> all = messages();
    QVERIFY(all.size() > 2000);
    for (const Message& message : all) {
      QVERIFY2(message.finished && !message.translation.isEmpty(), qPrintable(message.source));
      QVERIFY2(parts_of(message.source) == parts_of(message.translation),
               qPrintable(message.source + QStringLiteral(" | ") + message.translation));
      QVERIFY2(same_edges(message.source, message.translation), qPrintable(message.source));
    }
  }

  void the_window_is_english_first() {
    QCOMPARE(program_language(), QStringLiteral("en"));
    QCOMPARE(find_view("heads")->title, QStringLiteral("Heads"));
    QCOMPARE(chosen_language("de", false), QStringLiteral("de"));
  }

  void a_choice_is_kept() {
    for (const QString& word : {QStringLiteral("de"), QStringLiteral("en")}) {
      store_language(word);
      QCOMPARE(chosen_language("", true), word);
    }
    QSettings().setValue(QStringLiteral("language"), QStringLiteral("klingon"));
    QCOMPARE(stored_language(), QString());
    store_language({});
    QVERIFY(!QSettings().contains(QStringLiteral("language")));
  }

  void the_window_speaks_german() {
#ifndef ATTN_TRANSLATIONS
    QSKIP("built without lrelease");
#endif
    use_language(*qApp, QStringLiteral("de"));
    QCOMPARE(find_view("heads")->title, QStringLiteral("Köpfe"));
    QCOMPARE(format_count(2193), QStringLiteral("2193"));
    Workbench bench(load_scenario(find_scenario("first-look")));
    const auto* tabs = bench.window->findChild<QTabWidget*>();
    QStringList titles;
    for (int i = 0; i < tabs->count(); ++i) titles.append(tabs->tabText(i));
    QVERIFY2(titles.contains(QStringLiteral("Vergleich")), qPrintable(titles.join(u',')));
    QCOMPARE(bench.window->actions().open->text(), QStringLiteral("Öffnen…"));
    QCOMPARE(bench.window->findChildren<LanguageMenu*>().size(), 1);
    CompareResult compared;
    CompareRequest& request = compared.requests.emplace_back();
    request.id = 3;
    request.name = "Lily";
    ComparePlace place;
    place.request = 3;
    place.layer = 4;
    place.head = 5;
    place.query = 8;
    place.d = 44;
    QCOMPARE(CompareModel::place_words(compared, place),
             QStringLiteral("Lily, Schicht 4, Kopf 5, Zeile 8, d 44"));
    const auto buttons = bench.window->findChildren<QToolButton*>();
    QVERIFY(std::ranges::any_of(buttons, [](QToolButton* one) {
      return one->accessibleName().startsWith(QStringLiteral("Erster Blick"));
    }));
    QCOMPARE(bench.window->findChild<Description*>()->shown(),
             QStringLiteral("Ein kleines Sprachmodell setzt einen Satz fort, langsam genug zum "
                            "Zusehen."));
    QCOMPARE(shipped_lesson_entries(program_language()).front().title,
             QStringLiteral("Attention von Hand"));
  }

  void scenarios_are_shown_in_german() {
#ifndef ATTN_TRANSLATIONS
    QSKIP("built without lrelease");
#endif
    use_language(*qApp, QStringLiteral("de"));
    // A scenario's own title is not translated, even if the window translates the same word.
    Scenario own;
    own.title = "Step";
    QVERIFY(QObject::tr("Step") != QStringLiteral("Step"));
    QCOMPARE(title_of(own), QStringLiteral("Step"));
    Workbench bench(load_scenario(find_scenario("first-look")));
    const auto boxes = bench.window->findChild<WorkloadPanel*>()->findChildren<QComboBox*>();
    const auto list = std::ranges::find_if(
        boxes, [](QComboBox* box) { return box->accessibleName() == QStringLiteral("Szenario"); });
    QVERIFY(list != boxes.end());
    const QString help = help_of_scenarios({}, {});
    const QStringList same{QStringLiteral("ALiBi"), QStringLiteral("Block-sparse"),
                           QStringLiteral("Encoder")};
    const auto is_german = [&](const std::string& english, const QString& shown) {
      const QString text = QString::fromStdString(english);
      return !shown.isEmpty() && (shown != text || same.contains(text));
    };
    const auto numbers = [](const QString& text) {
      QStringList found;
      static const QRegularExpression number(QStringLiteral("[0-9]+"));
      for (const auto& match : number.globalMatch(text)) found.append(match.captured());
      found.sort();
      return found;
    };
    for (const ScenarioGroup& group : scenario_groups()) {
      QVERIFY((*list)->findText(words_of_group(group.title)) >= 0);
      for (const std::string& file : group.scenarios) {
        const Scenario scenario = load_scenario(find_scenario(file));
        const QString name = words_of_scenario(QString::fromStdString(file));
        QCOMPARE(name, title_of(scenario));
        QVERIFY2(is_german(scenario.title, title_of(scenario)), file.c_str());
        QVERIFY2(is_german(scenario.description, description_of(scenario)), file.c_str());
        QCOMPARE(numbers(description_of(scenario)),
                 numbers(QString::fromStdString(scenario.description)));
        QVERIFY2((*list)->findText(name) >= 0, file.c_str());
        QVERIFY2(help.contains(name.toHtmlEscaped()), file.c_str());
        QVERIFY2(help.contains(description_of(scenario).toHtmlEscaped()), file.c_str());
      }
    }
    QCOMPARE(words_of_group("First steps"), QStringLiteral("Erste Schritte"));
  }

  void kept_work_is_offered_in_german() {
#ifndef ATTN_TRANSLATIONS
    QSKIP("built without lrelease");
#endif
    use_language(*qApp, QStringLiteral("de"));
    const QTemporaryDir folder;
    {
      Workbench closed(load_scenario(find_scenario("first-look")));
      QVERIFY(closed.control.open(QStringLiteral("first-look")));
      closed.window->recovery().begin(folder.path());
      Scenario own = closed.control.scenario();
      own.requests.front().prompt = "A sentence of my own";
      closed.control.edit(own);
      QVERIFY(closed.window->close());
    }
    QFile file(QDir(folder.path())
                   .filePath(QDir(folder.path()).entryList({QStringLiteral("*.json")}).value(0)));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray kept = file.readAll();
    kept.replace("Erster Blick", "First look");
    file.resize(0);
    file.seek(0);
    file.write(kept);
    file.close();
    Workbench next(load_scenario(find_scenario("long-prompt")));
    next.window->recovery().begin(folder.path());
    const QString told = next.window->message_bar()->text();
    QVERIFY2(told.contains(QStringLiteral("Erster Blick")), qPrintable(told));
  }

  // Names of the originals, such as BlockDiagonalCausalMask, are not translated.
  void reasons_and_masks_of_kernel_calls_are_german() {
#ifndef ATTN_TRANSLATIONS
    QSKIP("built without lrelease");
#endif
    use_language(*qApp, QStringLiteral("de"));
    std::set<QString> told, masks;
    for (const char* name : {"long-prompt", "first-look", "xformers-packed", "xformers-alibi",
                             "xformers-cached-prompt", "torch-partitions", "pallas-padded",
                             "pallas-cached-prompt", "pallas-split-calls", "fast-or-invariant"}) {
      Scenario scenario = load_scenario(find_scenario(name));
      scenario.engine.clock = ClockKind::kVirtual;
      EngineOptions options;
      options.keep_attention = false;
      options.history_bytes = size_t{1} << 26;
      Engine engine(scenario, options);
      for (int step = 0; step < 4 && engine.step(); ++step) continue;
      const EngineSnapshot now = engine.snapshot(EnginePhase::kPaused);
      for (uint32_t step = 1; step <= now.step; ++step) {
        const auto facts = step_facts(*now.history->restore(now, step));
        QVERIFY2(facts, name);
        for (const StepFacts::Layers& layers : facts->layers) {
          for (const PlannedMask& mask : layers.masks) masks.insert(words_of(mask.name));
          for (const PlannedCall& call : layers.calls)
            for (const Sentence& reason : call.reasons) {
              const QString words = words_of(reason);
              QVERIFY2(words != QString::fromStdString(english(reason)), qPrintable(words));
              QVERIFY2(!words.contains(u'%'), qPrintable(words));
              told.insert(words);
            }
        }
      }
    }
    QVERIFY(masks.contains(QStringLiteral("BlockDiagonalCausalMask")));
    QVERIFY(masks.contains(QStringLiteral("Regel im Kernel")));
    QVERIFY(masks.contains(QStringLiteral("Regel in der Context-Attention")));
    for (const QString& mask : masks) QVERIFY2(!mask.startsWith(u"rule "), qPrintable(mask));
    QVERIFY2(told.size() > 20, qPrintable(QString::number(told.size())));
    QVERIFY(told.contains(QStringLiteral("Ein Aufruf für alle Prompts.")));
  }
};

ATTN_QT_TEST(test_language, attn::gui::test::run<TestLanguage>)
#include "test_language.moc"

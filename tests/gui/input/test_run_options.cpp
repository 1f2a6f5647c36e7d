// SPDX-License-Identifier: GPL-3.0-or-later
// What `run` says of options that do not fit together.
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "gui/app/command_line.h"
#include "gui/app/headless/headless.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestRunOptions : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  // The error names the views that were asked for and those that know the option.
  void a_title_needs_a_view_that_knows_it() {
    const QString folder = refusal("run x --export out --views words,metrics --title A");
    QVERIFY2(
        folder.startsWith(QStringLiteral(
            "no view that is asked for knows this option at --title: found the views `words`, "
            "`metrics`, allowed `run` with --views one of heatmap, lines, heads, next_token, ")),
        qPrintable(folder));
    QVERIFY2(folder.endsWith(QStringLiteral(", patching")), qPrintable(folder));
    const QString one = refusal("run x --figure a.svg --views words --no-title");
    QVERIFY2(one.contains(QStringLiteral("at --no-title: found the view `words`, allowed ")),
             qPrintable(one));
    const QString screenshot = refusal("--screenshot a.png --show who --rank entropy");
    QVERIFY2(screenshot.endsWith(QStringLiteral("found the view `attribution`, allowed `run` with "
                                                "--views heads, or --screenshot with --show "
                                                "heads")),
             qPrintable(screenshot));
    QCOMPARE(refusal("run x --figure a.svg --title A"), QString());  // of the heatmap
    QCOMPARE(refusal("run x --export out --title A"), QString());
  }

  void new_tokens_are_those_of_ones_own_prompt() {
    const CommandLine line = parse_command_line(
        {"run", "first-look", "--export", "out", "--prompt", "The cat sat.", "--max-tokens", "3"});
    QVERIFY(line.max_tokens == 3);
    QVERIFY(refusal("run x --export out --max-tokens 3")
                .endsWith(QStringLiteral("at --max-tokens: found no --prompt, allowed --prompt "
                                         "TEXT. See --help.")));
    for (const char* number : {"0", "-1", "ten", "1048577"})
      QVERIFY2(
          refusal((std::string("run x --export out --prompt Hi --max-tokens ") + number).c_str())
              .contains(QStringLiteral("--max-tokens")),
          number);
    QVERIFY(refusal("--prompt Hi --max-tokens 3 --screenshot a.png")
                .contains(QStringLiteral("another mode")));
  }

  void a_run_generates_as_many_tokens_as_asked() {
    const QTemporaryDir folder;
    const auto run = [&](const char* scenario, const char* tokens) {
      run_and_export(
          parse_command_line({"run", scenario, "--clock", "virtual", "--prompt", "The cat sat.",
                              "--max-tokens", tokens, "--views", "words", "--force", "--export",
                              folder.filePath(QStringLiteral("out")).toStdString()}));
      QFile file(folder.filePath(QStringLiteral("out/scenario.json")));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(run("first-look", "3").contains("\"max_tokens\": 3"));
    QVERIFY(run("first-look", "5").contains("\"max_tokens\": 5"));
    try {
      run("masked-word", "5");
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(error.parts().where, std::string("--max-tokens"));
      QCOMPARE(error.exit_code(), 2);
    }
  }

 private:
  static QString refusal(const char* arguments) {
    std::vector<std::string> words;
    for (const QString& word : QString::fromLatin1(arguments).split(QLatin1Char(' ')))
      words.push_back(word.toStdString());
    try {
      parse_command_line(words);
    } catch (const Error& error) {
      return QString::fromUtf8(error.what());
    }
    return {};
  }
};

ATTN_QT_TEST(test_run_options, attn::gui::test::run<TestRunOptions>)
#include "test_run_options.moc"

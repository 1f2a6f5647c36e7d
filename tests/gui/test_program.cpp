// SPDX-License-Identifier: GPL-3.0-or-later
// The program with too few threads, in another locale, and without installed fonts.
#include "gui/app/program.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QProcess>
#include <QTemporaryDir>
#include <string_view>

#include "engine/core/error.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// Called in a child process.
int without_threads() {
  constexpr uid_t kNobody = 65534;  // the limit that is set here does not hold for root
  if (geteuid() == 0 && setuid(kNobody) != 0) return 77;
  const rlimit one{1, 1};
  if (setrlimit(RLIMIT_NPROC, &one) != 0) return 77;
  if (startable_threads(4) == 4) return 77;  // the system does not enforce the limit
  try {
    require_threads();
    return 1;
  } catch (const Error& error) {
    const std::string_view text = error.what();
    return text.find("does not let this program start enough threads") != text.npos &&
                   text.find("ulimit -u") != text.npos
               ? 0
               : 2;
  }
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void enough_threads() {
    QCOMPARE(startable_threads(0), 0);
    QCOMPARE(startable_threads(5), 5);
    require_threads();
  }

  void too_few_threads_are_told() {
    const pid_t child = fork();
    QVERIFY(child >= 0);
    if (child == 0) _exit(without_threads());
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) QSKIP("threads cannot be limited here");
    QCOMPARE(WEXITSTATUS(status), 0);
  }

  void numbers_do_not_follow_the_locale() {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(format_number(1234.5, 5), QStringLiteral("1.234,5"));
    use_one_number_format();
    QCOMPARE(format_number(1234.5, 5), QStringLiteral("1,234.5"));
    QVERIFY(missing_fonts().isEmpty());
  }

  void a_picture_without_fonts_in_another_locale() {
    const QString program =
        QCoreApplication::applicationDirPath() + QStringLiteral("/attention-workbench");
    if (!QFile::exists(program)) QSKIP("the program is not built here");
    QTemporaryDir folder;
    const QString fonts = folder.filePath(QStringLiteral("fonts.conf"));
    QFile out(fonts);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig/>");
    out.close();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("FONTCONFIG_FILE"), fonts);
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("de_DE.UTF-8"));
    QProcess process;
    process.setProcessEnvironment(environment);
    const QString pictures = folder.filePath(QStringLiteral("out"));
    process.start(program,
                  {QStringLiteral("run"), QStringLiteral("first-look"), QStringLiteral("--views"),
                   QStringLiteral("heatmap"), QStringLiteral("--scale"), QStringLiteral("1"),
                   QStringLiteral("--export"), pictures});
    QVERIFY(process.waitForFinished(-1));
    const QString told = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(process.exitCode() == 0, qPrintable(told));
    QVERIFY2(told.contains(QStringLiteral("No fonts are installed")), qPrintable(told));
    QVERIFY(told.contains(QStringLiteral("fonts-inter")));
    QFile picture(pictures + QStringLiteral("/heatmap.svg"));
    QVERIFY(picture.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(picture.readAll());
    QVERIFY(text.contains(QRegularExpression(QStringLiteral(">0\\.[0-9]+<"))));
    QVERIFY(!text.contains(QRegularExpression(QStringLiteral(">0,[0-9]+<"))));
  }
};

ATTN_QT_TEST(test_program, attn::gui::test::run<TestProgram>)
#include "test_program.moc"

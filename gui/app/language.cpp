// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/language.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>
#include <atomic>

#include "gui/app/window/checked_settings.h"

// Q_INIT_RESOURCE must be outside of any namespace.
static void load_translations() {
#ifdef ATTN_TRANSLATIONS
  Q_INIT_RESOURCE(translations);
#endif
}

namespace attn::gui {
namespace {

const QString kSetting = QStringLiteral("language");
std::atomic<bool> german = false;

// The program's texts have one context, whatever class they are in. Texts of Qt's classes have
// another one: some of them, such as the key name "Right", need another translation.
class OneContext : public QTranslator {
 public:
  using QTranslator::QTranslator;
  QString translate(const char* context, const char* text, const char* comment,
                    int n) const override {
    const std::string_view of(context);
    const bool of_qt = of.starts_with('Q') && of != "QObject";
    return QTranslator::translate(of_qt ? "Qt" : "Workbench", text, comment, n);
  }
};

}  // namespace

const std::vector<std::string>& language_words() {
  static const std::vector<std::string> words{"en", "de"};
  return words;
}

QString stored_language() {
  QString word;
  read_checked([&](QSettings& settings) { word = settings.value(kSetting).toString(); });
  return std::ranges::find(language_words(), word.toStdString()) == language_words().end()
             ? QString()
             : word;
}

void store_language(const QString& word) {
  QSettings settings;
  if (word.isEmpty())
    settings.remove(kSetting);
  else
    settings.setValue(kSetting, word);
}

QString chosen_language(std::string_view asked, bool use_settings) {
  if (!asked.empty()) return QString::fromUtf8(asked.data(), static_cast<qsizetype>(asked.size()));
  if (use_settings)
    if (const QString word = stored_language(); !word.isEmpty()) return word;
  const QStringList spoken = QLocale::system().uiLanguages();
  const bool speaks_german =
      !spoken.isEmpty() && spoken.front().section(QLatin1Char('-'), 0, 0) == QLatin1String("de");
  return speaks_german ? QStringLiteral("de") : QStringLiteral("en");
}

void use_language(QApplication& app, const QString& word) {
  german = word == QLatin1String("de");
  if (!german) return;
  load_translations();
  // German readers would take 2,193 for a number a little above two.
  QLocale numbers;
  numbers.setNumberOptions(numbers.numberOptions() | QLocale::OmitGroupSeparator);
  QLocale::setDefault(numbers);
  auto* of_qt = new QTranslator(&app);
  if (of_qt->load(QStringLiteral("qtbase_de"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    app.installTranslator(of_qt);
  auto* own = new OneContext(&app);
  if (own->load(QStringLiteral(":/translations/attention-workbench_de.qm")))
    app.installTranslator(own);
}

QString program_language() {
  return german ? QStringLiteral("de") : QStringLiteral("en");
}

}  // namespace attn::gui

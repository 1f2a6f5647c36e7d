// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_texts.h"

#include <QJsonArray>
#include <QMenu>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "gui/theme/file_dialogs.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

constexpr int kTakeMs = 50;  // ms between two looks at the progress
constexpr qsizetype kLongestName = 300, kLongestPath = 4096;

// The numbers of a head in a session file: first the scores, then the counts.
constexpr std::optional<double> HeadScores::*kScoreFields[] = {
    &HeadScores::entropy_nats,      &HeadScores::relative_entropy, &HeadScores::distance_tokens,
    &HeadScores::distance_variance, &HeadScores::first_share,      &HeadScores::previous,
    &HeadScores::induction,         &HeadScores::duplicate};
constexpr int64_t HeadScores::*kCountFields[] = {
    &HeadScores::rows,          &HeadScores::relative_rows,  &HeadScores::first_rows,
    &HeadScores::previous_rows, &HeadScores::induction_rows, &HeadScores::duplicate_rows};

QJsonArray numbers_of(const HeadScores& head) {
  QJsonArray numbers;
  for (const auto field : kScoreFields)
    numbers.append(head.*field ? QJsonValue(*(head.*field)) : QJsonValue());
  for (const auto field : kCountFields) numbers.append(static_cast<qint64>(head.*field));
  return numbers;
}

std::optional<HeadScores> head_of(const QJsonArray& numbers) {
  if (numbers.size() != std::ssize(kScoreFields) + std::ssize(kCountFields)) return std::nullopt;
  HeadScores head;
  qsizetype at = 0;
  for (const auto field : kScoreFields)
    if (const QJsonValue value = numbers[at++]; value.isDouble()) head.*field = value.toDouble();
  for (const auto field : kCountFields) {
    head.*field = numbers[at++].toInteger(-1);
    if (head.*field < 0) return std::nullopt;
  }
  return head;
}

}  // namespace

// Written on the engine thread, read on the GUI thread.
struct HeadTexts::Shared {
  std::atomic<bool> begun{false};
  std::atomic<double> progress{0};
};

HeadTexts::HeadTexts(Inside& inside, EngineBridge& bridge, QWidget* view)
    : QObject(view), inside_(inside), bridge_(bridge), view_(view), button_(new QToolButton) {
  button_->setAccessibleName(tr("Texts of the scores"));
  button_->setPopupMode(QToolButton::InstantPopup);
  button_->setAutoRaise(true);
  button_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(button_);
  menu->setToolTipsVisible(true);
  button_->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, &HeadTexts::fill_menu);
  fill_menu();
  timer_.setInterval(kTakeMs);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (!is_computing()) timer_.stop();
    const int percent = static_cast<int>(100 * shared_->progress);
    if (std::exchange(told_percent_, percent) != percent || !is_computing()) emit changed();
  });
  connect(&bridge, &EngineBridge::run_started, this, [this] {
    trouble_.clear();
    emit changed();
  });
  refresh();
}

HeadTexts::~HeadTexts() = default;

QString HeadTexts::refusal() const {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot || !snapshot->scenario) return tr("No model is loaded yet.");
  if (!snapshot->scenario->source.reads_text())
    return tr("Scores over texts need a model that reads texts; this run has none.");
  if (snapshot->source.num_encoder_layers() > 0)
    return tr(
        "Scores over texts need a model that reads one text; this one reads two texts, one in its "
        "encoder and one in its decoder.");
  return {};
}

std::shared_ptr<const HeadsOverTexts> HeadTexts::shown() const {
  const auto& snapshot = bridge_.snapshot();
  const bool is_current =
      known_ && snapshot && snapshot->scenario && same_settings(*of_, *snapshot->scenario);
  return is_current ? known_ : nullptr;
}

void HeadTexts::show_request() {
  known_ = nullptr;
  cancel();
}

void HeadTexts::cancel() {
  inside_.cancel(this);
  trouble_.clear();
  emit changed();
}

void HeadTexts::show_shipped() {
  show(shipped_texts(), QString::fromLatin1(kShippedTexts));
}

void HeadTexts::show_file(const FilePath& file) {
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::absolute(file.path(), none);
  show(none ? file : FilePath(whole), FilePath(file.path().filename()).shown());
}

void HeadTexts::show(const FilePath& file, const QString& name) {
  inside_.cancel(this);
  trouble_ = refusal();
  if (!trouble_.isEmpty()) {
    emit changed();
    return;
  }
  const auto result = std::make_shared<HeadsOverTexts>();
  result->name = name;
  shared_ = std::make_shared<Shared>();
  told_percent_ = -1;
  const std::shared_ptr<const Scenario> settings = bridge_.snapshot()->scenario;
  inside_.compute_alone(
      this,
      [result, settings, path = file.path(), shared = shared_](
          const std::shared_ptr<Source>& source, const Execution& execution) {
        shared->begun = true;
        auto scores = score_texts(
            *settings, source, read_texts(path),
            [&shared](double share) { shared->progress = share; }, execution.gate);
        if (scores) result->scores = std::move(*scores);
        return scores.has_value();
      },
      [this, result, settings, path = file.path()](const QString& trouble) {
        if (trouble.isEmpty() && result->name != QLatin1String(kShippedTexts)) file_ = path;
        trouble_ = trouble;
        known_ = trouble.isEmpty() ? result : nullptr;
        of_ = settings;
        emit changed();
      });
  timer_.start();
  emit changed();
}

QJsonObject HeadTexts::saved() const {
  const auto now = shown();
  if (!now) return {};
  QJsonArray heads;
  for (const HeadScores& head : now->scores.heads) heads.append(numbers_of(head));
  return {{QStringLiteral("name"), now->name},
          {QStringLiteral("file"),
           now->name == QLatin1String(kShippedTexts) ? QString() : FilePath(file_).shown()},
          {QStringLiteral("texts"), static_cast<qint64>(now->scores.texts)},
          {QStringLiteral("tokens"), static_cast<qint64>(now->scores.tokens)},
          {QStringLiteral("cut"), static_cast<qint64>(now->scores.cut)},
          {QStringLiteral("longest"), static_cast<qint64>(now->scores.longest)},
          {QStringLiteral("heads"), heads}};
}

void HeadTexts::show_saved(const QJsonObject& texts) {
  const auto& snapshot = bridge_.snapshot();
  if (texts.isEmpty() || !snapshot || !snapshot->scenario) return;
  auto result = std::make_shared<HeadsOverTexts>();
  result->name = texts.value(QLatin1String("name")).toString();
  const std::pair<const char*, int64_t*> counts[] = {{"texts", &result->scores.texts},
                                                     {"tokens", &result->scores.tokens},
                                                     {"cut", &result->scores.cut},
                                                     {"longest", &result->scores.longest}};
  for (const auto& [key, count] : counts) {
    *count = texts.value(QLatin1String(key)).toInteger(-1);
    if (*count < 0) return;
  }
  for (const QJsonValue& value : texts.value(QLatin1String("heads")).toArray()) {
    const auto head = head_of(value.toArray());
    if (!head) return;
    result->scores.heads.push_back(*head);
  }
  const int64_t heads = snapshot->source.num_layers * snapshot->source.num_heads;
  if (result->name.isEmpty() || result->name.size() > kLongestName ||
      std::ssize(result->scores.heads) != heads)
    return;
  cancel();
  if (const QString file = texts.value(QLatin1String("file")).toString();
      file.size() <= kLongestPath)
    file_ = FilePath(file).path();
  known_ = std::move(result);
  of_ = snapshot->scenario;
  emit changed();
}

void HeadTexts::wait() {
  inside_.wait_for(this);
}

QString HeadTexts::state_line() const {
  if (!is_computing()) return trouble_;
  if (!shared_->begun)
    return tr(
        "The scores over texts begin between two steps of the engine; a run that is paused inside "
        "a step has to end it first. Esc cancels.");
  return tr("Scores over texts: %1% is computed, and the run waits meanwhile. Esc cancels.")
      .arg(static_cast<int>(100 * shared_->progress));
}

void HeadTexts::fill_menu() {
  QMenu& menu = *button_->menu();
  menu.clear();
  const QString refused = refusal();
  const auto now = shown();
  const auto add = [&](const QString& text, const QString& tip, bool is_on, auto&& act) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(is_on);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, act);
    return action;
  };
  const QString stories = QString::fromLatin1(kShippedTexts);
  add(tr("Scores of this request"), tr("The scores are those of the request that is shown"),
      !now && !is_computing(), [this] { show_request(); });
  add(tr("Over the shipped texts “%1”").arg(stories),
      refused.isEmpty() ? tr("Short stories with repeated words") : refused,
      now && now->name == stories, [this] { show_shipped(); })
      ->setEnabled(refused.isEmpty());
  const QString file = FilePath(file_.filename()).shown();
  if (!file.isEmpty())
    add(tr("Over the texts of “%1”").arg(file),
        refused.isEmpty() ? tr("Read the file %1 again").arg(FilePath(file_).shown()) : refused,
        now && now->name == file, [this] { show_file(file_); })
        ->setEnabled(refused.isEmpty());
  add(file.isEmpty() ? tr("Over the texts of a file…") : tr("Over the texts of another file…"),
      refused.isEmpty() ? tr("A UTF-8 file with a text on each line") : refused, false,
      [this] { choose_file(); })
      ->setEnabled(refused.isEmpty());
}

void HeadTexts::choose_file() {
  const QString file = ask_open_file(view_, tr("Open a file with a text on each line"),
                                     FileKind::kTexts, tr("Texts (*.txt);;All files (*)"));
  if (file.isEmpty()) return fill_menu();
  show_file(file);
}

void HeadTexts::open_menu() {
  trouble_ = refusal();
  if (!trouble_.isEmpty()) {
    emit changed();
    return;
  }
  fill_menu();
  const QPoint below = button_->isVisible() ? button_->mapToGlobal(QPoint(0, button_->height()))
                                            : view_->mapToGlobal(QPoint(0, 0));
  button_->menu()->popup(below);
}

void HeadTexts::refresh() {
  const auto now = shown();
  const QString refused = refusal();
  button_->setText(now ? tr("Texts: %1").arg(now->name) : tr("Texts"));
  button_->setToolTip(
      refused.isEmpty() ? tr("Show the scores over many texts instead of those of the request (T)")
                        : refused);
}

}  // namespace attn::gui

#include "moc_head_texts.cpp"

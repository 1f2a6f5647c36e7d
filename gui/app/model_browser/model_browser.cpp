// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/model_browser/model_browser.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QSet>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/session/scenario/scenario.h"
#include "gui/models/file_path.h"
#include "gui/models/plain_tooltip.h"
#include "gui/models/text.h"
#include "gui/theme/file_dialogs.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

enum ModelColumn {
  kNameColumn,
  kTypeColumn,
  kParametersColumn,
  kWeightsColumn,
  kSizeColumn,
  kStateColumn,
  kNumColumns
};
// Data of a line. kPath: the path of the model, or of the folder if the line is a group. kModel:
// the model's name or path in a scenario. kReal: OpenedModels::real_path() of a model. kModelTitle:
// the title of a group.
constexpr int kPath = Qt::UserRole, kModel = kPath + 1, kReal = kPath + 2, kModelTitle = kPath + 3;

// "1.10 B": billions of parameters, "15.2 M": millions.
QString parameters_words(int64_t count) {
  const RoundedCount rounded = rounded_parameters(count);
  const QString number = QLocale().toString(rounded.value, 'f', rounded.decimals);
  switch (rounded.unit) {
    case CountUnit::kBillions:
      return ModelBrowser::tr("%1 B", "billions").arg(number);
    case CountUnit::kMillions:
      return ModelBrowser::tr("%1 M", "millions").arg(number);
    default:
      return number;
  }
}

QString type_words(const SourceShape& shape) {
  switch (shape.type_of_model()) {
    case AttentionType::kEncoderOnly:
      return ModelBrowser::tr("encoder");
    case AttentionType::kEncoderDecoder:
      return ModelBrowser::tr("encoder and decoder");
    default:
      return ModelBrowser::tr("decoder");
  }
}

QString joined(const std::vector<std::string>& words) {
  QStringList list;
  for (const std::string& word : words) list.append(text_of(word));
  return list.join(QStringLiteral(", "));
}

bool matches(const QTreeWidgetItem& line, const QString& wanted) {
  if (line.data(kNameColumn, kPath).toString().contains(wanted, Qt::CaseInsensitive)) return true;
  for (int column = 0; column < kNumColumns; ++column)
    if (line.text(column).contains(wanted, Qt::CaseInsensitive)) return true;
  return false;
}

}  // namespace

ModelBrowser::ModelBrowser(const RunControl& control, OpenedModels& opened, ModelSearch& search,
                           QStringList places, QWidget* parent)
    : QDialog(parent),
      control_(control),
      opened_(opened),
      places_(std::move(places)),
      filter_(new QLineEdit),
      list_(new QTreeWidget),
      details_(new QPlainTextEdit),
      progress_(new QLabel),
      open_(new QPushButton(tr("&Open"))),
      use_(new QPushButton(tr("&Use in the scenario"))),
      forget_(new QPushButton(tr("&Remove from the list"))),
      search_(search) {
  setWindowTitle(tr("Models"));
  const Theme& theme = Theme::instance();
  resize(theme.px(980), theme.px(560));
  filter_->setPlaceholderText(tr("Filter by name, type or folder"));
  filter_->setAccessibleName(tr("Filter of the models"));
  filter_->setClearButtonEnabled(true);
  filter_->installEventFilter(this);
  list_->setColumnCount(kNumColumns);
  list_->setHeaderLabels(
      {tr("Model"), tr("Type"), tr("Parameters"), tr("Weights"), tr("Size"), tr("Runs here")});
  list_->setAccessibleName(tr("Models on this machine"));
  list_->setAllColumnsShowFocus(true);
  list_->setUniformRowHeights(true);
  for (const ModelColumn column : {kParametersColumn, kSizeColumn})
    list_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  list_->header()->setStretchLastSection(true);
  list_->header()->setSectionsMovable(false);
  details_->setReadOnly(true);
  details_->setTabChangesFocus(true);
  details_->setAccessibleName(tr("About the model"));
  details_->setFixedHeight(theme.px(120));
  progress_->setAccessibleName(tr("Progress of the search"));

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->addButton(open_, QDialogButtonBox::AcceptRole);
  buttons->addButton(use_, QDialogButtonBox::ActionRole);
  auto* look = buttons->addButton(tr("&Look into a folder…"), QDialogButtonBox::ActionRole);
  buttons->addButton(forget_, QDialogButtonBox::ActionRole);
  open_->setToolTip(tr("Opens the model and runs it with an example prompt."));
  look->setToolTip(tr("Lists the models in a folder and in the folders below it."));
  forget_->setToolTip(tr("Removes a model or a folder from this list. No files are deleted."));
  for (QPushButton* button : {use_, look, forget_, buttons->button(QDialogButtonBox::Close)})
    button->setAutoDefault(false);
  open_->setDefault(true);

  auto* column = new QVBoxLayout(this);
  column->addWidget(filter_);
  column->addWidget(list_, 1);
  column->addWidget(details_);
  column->addWidget(progress_);
  column->addWidget(buttons);

  connect(filter_, &QLineEdit::textChanged, this, &ModelBrowser::filter);
  connect(list_, &QTreeWidget::currentItemChanged, this, &ModelBrowser::show_details);
  // Not itemActivated, because Enter reaches the default button, Open.
  connect(list_, &QTreeWidget::itemDoubleClicked, this, &ModelBrowser::open_current);
  connect(open_, &QPushButton::clicked, this, &ModelBrowser::open_current);
  connect(use_, &QPushButton::clicked, this, [this] { emit use_wanted(current(kModel)); });
  connect(&control, &RunControl::scenario_changed, this, &ModelBrowser::show_use);
  connect(look, &QPushButton::clicked, this, &ModelBrowser::ask_folder);
  connect(forget_, &QPushButton::clicked, this, &ModelBrowser::forget_current);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(&search_, &ModelSearch::found, this, &ModelBrowser::take_found);
  connect(&search_, &ModelSearch::checked, this, &ModelBrowser::take_check);
  connect(&search_, &ModelSearch::ended, this, &ModelBrowser::end_search);
  fill();
}

ModelBrowser::~ModelBrowser() {
  search_.cancel();
}

void ModelBrowser::fill() {
  QStringList paths;
  QTreeWidgetItem* bundled = add_group(0, tr("Come with the program"));
  try {
    for (const std::string& name : shipped_models()) {
      const QString path = FilePath(find_model(name)).shown();
      add_model(bundled, path, text_of(name));
      paths.append(path);
    }
  } catch (const std::exception& error) {
    bundled->setText(kStateColumn, QString::fromUtf8(message_of(error)));
  }
  if (const QStringList models = opened_.models(); !models.isEmpty()) {
    before_ = add_group(1, tr("Run before"));
    for (const QString& path : models) add_model(before_, path, path);
    paths += models;
  }
  QStringList folders = opened_.folders();
  for (const QString& place : places_)
    if (!folders.contains(place)) folders.append(place);
  for (const QString& folder : folders) add_folder(list_->topLevelItemCount(), folder);
  list_->expandAll();
  list_->setCurrentItem(bundled->childCount() > 0 ? bundled->child(0) : bundled);
  search_.search(paths, folders);
  tell_progress();
}

void ModelBrowser::look_into(const QString& folder) {
  opened_.add_folder(folder);
  const QString whole = OpenedModels::whole_path(folder);
  if (QTreeWidgetItem* earlier = groups_.value(whole)) remove(earlier);
  list_->setCurrentItem(add_folder(before_ ? 2 : 1, whole));
  search_.search({}, {whole});
  tell_progress();
  filter();
}

QTreeWidgetItem* ModelBrowser::add_folder(int at, const QString& folder) {
  QTreeWidgetItem* group = add_group(at, tr("In %1").arg(QDir::toNativeSeparators(folder)));
  group->setData(kNameColumn, kPath, folder);
  groups_[folder] = group;
  return group;
}

QTreeWidgetItem* ModelBrowser::add_group(int at, const QString& title) {
  auto* group = new QTreeWidgetItem(QStringList{title});
  group->setData(kNameColumn, kModelTitle, title);
  list_->insertTopLevelItem(at, group);
  group->setFirstColumnSpanned(true);
  QFont bold = group->font(kNameColumn);
  bold.setBold(true);
  group->setFont(kNameColumn, bold);
  return group;
}

void ModelBrowser::add_model(QTreeWidgetItem* group, const QString& path, const QString& model) {
  auto* line = new QTreeWidgetItem(group, {text_of(model_label(FilePath(path).path()))});
  line->setData(kNameColumn, kPath, path);
  line->setData(kNameColumn, kModel, model);
  line->setData(kNameColumn, kReal, OpenedModels::real_path(path));
  line->setToolTip(kNameColumn, plain_tooltip(QDir::toNativeSeparators(path)));
  line->setTextAlignment(kParametersColumn, Qt::AlignRight | Qt::AlignVCenter);
  line->setTextAlignment(kSizeColumn, Qt::AlignRight | Qt::AlignVCenter);
  line->setText(kStateColumn, tr("being read…"));
  lines_.insert(path, line);
  if (const auto check = checks_.constFind(path); check != checks_.constEnd())
    show_check(line, *check);
}

void ModelBrowser::remove_lines(QTreeWidgetItem* group) {
  for (QTreeWidgetItem* line : group->takeChildren()) {
    lines_.remove(line->data(kNameColumn, kPath).toString(), line);
    delete line;
  }
}

// Removes a line, or a group with its lines; with the only line of a group also the group. If the
// choice was in it, the line or group after it is chosen, or else the one before it.
void ModelBrowser::remove(QTreeWidgetItem* item) {
  QTreeWidgetItem* parent = item->parent();
  if (parent && parent->childCount() == 1) return remove(parent);
  QTreeWidgetItem* siblings = parent ? parent : list_->invisibleRootItem();
  const QTreeWidgetItem* current = list_->currentItem();
  if (current && (current == item || current->parent() == item)) {
    const int at = siblings->indexOfChild(item);
    list_->setCurrentItem(siblings->child(at + 1 < siblings->childCount() ? at + 1 : at - 1));
  }
  const QString path = item->data(kNameColumn, kPath).toString();
  if (parent) {
    lines_.remove(path, item);
  } else {
    remove_lines(item);
    groups_.remove(path);
    if (item == before_) before_ = nullptr;
  }
  delete item;
}

void ModelBrowser::take_found(const QString& folder, const FoundModels& found) {
  QTreeWidgetItem* group = groups_.value(folder);
  if (!group) return;
  remove_lines(group);  // lines from an earlier search in this folder
  for (const std::filesystem::path& path : found.models) {
    const QString shown = FilePath(path).shown();
    add_model(group, shown, shown);
  }
  QStringList remarks;
  if (found.models.empty()) remarks.append(tr("no models"));
  if (found.closed_folders > 0)
    remarks.append(counted(found.closed_folders, tr("1 folder could not be read"),
                           tr("%1 folders could not be read")));
  if (!found.all)
    remarks.append(tr("the search ended after %1 models, %2 files and folders, or %3 levels of "
                      "folders")
                       .arg(format_count(static_cast<int64_t>(kMostFoundModels)),
                            format_count(kMostFoundNames))
                       .arg(kMostFoundDepth));
  if (!remarks.isEmpty())
    group->setData(
        kNameColumn, kModelTitle,
        tr("In %1 (%2)").arg(QDir::toNativeSeparators(folder), remarks.join(QStringLiteral("; "))));
  group->setExpanded(true);
  filter();
  tell_progress();
}

void ModelBrowser::take_check(const QString& path, const ModelCheck& check) {
  checks_[path] = check;
  for (QTreeWidgetItem* line : lines_.values(path)) {
    show_check(line, check);
    if (line == list_->currentItem()) show_details();
  }
  filter();
  tell_progress();
}

void ModelBrowser::show_check(QTreeWidgetItem* line, const ModelCheck& check) {
  line->setText(kTypeColumn, text_of(check.type));
  if (check.num_parameters > 0)
    line->setText(kParametersColumn, parameters_words(check.num_parameters));
  line->setText(kWeightsColumn, joined(check.element_types));
  if (check.stored_bytes > 0)
    line->setText(kSizeColumn, format_bytes(static_cast<double>(check.stored_bytes)));
  const bool runs = check.problems.empty();
  line->setText(kStateColumn,
                runs ? tr("yes") : tr("no: %1").arg(text_of(check.problems.sentences()[0])));
  if (!runs)
    line->setToolTip(kStateColumn, plain_tooltip(QString::fromUtf8(check.problems.error().what())));
}

void ModelBrowser::end_search() {
  for (int column = 0; column < kStateColumn; ++column) list_->resizeColumnToContents(column);
  list_->setColumnWidth(kNameColumn, std::min(list_->columnWidth(kNameColumn), width() / 3));
  tell_progress();
}

void ModelBrowser::tell_progress() {
  const QStringList paths = lines_.uniqueKeys();
  const auto all = static_cast<int64_t>(paths.size());
  const auto read = static_cast<int64_t>(
      std::ranges::count_if(paths, [&](const QString& path) { return checks_.contains(path); }));
  QSet<QString> models;
  for (const QTreeWidgetItem* line : lines_)
    models.insert(line->data(kNameColumn, kReal).toString());
  progress_->setText(search_.is_going_on()
                         ? tr("%1 of %2 models read…").arg(format_count(read), format_count(all))
                         : counted(std::ssize(models), tr("1 model"), tr("%1 models")));
}

// A group is hidden if the filter hides all of its models. Of the lines of one model, the first
// that matches is shown.
void ModelBrowser::filter() {
  const QString wanted = filter_->text().trimmed();
  QTreeWidgetItem* first = nullptr;
  QSet<QString> listed;
  for (int g = 0; g < list_->topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = list_->topLevelItem(g);
    bool any = wanted.isEmpty();
    int64_t above = 0;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* line = group->child(i);
      const QString real = line->data(kNameColumn, kReal).toString();
      const bool is_again = listed.contains(real);
      const bool shown = !is_again && (wanted.isEmpty() || matches(*line, wanted));
      above += is_again ? 1 : 0;
      if (shown) listed.insert(real);
      line->setHidden(!shown);
      any |= shown;
      if (shown && !first) first = line;
    }
    group->setHidden(!any);
    const QString title = group->data(kNameColumn, kModelTitle).toString();
    group->setText(kNameColumn, above == 0
                                    ? title
                                    : QStringLiteral("%1 – %2").arg(
                                          title, counted(above, tr("1 model is listed above"),
                                                         tr("%1 models are listed above"))));
  }
  const QTreeWidgetItem* current = list_->currentItem();
  if (!current || current->isHidden()) list_->setCurrentItem(first);
}

void ModelBrowser::show_use() {
  const bool has_model = control_.scenario().source.reads_text();
  use_->setEnabled(has_model && !current(kModel).isEmpty());
  use_->setToolTip(has_model ? tr("Use this model in the scenario; its requests stay.")
                             : tr("The source of this scenario is not a model. Choose Model as the "
                                  "source in the panel Workload first."));
}

void ModelBrowser::show_details() {
  const QTreeWidgetItem* line = list_->currentItem();
  const QString path = line ? line->data(kNameColumn, kPath).toString() : QString();
  const bool is_model = line && line->parent();
  open_->setEnabled(is_model);
  show_use();
  forget_->setEnabled(opened_.models().contains(path) || opened_.folders().contains(path));
  QStringList text;
  if (!path.isEmpty()) text.append(QDir::toNativeSeparators(path));
  const auto check = checks_.constFind(path);
  if (is_model && check != checks_.constEnd()) {
    const SourceShape& shape = check->shape;
    if (shape.num_layers > 0)
      text.append(tr("%1; %2, %3, %4, head size %5; %6 tokens in the vocabulary, at most %7 in a "
                     "sequence")
                      .arg(type_words(shape),
                           counted(shape.num_layers, tr("1 layer of attention"),
                                   tr("%1 layers of attention")),
                           counted(shape.num_heads, tr("1 head"), tr("%1 heads")),
                           counted(shape.num_kv_heads, tr("1 KV head"), tr("%1 KV heads")),
                           format_count(shape.head_size), format_count(shape.vocab_size),
                           format_count(shape.max_model_len)));
    if (check->needed_bytes > 0)
      text.append(tr("%1 of memory while it is loaded")
                      .arg(format_bytes(static_cast<double>(check->needed_bytes))));
    if (!check->problems.empty()) text.append(tr("It cannot run here:"));
    for (const std::string& sentence : check->problems.sentences())
      text.append(QStringLiteral("• ") + text_of(sentence));
    for (const std::string& note : check->notes) text.append(QStringLiteral("• ") + text_of(note));
  }
  details_->setPlainText(text.join(QLatin1Char('\n')));
}

QString ModelBrowser::current(int role) const {
  const QTreeWidgetItem* line = list_->currentItem();
  return line && line->parent() ? line->data(kNameColumn, role).toString() : QString();
}

void ModelBrowser::open_current() {
  if (const QString path = current(kPath); !path.isEmpty()) emit open_wanted(path);
}

// Forgets that the chosen model was run before, or that the chosen folder was searched. What is
// listed for another reason, too, stays there.
void ModelBrowser::forget_current() {
  const QTreeWidgetItem* current = list_->currentItem();
  if (!current) return;
  const QString path = current->data(kNameColumn, kPath).toString();
  opened_.forget(path);
  for (QTreeWidgetItem* line : lines_.values(path))
    if (line->parent() == before_) remove(line);
  if (QTreeWidgetItem* group = groups_.value(path); group && !places_.contains(path)) remove(group);
  tell_progress();
  filter();
  show_details();
}

void ModelBrowser::ask_folder() {
  const QString folder =
      ask_open_folder(this, tr("Look for models in a folder"), FileKind::kOpened);
  if (!folder.isEmpty()) look_into(folder);
}

// Up, Down, Page up and Page down in the filter move the choice in the list.
bool ModelBrowser::eventFilter(QObject* watched, QEvent* event) {
  if (watched == filter_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
        key == Qt::Key_PageDown) {
      QCoreApplication::sendEvent(list_, event);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace attn::gui

#include "moc_model_browser.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/patching/patching_prompts.h"

#include <QHBoxLayout>
#include <QLabel>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

// The prompts differ in one word. The answer should repeat that word.
constexpr const char* kClean = "Tom saw a big dog. He was scared of the big";
constexpr const char* kCorrupted = "Tom saw a big cat. He was scared of the big";

}  // namespace

PatchingPrompts::PatchingPrompts(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  const Theme& theme = Theme::instance();
  row->setContentsMargins(theme.px(12), theme.px(4), theme.px(12), theme.px(4));
  row->setSpacing(theme.px(6));
  clean_ = add(tr("Clean"), tr("Clean prompt"), tr("The prompt whose answer is to be explained"));
  corrupted_ = add(tr("Corrupted"), tr("Corrupted prompt"),
                   tr("The clean prompt with a word replaced by another of as many tokens"));
  right_ = add(tr("Pair"), tr("Token of the clean answer"),
               tr("The first token of the pair whose logits are compared; empty: the likeliest "
                  "token after the clean prompt"));
  wrong_ = add(
      tr("and"), tr("Token of the corrupted answer"),
      tr("The second token of the pair; empty: the likeliest token after the corrupted prompt or, "
         "if that is the first token of the pair, the likeliest other one after the clean prompt"));
  for (QLineEdit* field : {right_, wrong_}) {
    field->setPlaceholderText(tr("likeliest"));
    field->setMaximumWidth(theme.px(84));
  }
  row->setStretchFactor(clean_, 1);
  row->setStretchFactor(corrupted_, 1);
  clean_->setText(QString::fromLatin1(kClean));
  corrupted_->setText(QString::fromLatin1(kCorrupted));
}

QLineEdit* PatchingPrompts::add(const QString& label, const QString& name, const QString& tip) {
  auto* words = new QLabel(label);
  auto* field = new QLineEdit;
  words->setBuddy(field);
  field->setAccessibleName(name);
  field->setToolTip(tip);
  field->setMaxLength(kMostPromptLength);
  field->setMinimumWidth(Theme::instance().px(40));
  layout()->addWidget(words);
  layout()->addWidget(field);
  connect(field, &QLineEdit::editingFinished, this, &PatchingPrompts::edited);
  connect(field, &QLineEdit::textEdited, this, &PatchingPrompts::typed);
  return field;
}

PatchingWish PatchingPrompts::wish() const {
  return {.clean = clean_->text(),
          .corrupted = corrupted_->text(),
          .right = right_->text().trimmed(),
          .wrong = wrong_->text().trimmed()};
}

void PatchingPrompts::set_wish(const PatchingWish& wish) {
  clean_->setText(wish.clean);
  corrupted_->setText(wish.corrupted);
  right_->setText(wish.right);
  wrong_->setText(wish.wrong);
}

}  // namespace attn::gui

#include "moc_patching_prompts.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/view_menu.h"

#include <QClipboard>
#include <QGuiApplication>

#include "gui/app/commands/actions.h"
#include "gui/app/view_registry.h"
#include "gui/models/explore/inside.h"
#include "gui/models/words/request_words.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

QString plain_entry(QString text) {
  return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

const RequestView* request_in(const TimeCursor& cursor, int64_t id) {
  return cursor.snapshot() ? request_by_id(*cursor.snapshot(), id) : nullptr;
}

}  // namespace

void tell_refusals(QMenu& menu) {
  menu.setToolTipsVisible(true);
  QObject::connect(&menu, &QMenu::aboutToShow, &menu, [&menu] {
    for (QAction* action : menu.actions())
      if (action->property("refusal").isValid()) action->setToolTip(refusal_of(*action));
  });
}

ViewMenu::ViewMenu(const ViewMenuTargets& targets, View& view, const QPoint& at, QWidget* parent)
    : QMenu(parent), targets_(targets), point_(view.point_at(at)) {
  explain_ = addAction(tr("What is this"), this, [this] { targets_.explain(point_.text); });
  tour_ = addAction(tr("What am I looking at?"), this, [this] { targets_.tour(); });
  addSeparator();
  add_copies();
  addSeparator();
  add_selects();
  add_what_if();
  add_fork();
  addSeparator();
  addActions(view.actions());
  addSeparator();
  add_open(view);
  export_ = targets_.add_export(*this);
  export_->setTitle(tr("Export this view"));
  refuse(*export_->menuAction(), view.nothing_to_export());
  tell_refusals(*this);
}

void ViewMenu::add_copies() {
  const auto copy = [this](const QString& entry, const QString& text) {
    return addAction(plain_entry(entry), this,
                     [text] { QGuiApplication::clipboard()->setText(text); });
  };
  for (const ViewPoint::Number& number : point_.numbers)
    copies_.push_back(copy(tr("Copy number: %1 %2").arg(number.name, number.text), number.text));
  if (copies_.empty()) refuse(*addAction(tr("Copy number")), tr("there is no number here"));
  QAction* text = copy(tr("Copy the description"), point_.text);
  if (point_.text.isEmpty()) refuse(*text, tr("there is nothing here"));
}

void ViewMenu::add_selects() {
  for (const SelectionState& thing : point_.things) {
    const SelectionState state = whole(thing);
    selects_.push_back(addAction(plain_entry(tr("Select %1").arg(words_of(state))), this,
                                 [this, state] { targets_.selection.select(state); }));
  }
  if (point_.things.empty() && (point_.request >= 0 || point_.head >= 0)) {
    const QString words =
        point_.head >= 0             ? tr("layer %1, head %2").arg(point_.layer).arg(point_.head)
        : targets_.cursor.snapshot() ? request_name(*targets_.cursor.snapshot(), point_.request)
                                     : tr("request %1").arg(point_.request);
    selects_.push_back(addAction(plain_entry(tr("Show %1 in the views").arg(words)), this,
                                 [this] { go_there(); }));
  }
  if (selects_.empty())
    refuse(*addAction(tr("Select")), tr("this menu cannot select anything here"));
  if (!point_.step) return;
  step_ = addAction(tr("Go to step %1").arg(*point_.step), this,
                    [this] { targets_.cursor.go_to(*point_.step); });
}

void ViewMenu::add_what_if() {
  if (!targets_.inside) return;
  const auto add = [&](const QString& text, const Intervention& what) {
    WhatIfList& list = targets_.inside->what_if();
    const Intervention* now = list.at_place_of(what);
    QAction* action = addAction(text, this, [&list, what] { list.toggle(what); });
    action->setCheckable(true);
    action->setChecked(now && *now == what);
    if (!targets_.inside->refusal().isEmpty()) refuse(*action, targets_.inside->refusal());
  };
  const bool has_cell =
      !point_.things.empty() && point_.things.front().kind == SelectionKind::kCell;
  if (!has_cell && point_.head < 0) return;
  Intervention head;
  head.layer = point_.layer >= 0 ? point_.layer : targets_.selection.shown_layer();
  head.head = point_.head >= 0 ? point_.head : targets_.selection.shown_head();
  if (has_cell) {
    const SelectionState cell = whole(point_.things.front());
    head.layer = cell.layer;
    head.head = cell.head;
    Intervention edge = head;
    edge.kind = InterventionKind::kEdge;
    edge.query = cell.query;
    edge.key = cell.key;
    add(tr("Knock-out: query %1 does not read key %2").arg(cell.query).arg(cell.key), edge);
  }
  add(tr("Knock-out: head %1.%2 off").arg(head.layer).arg(head.head), head);
}

// Adds the entry that opens the view in which the other token is chosen.
void ViewMenu::add_fork() {
  if (!targets_.inside || point_.things.empty()) return;
  const SelectionState token = whole(point_.things.front());
  if (token.kind != SelectionKind::kToken || token.query < 1) return;
  fork_ = addAction(plain_entry(tr("Fork: another token in place of %1…").arg(words_of(token))),
                    this, [this] {
                      targets_.inside->set_on(true);
                      go_there();
                      for (const ViewEntry& entry : view_registry())
                        if (entry.chooses_fork) targets_.open(entry);
                    });
  if (!targets_.inside->refusal().isEmpty()) refuse(*fork_, targets_.inside->refusal());
}

void ViewMenu::add_open(const View& view) {
  open_ = addMenu(tr("Open in"));
  tell_refusals(*open_);
  for (const ViewEntry& entry : view_registry()) {
    if (!entry.follows_selection) continue;
    QAction* action = open_->addAction(entry.title, this, [this, &entry] {
      go_there();
      targets_.open(entry);
    });
    action->setToolTip(entry.look_at);
    action->setData(QString::fromStdString(entry.name));
    if (QString::fromStdString(entry.name) == view.objectName())
      refuse(*action, tr("this view is open"));
  }
  const bool somewhere =
      !point_.things.empty() || point_.request >= 0 || point_.head >= 0 || point_.step;
  if (!somewhere)
    refuse(*open_->menuAction(), tr("there is nothing at this place to show in another view"));
}

SelectionState ViewMenu::whole(const SelectionState& thing) const {
  SelectionState state = thing;
  if (state.kind == SelectionKind::kCell || state.kind == SelectionKind::kToken) {
    if (state.request < 0) state.request = targets_.selection.shown_request();
  }
  if (state.kind == SelectionKind::kCell) {
    if (state.layer < 0) state.layer = targets_.selection.shown_layer();
    if (state.head < 0) state.head = targets_.selection.shown_head();
  }
  return state;
}

QString ViewMenu::words_of(const SelectionState& thing) const {
  const RequestView* request = request_in(targets_.cursor, thing.request);
  const auto token = [&](int64_t position) {
    QString words = tr("token %1").arg(position);
    if (request && request->tokens && position >= 0 &&
        position < static_cast<int64_t>(request->tokens->size()))
      words +=
          QLatin1Char(' ') + quoted_token((*request->tokens)[static_cast<size_t>(position)].text);
    return words;
  };
  switch (thing.kind) {
    case SelectionKind::kCell:
      return tr("the cell of query %1, key %2").arg(thing.query).arg(thing.key);
    case SelectionKind::kToken:
      return token(thing.query);
    case SelectionKind::kBlock:
      return thing.in_host_pool ? tr("block %1 of the swap pool").arg(thing.block)
                                : tr("block %1").arg(thing.block);
    case SelectionKind::kSpan:
      return tr("event %1").arg(thing.event + 1);  // the view Events counts from 1
    case SelectionKind::kNothing:
      break;
  }
  return {};
}

void ViewMenu::go_there() const {
  Selection& selection = targets_.selection;
  if (point_.step) {
    if (*point_.step > targets_.cursor.range().last)
      targets_.cursor.go_live();
    else
      targets_.cursor.go_to(*point_.step);
  }
  if (!point_.things.empty()) selection.select(whole(point_.things.front()));
  if (point_.request >= 0 || point_.head >= 0)
    selection.show(point_.request >= 0 ? point_.request : selection.shown_request(),
                   point_.layer >= 0 ? point_.layer : selection.shown_layer(),
                   point_.head >= 0 ? point_.head : selection.shown_head());
}

}  // namespace attn::gui

#include "moc_view_menu.cpp"

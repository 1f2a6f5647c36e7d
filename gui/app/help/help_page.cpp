// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/help/help_page.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

#include "gui/app/help/help_texts.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr size_t kMostPages = 64;

constexpr int kMargin = 16;  // px around a page
constexpr std::chrono::milliseconds kResized{200};

}  // namespace

// A text browser that loads only pictures of the documents, and makes wide ones fit the page.
class HelpPage::Browser : public QTextBrowser {
 public:
  explicit Browser(const QWidget& page) : page_(page) {}
  QVariant loadResource(int type, const QUrl& name) override {
    if (type != QTextDocument::ImageResource) return {};
    QImage picture(path_of_picture(name.toString()));
    if (picture.isNull()) return {};
    has_pictures = true;
    const double ratio = devicePixelRatioF();
    const int room = page_.width() - 2 * kMargin - verticalScrollBar()->sizeHint().width();
    const int width = std::clamp(room, 1, picture.width());
    picture = picture.scaledToWidth(qRound(width * ratio), Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    return picture;
  }
  bool has_pictures = false;  // true: the shown page has pictures

 private:
  const QWidget& page_;
};

HelpPage::HelpPage(QWidget* window)
    : QDialog(window), text_(new Browser(*this)), back_(new QToolButton) {
  resized_.setSingleShot(true);
  resized_.setInterval(kResized);
  connect(&resized_, &QTimer::timeout, this, [this] {
    const int at = text_->verticalScrollBar()->value();
    refresh();
    text_->verticalScrollBar()->setValue(at);
  });
  setAttribute(Qt::WA_DeleteOnClose);
  text_->setOpenLinks(false);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setAccessibleName(tr("Help"));
  back_->setIcon(icon(Icon::kBack));
  back_->setText(tr("Back"));
  back_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  back_->setAutoRaise(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 8, 8, 8);
  row->addWidget(back_);
  row->addStretch(1);
  row->addWidget(buttons);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(text_, 1);
  column->addLayout(row);
  connect(text_, &QTextBrowser::anchorClicked, this,
          [this](const QUrl& link) { emit followed(link.toString()); });
  connect(back_, &QToolButton::clicked, this, [this] {
    if (pages_.size() < 2) return;
    pages_.pop_back();
    refresh();
  });
  connect(&Theme::instance(), &Theme::changed, this, &HelpPage::restyle);
  const Theme& theme = Theme::instance();
  resize(std::min(theme.px(680), std::max(window->width() - 40, 320)),
         std::min(theme.px(560), std::max(window->height() - 40, 240)));
  restyle();
}

void HelpPage::show_page(const QString& title, std::function<void(QTextDocument& page)> fill) {
  if (pages_.size() == kMostPages) pages_.erase(pages_.begin());
  pages_.push_back({title, std::move(fill)});
  refresh();
  show();
  raise();
  activateWindow();
  text_->setFocus();
}

void HelpPage::refresh() {
  if (pages_.empty()) return;
  setWindowTitle(pages_.back().title);
  // The document is filled before it is shown, because a shown document may be laid out again while
  // it is filled.
  auto* document = new QTextDocument(text_);
  document->setDocumentMargin(kMargin);
  document->setDefaultFont(Theme::instance().font());
  text_->has_pictures = false;
  pages_.back().fill(*document);
  text_->setDocument(document);
  delete std::exchange(document_, document);
  text_->moveCursor(QTextCursor::Start);
  back_->setEnabled(pages_.size() > 1);
}

QTextBrowser* HelpPage::text() const {
  return text_;
}

void HelpPage::resizeEvent(QResizeEvent* event) {
  QDialog::resizeEvent(event);
  if (text_->has_pictures && event->oldSize().width() != width()) resized_.start();
}

void HelpPage::restyle() {
  const Theme& theme = Theme::instance();
  text_->setFont(theme.font());
  text_->document()->setDefaultFont(theme.font());
  QPalette palette = text_->palette();
  palette.setColor(QPalette::Base, theme.colors().surface);
  palette.setColor(QPalette::Text, theme.colors().text);
  palette.setColor(QPalette::Link, theme.colors().accent);
  text_->setPalette(palette);
  refresh();
}

}  // namespace attn::gui

#include "moc_help_page.cpp"

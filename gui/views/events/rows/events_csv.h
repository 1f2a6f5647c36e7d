// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the table as CSV, in the order shown. The columns of the screen without the number
// (times in ns, details in English with plain numbers), and a, b, c, d as they were recorded, so
// that the event parses back bit-equal. Any thread.
#pragma once

#include <QByteArray>

#include "gui/views/events/rows/event_rows.h"

namespace attn::gui {

// begin_ns,duration_ns,kind,lane,step,layer,request,block,details,a,b,c,d. lane 0 is the
// engine, 1 + w worker w; empty: the event has no such thing.
QByteArray events_csv(const EventRowsPicture& rows);

}  // namespace attn::gui

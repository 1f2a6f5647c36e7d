// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the table as CSV, in the order shown. Any thread.
#pragma once

#include <QByteArray>

#include "gui/views/events/rows/event_rows.h"

namespace attn::gui {

// Columns: begin_ns,duration_ns,kind,lane,step,layer,request,block,details,a,b,c,d. Lane 0 is the
// engine, 1 + w is worker w. step, layer, request and block are empty if the event has none.
QByteArray events_csv(const EventRowsPicture& rows);

}  // namespace attn::gui

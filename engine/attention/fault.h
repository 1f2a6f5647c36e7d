// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded faults in the metadata of a batch (engine/core/seeded_fault.h).
#pragma once

#include "engine/core/seeded_fault.h"

#define ATTN_METADATA_FAULTS(X)                                                                 \
  X(kPrefillKeepsPlan) /* the prefill part asks for a captured plan, which only decodes have */ \
  X(kDecodeLosesPlan)  /* the decode part does not ask for it */

ATTN_SEEDED_FAULTS_OF(metadata_faults, ATTN_METADATA_FAULTS)

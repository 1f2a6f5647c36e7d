// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded faults: deliberate mistakes in parts of the program, switched on one at a time to test the
// tests (tests/mutants). Without ATTN_SEEDED_FAULTS, ATTN_IS_SEEDED() is `false`.
//
// A part lists its faults as a macro of X(name) and calls ATTN_SEEDED_FAULTS_OF(namespace, list) in
// the global namespace. Its sources ask ATTN_IS_SEEDED(namespace, name), often by a shorter macro.
#pragma once

#ifdef ATTN_SEEDED_FAULTS
#define ATTN_FAULT_ENUMERATOR(name) name,
#define ATTN_FAULT_ENTRY_OF(name) {name, #name},
#define ATTN_SEEDED_FAULTS_OF(space, list)                             \
  namespace attn::space {                                              \
  enum Fault { kNoFault, list(ATTN_FAULT_ENUMERATOR) };                \
  inline Fault seeded = kNoFault;                                      \
  struct NamedFault {                                                  \
    Fault fault;                                                       \
    const char* name;                                                  \
  };                                                                   \
  inline constexpr NamedFault kFaults[] = {list(ATTN_FAULT_ENTRY_OF)}; \
  }
#define ATTN_IS_SEEDED(space, name) (::attn::space::seeded == ::attn::space::name)
#else
#define ATTN_SEEDED_FAULTS_OF(space, list)
#define ATTN_IS_SEEDED(space, name) false
#endif

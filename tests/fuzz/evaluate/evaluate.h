// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Evaluates a kernel on the host, exactly. Each work-item runs alone, statement by statement. Only statements that
// contain a work-group barrier or a sub-group function are run by several work-items in step.
#pragma once

#include "language/kernel.h"

#include <set>
#include <stdexcept>

namespace lanecl::fuzz {

// The places at which the plain text is undefined for a work-item that reaches them. A guard makes the behavior defined
// without changing any value that was defined before.
struct Unguarded {
  std::set<const Expr *> expressions{};
  // By function and variable: the variable is read before it is written.
  std::set<std::pair<unsigned, unsigned>> variables{};
  // Sub-group calls that give some lane an undefined value, identified by the expression of their value.
  std::set<const Expr *> calls{};
  bool empty() const { return expressions.empty() && variables.empty() && calls.empty(); }
};

// Thrown when the kernel is of no use: its behavior is undefined in a way that no guard can mend, or it runs too long.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Records the values of a work-item's variables when the work-item first reaches a statement.
struct Watch {
  const Stmt *statement = nullptr;
  int32_t item = 0; // its number in the NDRange
  bool reached = false;
  // The variables of the statement's function, scalar by scalar. Empty for a pointer, and for a variable that does not
  // have a value in all its parts.
  std::vector<std::vector<uint64_t>> variables{};
};

// The bits that OpenCL C leaves open.
struct Unknown {
  uint64_t choice = 0; // the value assumed for them; every choice gives the same known bits
  Contents bits{};     // which bits of memory are unknown at the end
};

// Runs all work-groups with sub-groups of that size and returns what memory holds afterwards. Throws Rejected.
Contents evaluate(const Kernel &kernel, const NDRange &range, unsigned width, Unguarded &unguarded,
                  Watch *watch = nullptr, Unknown *unknown = nullptr);

} // namespace lanecl::fuzz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel on the host, exactly: each work-item alone, statement after statement. Only statements that hold a
// work-group barrier or a sub-group function run in step.
#pragma once

#include "language/kernel.h"

#include <set>
#include <stdexcept>

namespace lanecl::fuzz {

// Where the plain text is undefined for a work-item that comes by. Guards mend it without changing a value.
struct Unguarded {
  std::set<const Expr *> expressions{};
  std::set<std::pair<unsigned, unsigned>> variables{}; // function and variable: read before it was written
  std::set<const Expr *> calls{}; // of sub-group functions, by their value: some lane gets an undefined one
  bool empty() const { return expressions.empty() && variables.empty() && calls.empty(); }
};

// The kernel is of no use: undefined in a way no guard mends, or too long.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a work-item's variables are where it comes to a statement for the first time.
struct Watch {
  const Stmt *statement = nullptr;
  int32_t item = 0; // its number in the NDRange
  bool reached = false;
  // The variables of the statement's function, scalar by scalar; empty: a pointer, or not all of it has a value.
  std::vector<std::vector<uint64_t>> variables{};
};

// Bits that OpenCL C leaves open.
struct Unknown {
  uint64_t choice = 0; // what they are taken to be: any choice gives the same other bits
  Contents bits{};     // which of those in memory they are in the end
};

// Runs all work-groups with sub-groups of that size and returns what memory holds then. Throws Rejected.
Contents evaluate(const Kernel &kernel, const NDRange &range, unsigned width, Unguarded &unguarded,
                  Watch *watch = nullptr, Unknown *unknown = nullptr);

} // namespace lanecl::fuzz

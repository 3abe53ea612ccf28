// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The work-items that call a sub-group or work-group function together, and what each of them gets.
#pragma once

#include "evaluate/evaluate.h"

#include <algorithm>

namespace lanecl::fuzz {

struct Callers {
  const Stmt &call;
  unsigned width = 0;                         // of the sub-group, or the work-items of the work-group
  size_t size = 0;                            // work-items that exist, those that do not call included
  std::vector<size_t> lanes{};                // that call, ascending; in a work-group local linear ids
  std::vector<std::vector<Value>> operands{}; // by operand, then by caller
  // What memory holds after a function that goes through it, in bits from the sub-group's first one.
  struct Stored {
    size_t at;
    unsigned bits;
    uint64_t value;
  };
  std::vector<Stored> stored{};
  // An undefined value came up: a lane's that does not call, or the place of a bit where there is none.
  bool undefined = false;

  const SubGroupInfo &info() const { return infoOf(call.sub_group); }
  size_t count() const { return lanes.size(); }
  bool calls(size_t lane) const { return std::binary_search(lanes.begin(), lanes.end(), lane); }
  size_t at(size_t lane) const { // the number of a caller
    return size_t(std::lower_bound(lanes.begin(), lanes.end(), lane) - lanes.begin());
  }
  uint64_t operand(unsigned number, size_t caller) const { return operands[number][caller].c[0]; }
  // Of an operand that must be the same in all; throws Rejected where it is not.
  uint64_t same(unsigned number) const {
    for (size_t i = 1; i < count(); ++i)
      if (operands[number][i].c != operands[number][0].c)
        throw Rejected("work-items differ in an operand that must be the same");
    return operand(number, 0);
  }
};

// By caller. They may set Callers::undefined; then the value is that of the guarded text.
using Results = std::vector<Value>;
Results combined(const Callers &callers); // reductions and scans
Results voted(Callers &callers);          // votes, ballots, masks
Results exchanged(Callers &callers);      // values of other lanes
Results multiplied(const Callers &callers);
Results multipliedBySplit(const Callers &callers, unsigned width); // of the sub-groups
Results throughMemory(Callers &callers); // likewise, by way of memory that serves nothing else

} // namespace lanecl::fuzz

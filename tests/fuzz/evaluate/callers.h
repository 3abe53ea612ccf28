// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The work-items that call a sub-group or work-group function together, and what each of them passes.
#pragma once

#include "evaluate/evaluate.h"

#include <algorithm>

namespace lanecl::fuzz {

// One call of a function, with its callers in ascending order of their lanes. A "caller" below is an index into this
// list, which differs from the lane if some lanes do not call.
struct Callers {
  const Stmt &call;
  unsigned width = 0;                         // size of the sub-group, or number of work-items of the work-group
  size_t size = 0;                            // number of work-items that exist, including those that do not call
  std::vector<size_t> lanes{};                // lanes that call, ascending; in a work-group, their local linear ids
  std::vector<std::vector<Value>> operands{}; // indexed by operand, then by caller
  // What memory holds after a function that goes through it. `at` counts bits from the sub-group's first one.
  struct Stored {
    size_t at;
    unsigned bits;
    uint64_t value;
  };
  std::vector<Stored> stored{};
  // Set when an undefined value came up: that of a lane that does not call, or the position of a bit where no bit is
  // set.
  bool undefined = false;

  const SubGroupInfo &info() const { return infoOf(call.sub_group); }
  size_t count() const { return lanes.size(); }
  bool calls(size_t lane) const { return std::binary_search(lanes.begin(), lanes.end(), lane); }
  size_t at(size_t lane) const { // the caller's number that this lane has
    return size_t(std::lower_bound(lanes.begin(), lanes.end(), lane) - lanes.begin());
  }
  // Returns a scalar operand of one caller.
  uint64_t operand(unsigned number, size_t caller) const { return operands[number][caller].c[0]; }
  // Returns an operand that must be the same for all callers; throws Rejected if it is not.
  uint64_t same(unsigned number) const {
    for (size_t i = 1; i < count(); ++i)
      if (operands[number][i].c != operands[number][0].c)
        throw Rejected("work-items differ in an operand that must be the same");
    return operand(number, 0);
  }
};

// The results by caller. A function that takes Callers by mutable reference may set Callers::undefined; its result is
// then the one that the guarded text gives.
using Results = std::vector<Value>;
Results combined(const Callers &callers); // reductions and scans
Results voted(Callers &callers);          // votes, ballots, masks
Results exchanged(Callers &callers);      // values of other lanes
Results multiplied(const Callers &callers);
Results multipliedBySplit(const Callers &callers, unsigned width); // `width` is the sub-group size
Results throughMemory(Callers &callers); // values of other lanes, through memory that is used for nothing else

} // namespace lanecl::fuzz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What break, continue and return do to a work-item that runs a loop.
#pragma once

#include "evaluate/work_group.h"

namespace lanecl::fuzz {

// Called after the loop's body. Returns whether the work-item stays in the loop. A break or continue of this loop ends
// here.
inline bool goesOn(Item &item) {
  if (item.flow == Flow::Continue)
    item.flow = Flow::Next;
  if (item.flow == Flow::Break) {
    item.flow = Flow::Next;
    return false;
  }
  return item.flow == Flow::Next;
}

} // namespace lanecl::fuzz

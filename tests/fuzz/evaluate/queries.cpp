// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queries of a work-item's position: its ids, and the sizes of what it is in.
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

// Returns how many work-items of the sub-group exist.
size_t WorkGroup::subGroupSize(const Item &item) const {
  return std::min<size_t>(launch.width, items.size() - item.linear / launch.width * launch.width);
}

// Returns what the built-in function of that query returns, for example get_global_id(d).
uint64_t WorkGroup::query(const Expr &e, const Item &item) const {
  const NDRange &range = launch.range;
  const unsigned d = unsigned(e.number);
  switch (e.query) {
  case Query::GlobalId: return range.globalOffset(d) + number[d] * range.localSize(d) + item.local[d];
  case Query::LocalId: return item.local[d];
  case Query::GroupId: return number[d];
  case Query::LocalSize: return size[d];
  case Query::NumGroups: return range.groups(d);
  case Query::GlobalSize: return range.globalSize(d);
  case Query::GlobalOffset: return range.globalOffset(d);
  case Query::EnqueuedLocalSize: return range.localSize(d);
  case Query::GlobalLinearId: return uint64_t(item.global_linear);
  case Query::LocalLinearId: return item.linear;
  case Query::LocalItems: return items.size();
  case Query::GlobalItems: return range.items();
  case Query::LaneId: return item.linear % launch.width;
  case Query::SubGroupId: return item.linear / launch.width;
  case Query::SubGroupSize: return subGroupSize(item);
  case Query::MaxSubGroupSize: return launch.width;
  case Query::EnqueuedNumSubGroups: return (range.groupItems() + launch.width - 1) / launch.width;
  case Query::NumSubGroups: return (items.size() + launch.width - 1) / launch.width;
  }
  return 0;
}

} // namespace lanecl::fuzz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rule by which sub-groups get their width. Host queries, launches and generated code all use it, so that they
// agree.
#pragma once

#include <array>
#include <cstdint>

namespace lanecl::vectorizer {

// The sub-group sizes that CL_DEVICE_SUB_GROUP_SIZES_INTEL can list. A device may lack the first ones.
inline constexpr std::array<unsigned, 3> kSubGroupSizes{8, 16, 32};

inline constexpr bool isSupportedWidth(unsigned width) {
  return width == 8 || width == 16 || width == 32;
}

// The properties of a kernel and its device that the width depends on.
struct WidthRule {
  unsigned required = 0;           // the kernel's intel_reqd_sub_group_size, or 0
  unsigned forced = 0;             // the user's override, or 0
  bool queries_sub_groups = false; // the kernel calls get_sub_group_id() or get_num_sub_groups()
  unsigned narrowest = 8;          // the smallest size that the device has: 8 or 16
};

// Returns the width of a kernel's sub-groups for a local size, in work-items. A required or forced width comes first.
// Several rows get the wider of 8 and 16 that divides the row: (8, 4) gets 8, (16, 2) gets 16. If neither divides it,
// they get 16.
// One row gets 16. But a kernel that does not query its sub-groups may expect a work-group of at most 32 work-items to
// be one sub-group, so such a row gets the smallest width that holds it: 20 work-items get 32. A kernel that queries
// its sub-groups can handle several of them.
// A size that the device lacks is never chosen.
inline constexpr unsigned subGroupWidth(const WidthRule &rule, const std::array<uint64_t, 3> &local_size) {
  if (rule.required != 0)
    return rule.required;
  if (rule.forced != 0)
    return rule.forced;
  const auto [row, rows, planes] = local_size;
  if (rows * planes > 1)
    return row % 16 != 0 && row % 8 == 0 && rule.narrowest == 8 ? 8 : 16;
  if (!rule.queries_sub_groups)
    for (unsigned width : kSubGroupSizes)
      if (row <= width && width >= rule.narrowest)
        return width;
  return 16;
}

} // namespace lanecl::vectorizer

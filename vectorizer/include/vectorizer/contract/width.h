// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The only rule for the width of sub-groups; host queries, launches and generated code all use it.
#pragma once

#include <array>
#include <cstdint>

namespace lanecl::vectorizer {

// CL_DEVICE_SUB_GROUP_SIZES_INTEL, of which a device may lack the first ones.
inline constexpr std::array<unsigned, 3> kSubGroupSizes{8, 16, 32};

inline constexpr bool isSupportedWidth(unsigned width) {
  return width == 8 || width == 16 || width == 32;
}

struct WidthRule {
  unsigned required = 0;           // the kernel's intel_reqd_sub_group_size, or 0
  unsigned forced = 0;             // the user's override, or 0
  bool queries_sub_groups = false; // the kernel calls get_sub_group_id() or get_num_sub_groups()
  unsigned narrowest = 8;          // that the device has: 8 or 16
};

// Several rows: the wider of 8 and 16 that divides the row, so that (8, 4) gets 8. One row: 16. But a kernel that does
// not query its sub-groups may expect a work-group of at most 32 to be a single sub-group, so it gets the smallest size
// that holds it; a kernel that does query them can have any number of full sub-groups in one row. A size that the
// device lacks is not chosen.
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

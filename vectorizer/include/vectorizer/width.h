// The one rule that says how wide a sub-group is; host queries, launches and generated code all follow it.
#pragma once

#include <array>
#include <cstdint>

namespace lanecl::vectorizer {

inline constexpr std::array<unsigned, 3> kSubGroupSizes{8, 16, 32}; // CL_DEVICE_SUB_GROUP_SIZES_INTEL

inline constexpr bool isSupportedWidth(unsigned width) {
  return width == 8 || width == 16 || width == 32;
}

// `required`: the kernel's intel_reqd_sub_group_size or 0. `forced`: the user's override or 0.
// Several rows: the wider of 8 and 16 that divides the row; one row of at most 32: the smallest size that holds it;
// otherwise 16. A row is the x size, so that (8, 4) gets 8 and (256) gets 16.
inline constexpr unsigned subGroupWidth(unsigned required, unsigned forced, const std::array<uint64_t, 3> &local_size) {
  if (required != 0)
    return required;
  if (forced != 0)
    return forced;
  const bool several_rows = local_size[1] * local_size[2] > 1;
  if (several_rows) {
    if (local_size[0] % 16 == 0)
      return 16;
    return local_size[0] % 8 == 0 ? 8 : 16;
  }
  if (local_size[0] > 32)
    return 16;
  for (unsigned width : kSubGroupSizes)
    if (local_size[0] <= width)
      return width;
  return 16;
}

} // namespace lanecl::vectorizer

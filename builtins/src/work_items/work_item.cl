// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-item functions. A dimension out of range has the index and offset 0 and the size 1, as the specification says.
#include "lane_primitives.h"

// Queries one of the three dimensions. The primitives need constant dimensions, so the argument is compared.
#define BY_DIMENSION(query, dim, otherwise)                                                                            \
  ((dim) == 0 ? query(0) : (dim) == 1 ? query(1) : (dim) == 2 ? query(2) : (size_t)(otherwise))

OVERLOADABLE uint get_work_dim(void) { return __lanecl_work_dim(); }
OVERLOADABLE size_t get_local_id(uint dim) { return BY_DIMENSION(__lanecl_local_id, dim, 0); }
OVERLOADABLE size_t get_group_id(uint dim) { return BY_DIMENSION(__lanecl_group_id, dim, 0); }
OVERLOADABLE size_t get_num_groups(uint dim) { return BY_DIMENSION(__lanecl_num_groups, dim, 1); }
OVERLOADABLE size_t get_local_size(uint dim) { return BY_DIMENSION(__lanecl_local_size, dim, 1); }
OVERLOADABLE size_t get_enqueued_local_size(uint dim) { return BY_DIMENSION(__lanecl_enqueued_local_size, dim, 1); }
OVERLOADABLE size_t get_global_size(uint dim) { return BY_DIMENSION(__lanecl_global_size, dim, 1); }
OVERLOADABLE size_t get_global_offset(uint dim) { return BY_DIMENSION(__lanecl_global_offset, dim, 0); }

// All work-groups before this one have the enqueued size, even if this one is smaller.
static size_t indexWithoutOffset(uint dim) {
  return __lanecl_group_id(dim) * __lanecl_enqueued_local_size(dim) + __lanecl_local_id(dim);
}
OVERLOADABLE size_t get_global_id(uint dim) { return BY_DIMENSION(__lanecl_global_id, dim, 0); }

OVERLOADABLE size_t get_global_linear_id(void) {
  return (indexWithoutOffset(2) * __lanecl_global_size(1) + indexWithoutOffset(1)) * __lanecl_global_size(0) +
         indexWithoutOffset(0);
}

// Sub-groups consist of consecutive work-items in linear order, so the linear index needs no division and no product of
// ids.
OVERLOADABLE size_t get_local_linear_id(void) {
  return (size_t)(__lanecl_sub_group_id() * __lanecl_width()) + __lanecl_lane_id();
}

OVERLOADABLE uint get_sub_group_size(void) { return __lanecl_sub_group_size(); }
OVERLOADABLE uint get_max_sub_group_size(void) { return __lanecl_width(); }
OVERLOADABLE uint get_num_sub_groups(void) { return __lanecl_num_sub_groups(); }
OVERLOADABLE uint get_enqueued_num_sub_groups(void) { return __lanecl_enqueued_num_sub_groups(); }
OVERLOADABLE uint get_sub_group_id(void) { return __lanecl_sub_group_id(); }
OVERLOADABLE uint get_sub_group_local_id(void) { return __lanecl_lane_id(); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looks to gdb like a kernel that was built with -g, but the fields of its records lie at other places than in
// vectorizer/contract/abi.h and debug_frame.h.
#include <cstdint>

namespace {

using Triple = uint64_t[3];

struct Launch {
  uint32_t reserved, work_dim;
  Triple num_groups, enqueued_local_size, global_offset;
  uint64_t unused;
  Triple global_size;
};

struct Frame {
  uint64_t unused, mask;
  const Launch *launch;
  uint64_t kernel;
  const Triple *local_size;
  uint32_t sub_group, lanes, width, phase, line, optimized, lane;
  Triple group;
  uint64_t slot_bytes, waited_at;
};

uint32_t stop(const Frame &frame) {
  return frame.lane;
}

} // namespace

int main() {
  const Triple local_size{6, 3, 1};
  const Launch launch{.reserved = 9,
                      .work_dim = 3,
                      .num_groups = {2, 4, 5},
                      .enqueued_local_size = {7, 3, 2},
                      .global_offset = {100, 200, 300},
                      .unused = 9,
                      .global_size = {13, 11, 10}};
  Frame __lanecl_frame{.unused = 9,
                       .mask = 0xff,
                       .launch = &launch,
                       .kernel = 0,
                       .local_size = &local_size,
                       .sub_group = 1,
                       .lanes = 8,
                       .width = 8,
                       .phase = 1,
                       .line = 0,
                       .optimized = 0,
                       .lane = 3,
                       .group = {1, 2, 3},
                       .slot_bytes = 0,
                       .waited_at = 0};
  const auto __lanecl_frame_address = reinterpret_cast<uint64_t>(&__lanecl_frame);
  __lanecl_frame.kernel = __lanecl_frame_address;
  return stop(__lanecl_frame) == 5 ? 0 : 1;
}

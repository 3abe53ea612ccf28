// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/lane_count.h"

using namespace llvm;

namespace lanecl::vectorizer {

bool isPossibleWidth(unsigned width) {
  return width == 1 || (width >= 4 && width <= 64 && (width & (width - 1)) == 0);
}

SmallVector<LaunchClass, 2> widerThan(const LaunchClass &launch, Isa isa) {
  constexpr unsigned kMostLanes = 32;
  SmallVector<LaunchClass, 2> result;
  const uint64_t row = launch.local_size[0], items = row * launch.local_size[1] * launch.local_size[2];
  LaunchClass wide = launch;
  for (wide.width = kMostLanes; wide.width > launch.width; wide.width /= 2) {
    // The lanes must be several whole rows of at least 8 work-items, or an equal part of one row.
    const bool whole_rows =
        launch.isRow() || (items >= wide.width && (row % wide.width == 0 || (row >= 8 && wide.width % row == 0)));
    if (launch.free_width && isa != Isa::Sse42 && whole_rows)
      result.push_back(wide);
  }
  return result;
}

// With AVX2, a value of 32 lanes takes four of the 16 registers, so only short kernels are tried with it first.
uint64_t mostInstructionsTriedWide(Isa isa) {
  return isa == Isa::Avx512 ? kMostInstructionsOfWideLanes : 120;
}

uint64_t mostSpilledByWideLanes(Isa isa, bool waits) {
  return isa == Isa::Avx512 ? 512 : waits ? 160 : 0;
}

uint64_t littleSpilledByNarrowLanes(Isa isa) {
  return isa == Isa::Avx512 ? UINT64_MAX : 384;
}

std::optional<LaunchClass> wholeGroup(const LaunchClass &launch, Isa isa) {
  constexpr unsigned kLanes = 64, kShortestRow = 8;
  const uint64_t row = launch.local_size[0], items = row * launch.local_size[1] * launch.local_size[2];
  if (!launch.free_width || isa == Isa::Sse42 || items != kLanes || kLanes % row != 0 || row < kShortestRow)
    return std::nullopt;
  LaunchClass whole = launch;
  whole.width = kLanes;
  return whole;
}

std::optional<LaunchClass> oneByOne(const LaunchClass &launch) {
  if (!launch.free_width || !launch.isRow())
    return std::nullopt;
  LaunchClass one = launch;
  one.width = 1;
  return one;
}

} // namespace lanecl::vectorizer

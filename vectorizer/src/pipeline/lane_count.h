// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many lanes a kernel gets where no work-item can tell how many run together: those that are tried, and what they
// are measured by.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace lanecl::vectorizer {

// A width the vectorizer has lanes for, or one lane.
bool isPossibleWidth(unsigned width);

// More lanes where nothing forbids it, the most first: each value then is several registers, so that several chains of
// dependent instructions run at once, and fewer sub-groups meet at barriers. Rows, or segments of lanes, have to stay
// whole, or neighbours would be found by gathers.
llvm::SmallVector<LaunchClass, 2> widerThan(const LaunchClass &launch, Isa isa);

// More code fills the registers in any case.
inline constexpr uint64_t kMostInstructionsOfWideLanes = 1500;

// Of kernels with so many instructions wide code is made first, as it is likely to be what is wanted.
uint64_t mostInstructionsTriedWide(Isa isa);

// Where narrow code is made first, wide code of kernels up to this size is made at the same time if a thread is free.
// In the end nearly all of them get it; longer kernels mostly do not, and it would have been made for nothing.
inline constexpr uint64_t kMostInstructionsTriedTogether = 480;

// Of a kernel with all that it calls, before it is optimized: compiling them takes tens of seconds.
inline constexpr uint64_t kManyInstructions = 50000;

// Beyond, memory costs more than several chains gain, unless narrower code waits for results most of its time. With
// AVX2, four registers for a value are worth no spill at all, unless half as many sub-groups meet at barriers.
uint64_t mostSpilledByWideLanes(Isa isa, bool waits);

// Narrower code that spills more and is busier, although it waits, has little to gain from more lanes.
uint64_t littleSpilledByNarrowLanes(Isa isa);
inline constexpr double kLittleBusy = 0.65;

// All of a work-group's 64 work-items: one sub-group has nobody to wait for at barriers. What one sub-group spills,
// several would keep across barriers.
std::optional<LaunchClass> wholeGroup(const LaunchClass &launch, Isa isa);
inline constexpr uint64_t kMostSpilledByWholeGroup = 512;

// Work-items one after the other.
std::optional<LaunchClass> oneByOne(const LaunchClass &launch);

} // namespace lanecl::vectorizer

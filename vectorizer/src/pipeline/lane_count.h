// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decides how many lanes a kernel gets if no work-item can tell how many lanes run together (LaunchClass::free_width):
// which widths are tried, and by which limits the resulting code is judged.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace lanecl::vectorizer {

// Whether the vectorizer can compile for this width: a power of two from 4 to 64 lanes, or one lane.
bool isPossibleWidth(unsigned width);

// Returns the launch classes with more lanes than `launch`, the widest first; none if the width is not free or the
// processor has no AVX2. Each value of wider code is several registers, so that several dependency chains run at once,
// and fewer sub-groups meet at barriers. A sub-group must hold whole rows or whole segments of a row, because otherwise
// neighbors would be found by gathers.
llvm::SmallVector<LaunchClass, 2> widerThan(const LaunchClass &launch, Isa isa);

// A kernel with more instructions never gets wider lanes: its code fills the registers already.
inline constexpr uint64_t kMostInstructionsOfWideLanes = 1500;

// Returns the number of instructions up to which wide code is compiled first, because it is likely to be kept. Longer
// kernels are compiled narrow first.
uint64_t mostInstructionsTriedWide(Isa isa);

// If narrow code is compiled first and a thread is free, wide code of kernels up to this size is compiled at the same
// time. Nearly all of them get wide lanes in the end. Longer kernels mostly do not, so their wide code would be
// compiled in vain.
inline constexpr uint64_t kMostInstructionsTriedTogether = 480;

// A kernel with more instructions is long: compiling it takes tens of seconds. Counted with all functions that it
// calls, before optimization.
inline constexpr uint64_t kManyInstructions = 50000;

// Returns how many bytes wide code may spill. Beyond that, memory costs more than several dependency chains gain,
// unless narrower code is mostly waiting for results (littleSpilledByNarrowLanes). With AVX2 a value takes four
// registers, which is worth no spill at all, unless the kernel has barriers (`waits`), at which half as many sub-groups
// then meet.
uint64_t mostSpilledByWideLanes(Isa isa, bool waits);

// Narrow code that waits for results most of the time gains from more lanes, if it spills no more bytes than the
// returned ones or its execution units are busy for less than kLittleBusy of the time.
uint64_t littleSpilledByNarrowLanes(Isa isa);
inline constexpr double kLittleBusy = 0.65;

// Returns the class in which one sub-group of 64 lanes is the whole work-group, so that no sub-group has to wait at
// barriers. Nothing if the work-group does not have 64 work-items or the width is not free. Spilled values of this
// sub-group replace what several sub-groups would keep across barriers, so up to kMostSpilledByWholeGroup bytes are
// fine.
std::optional<LaunchClass> wholeGroup(const LaunchClass &launch, Isa isa);
inline constexpr uint64_t kMostSpilledByWholeGroup = 512;

// Returns the class in which the work-items of a row run one after the other, in one lane; nothing if the class is not
// a row of free width.
std::optional<LaunchClass> oneByOne(const LaunchClass &launch);

} // namespace lanecl::vectorizer

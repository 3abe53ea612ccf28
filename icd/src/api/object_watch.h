// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts the objects that the application has references to, and tells check mode about wrong releases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

// The kinds of objects. The values are unlikely to occur in other memory, so they serve as type tags, see object.h.
enum class Tag : uint32_t {
  Dead = 0xdeadc0de,
  Platform = 0x4c434c01,
  Device,
  Context,
  CommandQueue,
  Memory,
  Program,
  Kernel,
  Event,
  Sampler,
  CommandBuffer,
  MutableCommand,
  Semaphore,
};
inline constexpr size_t kTags = uint32_t(Tag::Semaphore) - uint32_t(Tag::Platform) + 1;

// Adds `by` to the number of objects of a kind that the application has a reference to. Does nothing unless the
// settings ask for checks of the API.
void countObject(Tag tag, int by);
// Calls the function that onWrongRelease() has registered, if there is one.
void noteWrongRelease(Tag tag, const void *handle);

// The number of objects of each kind, indexed by the tag minus Tag::Platform.
using ObjectCounts = std::array<int64_t, kTags>;
// Returns the counts of this process. They are all 0 in a forked process, which did not make the objects.
ObjectCounts objectCounts();

// Registers `start`, which noteContext() calls whenever a context is made.
void onContext(void (*start)());
void noteContext();

// Registers `report`, which is called for each wrong release from now on.
void onWrongRelease(void (*report)(Tag tag, const void *handle));

} // namespace lanecl::icd

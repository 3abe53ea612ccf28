// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What check mode wants to know of objects: how many the application has, and what it releases that it has not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

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

// These do nothing unless the settings ask for checks of the API.
void countObject(Tag tag, int by); // that the application has a reference to
void noteWrongRelease(Tag tag, const void *handle);

using ObjectCounts = std::array<int64_t, kTags>;
ObjectCounts objectCounts(); // by the tag's distance from the platform's; all 0 in a process that has forked

// `start` is called whenever a context is made.
void onContext(void (*start)());
void noteContext();

// Called for each wrong release from now on.
void onWrongRelease(void (*report)(Tag tag, const void *handle));

} // namespace lanecl::icd

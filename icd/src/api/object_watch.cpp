// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "api/object_watch.h"

#include "icd/check_rules.h"
#include "icd/settings.h"
#include "settings/made_once.h"

#include <atomic>

#include <unistd.h>

namespace lanecl::icd {
namespace {

std::array<std::atomic<int64_t>, kTags> counts;
std::atomic<void (*)(Tag, const void *)> wrong_release{nullptr};
constinit std::atomic<void (*)()> start_watching{nullptr};

// Returns the process whose objects are counted, or 0 if none are.
pid_t watched() {
  static constinit MadeOnce<pid_t> process;
  return process.get([] { return isChosenGroup(settings().check, "api") ? getpid() : 0; });
}

} // namespace

void countObject(Tag tag, int by) {
  if (watched() != 0)
    counts[uint32_t(tag) - uint32_t(Tag::Platform)].fetch_add(by, std::memory_order_relaxed);
}

void noteWrongRelease(Tag tag, const void *handle) {
  if (auto *const report = wrong_release.load())
    report(tag, handle);
}

ObjectCounts objectCounts() {
  ObjectCounts result{};
  if (watched() == getpid())
    for (size_t i = 0; i < kTags; ++i)
      result[i] = counts[i].load(std::memory_order_relaxed);
  return result;
}

void onContext(void (*start)()) {
  start_watching = start;
}

void noteContext() {
  if (auto *const start = start_watching.load())
    start();
}

void onWrongRelease(void (*report)(Tag, const void *)) {
  wrong_release = report;
}

} // namespace lanecl::icd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ndrange/batch.h"

#include "printf/printf.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>

namespace lanecl::scheduler {

namespace {

// Unused bytes after the arguments, so that a wide load of the last one stays inside the block.
constexpr size_t kTail = 256;

std::byte *copyArguments(const ArgumentBlock &from) {
  auto *const copy = static_cast<std::byte *>(
      std::aligned_alloc(abi::kMemoryAlignment, abi::align_up(from.size() + kTail, abi::kMemoryAlignment)));
  if (copy == nullptr)
    throw std::bad_alloc();
  std::copy(from.begin(), from.end(), copy);
  return copy;
}

} // namespace

void PreparedLaunch::Free::operator()(std::byte *memory) const {
  std::free(memory);
}

PreparedLaunch::PreparedLaunch(Launch what, const NdRange &groups)
    : launch(std::move(what)), arguments(copyArguments(launch.arguments)), range(groups) {
  launch.arguments = {};
  launch.info.arguments = arguments.get();
  launch.info.services = &kServices;
}

PreparedLaunchPtr prepare(Launch launch) {
  const std::optional<NdRange> range = NdRange::of(launch);
  return range ? std::make_shared<const PreparedLaunch>(std::move(launch), *range) : nullptr;
}

void Batch::Stage::run(const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const {
  auto part = std::upper_bound(parts.begin(), parts.end(), begin,
                               [](uint64_t group, const Part &candidate) { return group < candidate.end; });
  uint64_t first = part == parts.begin() ? 0 : std::prev(part)->end;
  assert(begin < end && end <= groups() && "the stage has no such work-groups");
  for (; begin < end; first = part++->end) {
    assert(part != parts.end() && first <= begin && begin < part->end && "the parts are numbered consecutively");
    const uint64_t stop = std::min(end, part->end);
    part->launch->run(worker, begin - first, stop - first);
    begin = stop;
  }
}

GroupToRun Batch::Stage::toRun(uint64_t group) const {
  const auto part = std::upper_bound(parts.begin(), parts.end(), group,
                                     [](uint64_t number, const Part &candidate) { return number < candidate.end; });
  assert(part != parts.end() && "the stage has no such work-group");
  return part->launch->toRun(group - (part == parts.begin() ? 0 : std::prev(part)->end));
}

Batch::Batch(const BatchStages &stages, const Batch *replaced) {
  for (const std::vector<PreparedLaunchPtr> &launches : stages)
    addStage(launches);
  for (size_t i = 0; replaced != nullptr && i < std::min(list.size(), replaced->list.size()); ++i)
    list[i].history.note(replaced->list[i].history.groupNanoseconds());
}

void Batch::addStage(const std::vector<PreparedLaunchPtr> &launches) {
  Stage &stage = list.emplace_back();
  for (const PreparedLaunchPtr &launch : launches) {
    assert(launch && "prepare() has refused this launch");
    if (launch->groups() == 0)
      continue;
    stage.parts.push_back({launch, stage.groups() + launch->groups()});
    if (launch->waiting() != nullptr)
      stage.waiting = launch->waiting();
    local_bytes = std::max(local_bytes, launch->localBytes());
    scratch_bytes = std::max(scratch_bytes, launch->scratchBytes());
    stack_bytes = std::max(stack_bytes, launch->stackBytes());
  }
}

bool Batch::waits() const {
  return std::any_of(list.begin(), list.end(), [](const Stage &stage) { return stage.waiting != nullptr; });
}

BatchPtr makeBatch(const BatchStages &stages, const BatchPtr &replaced) {
  return std::make_shared<const Batch>(stages, replaced.get());
}

} // namespace lanecl::scheduler

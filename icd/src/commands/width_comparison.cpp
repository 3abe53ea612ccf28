// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares the results of a launch at several sub-group sizes.

#include "commands/width_comparison.h"

#include "check/check_mode.h"
#include "icd/counted.h"
#include "icd/profile.h"
#include "vectorizer/contract/width.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>

namespace lanecl::icd {
namespace {

constexpr size_t kMostBytes = size_t(1) << 30; // the most memory that is saved for a launch, over all its regions

// Prints nothing: printf() must produce output only once although the kernel runs several times.
constexpr abi::Services kSilent{[](const char *, const std::byte *, uint32_t) -> int32_t { return 0; }};

using frontend::AccessQualifier;
using frontend::ArgumentKind;

std::string nameOf(size_t number, const frontend::ArgumentInfo &info) {
  return "argument " + std::to_string(number) + (info.name.empty() ? "" : " '" + info.name + "'");
}

// Returns true if what the kernel writes to this argument cannot be taken back.
bool isBeyondRestoring(const frontend::ArgumentInfo &argument) {
  return argument.kind == ArgumentKind::Pipe ||
         (argument.kind == ArgumentKind::Image && argument.access != AccessQualifier::ReadOnly);
}

std::string bytesText(const std::byte *begin, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%s%02x", i == 0 ? "" : " ", unsigned(begin[i]));
    text += byte;
  }
  return text;
}

} // namespace

std::shared_ptr<WidthComparison> WidthComparison::plan(Kernel &kernel, const KernelBuild &build, const Grid &grid,
                                                       cl_uint dimensions, const scheduler::Launch &own) {
  const frontend::KernelInfo &info = build.info();
  if (!areWidthsCompared() || info.required_sub_group_size != 0)
    return nullptr;
  assert(own.facts && "the launch names no code");
  const unsigned width = static_cast<const LaunchFacts *>(own.facts)->code->full->width;
  std::shared_ptr<WidthComparison> comparison(new WidthComparison(kernel, build, width));
  if (info.required_sub_groups != 0 || std::ranges::any_of(info.arguments, isBeyondRestoring) ||
      !comparison->addRegions(own, build.executable().variableBytes())) {
    countUnchecked(Unchecked::NotRestored);
    return nullptr;
  }
  for (const unsigned other : vectorizer::kSubGroupSizes) {
    if (other == width || other < deviceProfile().narrowest_sub_group)
      continue;
    scheduler::Launch launch;
    if (makeLaunch(kernel, build, grid, dimensions, LaunchUse::Once, launch, other) != CL_SUCCESS)
      continue;
    launch.info.services = &kSilent;
    comparison->others_.push_back({other, std::move(launch)});
  }
  return comparison;
}

bool WidthComparison::addRegion(const void *begin, size_t bytes, std::string name, std::shared_ptr<const void> owner) {
  if (bytes == 0)
    return true;
  bytes_ += bytes;
  // The kernel may write the memory; only the type of this parameter is const.
  regions_.push_back(
      {static_cast<std::byte *>(const_cast<void *>(begin)), bytes, std::move(name), std::move(owner), {}, {}});
  return bytes_ <= kMostBytes;
}

// Adds the buffers that the kernel may write, its program scope variables, and all SVM and USM allocations: a pointer
// in memory may point to any of these.
bool WidthComparison::addRegions(const scheduler::Launch &own, uint64_t variable_bytes) {
  bool all = addRegion(own.info.variables, variable_bytes, "the memory of the program scope variables");
  const std::vector<Argument> &arguments = kernel_->arguments();
  for (size_t number = 0; number < arguments.size(); ++number) {
    const Memory *const memory = arguments[number].memory;
    const frontend::ArgumentInfo &info = kernel_->info().arguments[number];
    if (!memory || info.kind != ArgumentKind::GlobalPointer || (info.is_const && !info.is_written) ||
        (memory->flags() & CL_MEM_READ_ONLY) != 0)
      continue;
    all = all && addRegion(memory->data(), memory->size(), nameOf(number, info));
  }
  // The program may free an allocation that the kernel does not use before the comparison is done.
  for (const auto &[allocation, block] : kernel_->context().svm().keepAll())
    all = all && addRegion(allocation.base, allocation.size, "an SVM allocation", block);
  for (const auto &[allocation, block] : kernel_->context().usm().keepAll())
    all = all && addRegion(allocation.base, allocation.size, "a USM allocation", block);
  return all;
}

scheduler::Status WidthComparison::runOnce(scheduler::Launch launch) {
  const scheduler::DependencyPtr done =
      device_->scheduler().createQueue(scheduler::Order::InOrder)->enqueue(std::move(launch), {});
  done->wait();
  return done->status();
}

void WidthComparison::restore() {
  for (const Region &region : regions_) {
    assert(region.before.size() == region.bytes && "the memory was not saved");
    std::memcpy(region.begin, region.before.data(), region.bytes);
  }
}

bool WidthComparison::hasChanged(std::string &what, unsigned width) const {
  for (const Region &region : regions_) {
    const auto [here, there] = std::mismatch(region.own.begin(), region.own.end(), region.begin);
    if (here == region.own.end())
      continue;
    const size_t offset = size_t(here - region.own.begin()) / 4 * 4, bytes = std::min<size_t>(4, region.bytes - offset);
    what = region.name + " (" + counted(region.bytes, "byte") + ") differs from byte " +
           std::to_string(size_t(here - region.own.begin())) + " on: at byte " + std::to_string(offset) + " it has " +
           bytesText(region.begin + offset, bytes) + " with sub-group size " + std::to_string(width) + ", but " +
           bytesText(region.own.data() + offset, bytes) + " with " + std::to_string(width_);
    return true;
  }
  return false;
}

scheduler::Status WidthComparison::run(scheduler::Launch own) {
  for (Region &region : regions_)
    region.before.assign(region.begin, region.begin + region.bytes);
  scheduler::Launch again = own;
  again.info.services = &kSilent;
  const scheduler::Status status = runOnce(std::move(own));
  if (status != scheduler::kComplete)
    return status;
  for (Region &region : regions_)
    region.own.assign(region.begin, region.begin + region.bytes);
  std::string what;
  // The second run at the same width tells whether results differ from run to run.
  restore();
  giveNumber(*static_cast<const LaunchFacts *>(again.facts)->checked);
  if (runOnce(std::move(again)) != scheduler::kComplete || hasChanged(what, width_)) {
    countUnchecked(Unchecked::Varying);
    others_.clear();
  }
  for (Other &other : others_) {
    restore();
    if (runOnce(std::move(other.launch)) == scheduler::kComplete && hasChanged(what, other.width))
      reportWidth(kernel_->info().name, what);
  }
  for (const Region &region : regions_)
    std::memcpy(region.begin, region.own.data(), region.bytes);
  return scheduler::kComplete;
}

} // namespace lanecl::icd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks launches, chooses what the specification leaves open and fills scheduler::Launch.

#include "program/launch.h"

#include "api/shadow.h"
#include "check/check_mode.h"
#include "device/device_limits.h"
#include "device/processor.h"
#include "faults/fault_handler.h"
#include "faults/hang_report.h"
#include "faults/launch_facts.h"
#include "icd/counted.h"
#include "icd/launch_class.h"
#include "icd/profile.h"
#include "report/launch_report.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace lanecl::icd {

void Grid::makeGroups() {
  has_edges = false;
  for (int d = 0; d < 3; ++d) {
    assert(local[d] != 0 && "work-groups have at least one work-item");
    const bool edge = global[d] % local[d] != 0;
    groups[d] = global[d] / local[d] + edge;
    has_edges |= edge;
  }
}

namespace {

cl_int readGlobal(const LaunchRequest &request, Grid &grid) {
  // CL_INVALID_WORK_DIMENSION if work_dim is not a valid value.
  if (request.dimensions < 1 || request.dimensions > kMaxDimensions)
    return CL_INVALID_WORK_DIMENSION;
  for (cl_uint d = 0; d < request.dimensions; ++d) {
    // Since OpenCL 2.1 a launch without global_work_size, or with a zero in it, is valid and runs no work-items.
    grid.global[d] = request.global ? request.global[d] : 0;
    grid.offset[d] = request.offset ? request.offset[d] : 0;
    // CL_INVALID_GLOBAL_OFFSET if global_work_size plus global_work_offset for any dimension is greater than the
    // maximum value representable by size_t.
    if (grid.offset[d] > std::numeric_limits<size_t>::max() - grid.global[d])
      return CL_INVALID_GLOBAL_OFFSET;
  }
  return CL_SUCCESS;
}

// Checks the local size that the application gives and stores it in `grid`.
cl_int readLocal(const KernelBuild &kernel, const LaunchRequest &request, Grid &grid) {
  for (cl_uint d = 0; d < request.dimensions; ++d)
    grid.local[d] = request.local[d];
  // CL_INVALID_WORK_GROUP_SIZE if local_work_size does not match the required work-group size for kernel.
  const auto &required = kernel.info().required_work_group_size;
  if (required[0] != 0 && required != grid.local)
    return CL_INVALID_WORK_GROUP_SIZE;
  // CL_INVALID_WORK_GROUP_SIZE if the total number of work-items in the work-group is zero, ...
  if (grid.local[0] == 0 || grid.local[1] == 0 || grid.local[2] == 0)
    return CL_INVALID_WORK_GROUP_SIZE;
  // CL_INVALID_WORK_ITEM_SIZE if the number of work-items in any dimension exceeds CL_DEVICE_MAX_WORK_GROUP_SIZES.
  if (deviceProfile().checks_item_sizes && std::ranges::max(grid.local) > deviceProfile().max_work_group_size)
    return CL_INVALID_WORK_ITEM_SIZE;
  // ... or greater than CL_KERNEL_WORK_GROUP_SIZE.
  if (isTooLargeWorkGroup(deviceProfile(), grid.local))
    return CL_INVALID_WORK_GROUP_SIZE;
  // CL_INVALID_WORK_GROUP_SIZE if local_work_size is not consistent with the required number of sub-groups.
  const uint64_t sub_groups = kernel.info().required_sub_groups;
  if (sub_groups != 0 && kernel.subGroupCount(grid.local) != sub_groups)
    return CL_INVALID_WORK_GROUP_SIZE;
  return CL_SUCCESS;
}

// Retains the memory objects of the arguments for the launch, and collects the formats of the images.
// CL_INVALID_KERNEL_ARGS when a memory object was released after it was set.
cl_int keepMemory(Kernel &kernel, LaunchFacts &facts, std::vector<vectorizer::KnownImage> &images) {
  facts.memory.reserve(kernel.arguments().size());
  for (unsigned number = 0; number < kernel.arguments().size(); ++number) {
    const Argument &argument = kernel.arguments()[number];
    if (!argument.memory)
      continue;
    Ref<Memory> memory = kernel.context().liveMemory().find(argument.memory, argument.memory_id);
    if (!memory)
      return CL_INVALID_KERNEL_ARGS;
    if (const Image *image = memory->image())
      images.push_back({number, image->descriptor.format});
    facts.memory.push_back(std::move(memory));
  }
  return CL_SUCCESS;
}

// Returns true if the kernel may write the memory of this argument.
bool mayWrite(const Kernel &kernel, size_t number) {
  const frontend::ArgumentInfo &info = kernel.info().arguments[number];
  if (info.kind == frontend::ArgumentKind::Image)
    return info.access != frontend::AccessQualifier::ReadOnly;
  return info.is_written || info.is_updated;
}

// Returns the address ranges [start, end) of those buffer arguments whose memory the launch only reads. A buffer that
// shares its root with an argument that is written is left out.
std::vector<std::pair<uint64_t, uint64_t>> onlyRead(const Kernel &kernel) {
  std::vector<const Memory *> written;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  const std::vector<Argument> &arguments = kernel.arguments();
  for (size_t number = 0; number < arguments.size(); ++number)
    if (const Memory *memory = arguments[number].memory; memory && mayWrite(kernel, number))
      written.push_back(&memory->root());
  for (const Argument &argument : arguments) {
    const Memory *const memory = argument.memory;
    if (!memory || memory->image() || memory->pipe() || std::ranges::count(written, &memory->root()) != 0)
      continue;
    const auto begin = reinterpret_cast<uintptr_t>(memory->data());
    ranges.emplace_back(begin, begin + memory->size());
  }
  return ranges;
}

// Marks host-accessible memory as initialized before a launch: the host may have written it without our noticing.
void markHostMemory(Context &context, const LaunchFacts &facts) {
  if (!shadowsAllMemory())
    return;
  for (const Ref<Memory> &memory : facts.memory)
    if (memory->mayHostWrite())
      markWritten(memory->data(), memory->size());
  const auto mark = [](const auto &allocation) {
    if (!allocation.facts.isOfDeviceOnly())
      markWritten(allocation.base, allocation.size);
  };
  context.svm().forEach(mark);
  context.usm().forEach(mark);
}

// Copies the arguments into `block` and places the __local arguments after the kernel's own `local_bytes` of local
// memory. Returns the end of local memory.
//
// An argument of 0 bytes may point anywhere. Where accesses are checked it gets a byte that no other argument has, so
// that a report can tell which argument an address belongs to.
uint64_t packArguments(const Kernel &kernel, uint64_t local_bytes, scheduler::ArgumentBlock &block,
                       LaunchFacts &facts) {
  block.assign(kernel.argumentBlock().begin(), kernel.argumentBlock().end());
  assert(kernel.arguments().size() == kernel.info().arguments.size() && "the lists of arguments are parallel");
  size_t number = 0;
  for (const Argument &argument : kernel.arguments()) {
    const size_t own = number++;
    const bool is_local = kernel.info().arguments[own].kind == frontend::ArgumentKind::LocalPointer;
    if (!is_local || (argument.local_bytes == 0 && !facts.checked))
      continue;
    const uint64_t start = abi::align_up(local_bytes, kBaseAlignment);
    assert(argument.offset + sizeof start <= block.size() && "the argument is not in the block");
    std::memcpy(block.data() + argument.offset, &start, sizeof start);
    local_bytes = start + std::max<uint64_t>(argument.local_bytes, 1);
    if (facts.checked)
      facts.checked->local_arguments.push_back({own, start, argument.local_bytes});
  }
  return local_bytes;
}

// Returns true if the program seems to have divided its work among the threads itself: it launches about as many
// work-items as there are threads, and either asks for work-groups of one work-item, or leaves the local size open and
// has too few work-items to fill the lanes of one thread.
bool isDividedByThreads(const Grid &grid, unsigned threads) {
  constexpr uint64_t kItemsPerThread = 4, kLanes = 16;
  const uint64_t items = grid.global[0] * grid.global[1] * grid.global[2];
  if (grid.is_open)
    return items <= threads || (items <= kItemsPerThread * threads && items < kLanes);
  return grid.local == Size3{1, 1, 1} && items <= kItemsPerThread * threads;
}

// Returns the shape in which the launch runs. If no work-item can tell its work-group, the work-groups get the size
// that runs fastest; otherwise the shape has the sizes of `grid`.
LaunchShape shapeOf(const KernelBuild &build, Grid grid) {
  const unsigned threads = build.device().units().count;
  const Executable &executable = build.executable();
  if (!executable.hasFreeWorkGroups(build.index()))
    return {grid.local, grid.ids(), grid.has_edges};
  if (!executable.isLong(build.index()) && isDividedByThreads(grid, threads))
    return {.local_size = {1, 1, 1}, .ids = grid.ids()};
  Size3 other_rows{0, 0, 0};
  const bool alone = executable.runsAlone(build.index(), grid.local);
  grid.local = alone ? Size3{1, 1, 1} : freeLocalSize(grid.global, threads);
  grid.makeGroups();
  if (!alone && grid.local[1] * grid.local[2] == 1)
    other_rows = freeRows(grid.global, threads);
  other_rows[0] = 0;
  return {grid.local, grid.ids(), grid.has_edges, true, other_rows};
}

} // namespace

cl_int checkArguments(const Kernel &kernel) {
  for (const Argument &argument : kernel.arguments())
    if (!argument.set)
      return CL_INVALID_KERNEL_ARGS;
  return CL_SUCCESS;
}

cl_int makeGrid(const KernelBuild &kernel, unsigned threads, const LaunchRequest &request, Grid &grid) {
  if (cl_int code = readGlobal(request, grid))
    return code;
  const bool uniform = !kernel.executable().allowsNonUniform();
  const auto &required = kernel.info().required_work_group_size;
  if (request.local) {
    if (cl_int code = readLocal(kernel, request, grid))
      return code;
  } else if (required[0] != 0) {
    grid.local = required;
    // CL_INVALID_WORK_GROUP_SIZE if the required size is greater than CL_KERNEL_WORK_GROUP_SIZE.
    if (isTooLargeWorkGroup(deviceProfile(), required))
      return CL_INVALID_WORK_GROUP_SIZE;
  } else if (const size_t row = kernel.rowOfSubGroups(kernel.info().required_sub_groups)) {
    grid.local = {row, 1, 1};
  } else if (!grid.isEmpty()) {
    grid.is_open = true;
    grid.local = chooseLocalSize(grid.global, threads, uniform);
  }
  grid.makeGroups();
  // CL_INVALID_WORK_GROUP_SIZE if the work-group size must be uniform, and if the global_work_size is not evenly
  // divisible by the local_work_size.
  return uniform && grid.has_edges ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

namespace {

// CL_OUT_OF_RESOURCES if a work-group's private memory is larger than the machine's memory. Smaller amounts are
// reserved as a whole, but only pages that are accessed take memory.
cl_int checkPrivateMemory(const Kernel &kernel, const Grid &grid, uint64_t bytes) {
  if (bytes <= processor().memory_bytes)
    return CL_SUCCESS;
  const uint64_t items = grid.local[0] * grid.local[1] * grid.local[2];
  kernel.context().report(
      "error: kernel '" + kernel.info().name + "' is not launched: a work-group of " + counted(items, "work-item") +
      " needs " + std::to_string(bytes >> 20) + " MiB of private memory, and this machine has " +
      std::to_string(processor().memory_bytes >> 20) + " MiB; use smaller private arrays or a smaller local size");
  return CL_OUT_OF_RESOURCES;
}

} // namespace

cl_int makeLaunch(Kernel &kernel, const KernelBuild &build, Grid grid, cl_uint dimensions, LaunchUse use,
                  scheduler::Launch &launch, unsigned width) {
  assert(!grid.isEmpty() && dimensions >= 1 && dimensions <= 3 && "a launch that makeGrid() has not accepted");
  describeFaults();
  // A launch with a given width is a further run of one that was counted already.
  if (width == 0)
    countCheckedLaunch();
  auto facts = std::allocate_shared<LaunchFacts>(scheduler::CommandAllocator<LaunchFacts>());
  facts->checked = makeCheckedLaunch(use == LaunchUse::Once);
  std::vector<vectorizer::KnownImage> images;
  if (cl_int code = keepMemory(kernel, *facts, images))
    return code;
  if (facts->checked)
    facts->checked->only_read = onlyRead(kernel);
  markHostMemory(kernel.context(), *facts);
  LaunchShape shape = shapeOf(build, grid);
  shape.images = std::move(images);
  shape.width = width;
  auto found = findLaunchCode(kernel, build, shape, grid.groups[0] * grid.groups[1] * grid.groups[2], use);
  if (!found)
    return found.code();
  const LaunchCode &code = **found;
  grid.local = code.local_size;
  grid.makeGroups();
  if (cl_int refusal = checkPrivateMemory(kernel, grid, code.scratch_bytes))
    return refusal;
  assert(code.code && (!grid.has_edges || code.edge_code) && "the code lacks a part that the launch needs");
  launch.entry = code.code->entry;
  launch.edge_entry = code.edge_code ? code.edge_code->entry : nullptr;
  launch.scratch_bytes = code.scratch_bytes;
  launch.stack_bytes = code.stack_bytes;
  launch.updates_atomically = code.code->updates_atomically;
  if (code.code->yields || (code.edge_code && code.edge_code->yields))
    launch.waiting = &waitingLaunches();
  launch.history = code.history.get();
  // CL_OUT_OF_RESOURCES if there is a failure to queue the kernel because of insufficient resources, which here is
  // local memory. The padding between __local arguments does not count.
  if (kernel.localBytes(code.local_bytes) > deviceProfile().local_bytes)
    return CL_OUT_OF_RESOURCES;
  launch.local_bytes = packArguments(kernel, code.local_bytes, launch.arguments, *facts);
  std::copy(grid.global.begin(), grid.global.end(), launch.info.global_size);
  std::copy(grid.offset.begin(), grid.offset.end(), launch.info.global_offset);
  std::copy(grid.local.begin(), grid.local.end(), launch.info.enqueued_local_size);
  std::copy(grid.groups.begin(), grid.groups.end(), launch.info.num_groups);
  launch.info.work_dim = dimensions;
  std::byte *variables = nullptr;
  std::string error;
  if (!build.executable().variables(build.device(), variables, error)) {
    kernel.context().report(error);
    return CL_OUT_OF_RESOURCES;
  }
  launch.info.variables = variables;
  const CodeFacts *const same_for_all = &code.facts;
  if (areLaunchesReported() && width == 0)
    noteLaunch(*code.code, code.history, grid.groups[0] * grid.groups[1] * grid.groups[2]);
  facts->code = {std::move(*found), same_for_all};
  launch.facts = facts.get();
  launch.keep_alive = std::move(facts);
  return CL_SUCCESS;
}

} // namespace lanecl::icd

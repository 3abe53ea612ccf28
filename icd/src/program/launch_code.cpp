// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses and compiles the code of a launch: one part for full work-groups, and one for the smaller ones at the edges.

#include "program/launch_code.h"

#include "device/compiler_use.h"
#include "program/kernel.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

namespace lanecl::icd {
namespace {

// Returns the bytes of private memory for one work-group. Code for an open local size needs them for each sub-group.
uint64_t scratchBytes(const vectorizer::CompiledKernel &code, const vectorizer::LaunchClass &launch,
                      const Executable::LocalSize &local) {
  if (launch.local_size[0] != 0 || code.scratch_per_sub_group == 0)
    return code.scratch_bytes;
  assert(code.width != 0 && "sub-groups have at least one lane");
  const uint64_t items = local[0] * local[1] * local[2];
  return code.scratch_bytes + code.scratch_per_sub_group * ((items + code.width - 1) / code.width);
}

// Adds the memory that this code needs to the needs of the launch. If the code works along y or z, the work-groups
// become rows along that dimension.
void addNeeds(const vectorizer::CompiledKernel &code, const vectorizer::LaunchClass &launch_class, LaunchCode &launch) {
  if (const unsigned axis = code.row_axis; axis != 0) {
    assert(axis < 3 && launch.shape.other_rows[axis] != 0 && "the code works along a dimension that was no choice");
    launch.local_size = {1, 1, 1};
    launch.local_size[axis] = launch.shape.other_rows[axis];
  }
  launch.local_bytes = std::max(launch.local_bytes, code.local_bytes);
  launch.scratch_bytes = std::max(launch.scratch_bytes, scratchBytes(code, launch_class, launch.local_size));
  launch.stack_bytes = std::max(launch.stack_bytes, code.stack_bytes);
}

// One of the codes that a launch needs.
struct Part {
  vectorizer::LaunchClass launch_class;
  Executable::Code LaunchCode::*code; // the member of LaunchCode that receives it
  std::string error{};
};

// Compiles the parts, in parallel if none of them is compiled yet. Reports and returns the first error.
cl_int addCode(const Context &context, const KernelBuild &build, std::span<Part> parts, LaunchCode &launch) {
  Executable &executable = build.executable();
  const auto compile = [&](size_t i) {
    launch.*parts[i].code =
        executable.compile(build.index(), parts[i].launch_class, parts[i].error, context.reporter());
  };
  const auto is_missing = [&](const Part &part) { return !executable.isCompiled(build.index(), part.launch_class); };
  if (parts.size() > 1 && std::ranges::all_of(parts, is_missing))
    compileTogether(parts.size(), compile);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Executable::Code &code = launch.*parts[i].code;
    if (!code && parts[i].error.empty())
      compile(i);
    if (!code) {
      context.report(parts[i].error);
      return CL_OUT_OF_RESOURCES;
    }
    addNeeds(*code, parts[i].launch_class, launch);
  }
  return CL_SUCCESS;
}

CodeFacts factsOf(const KernelBuild &build, const LaunchCode &launch) {
  return {.context = &launch.program->context(),
          .kernel = build.info().name.c_str(),
          .arguments = &build.info().arguments,
          .full = launch.code.get(),
          .edge = launch.edge_code.get(),
          .texts = &launch.executable->texts(),
          .debug = launch.executable->hasDebugInfo(),
          .free_groups = launch.shape.free_groups,
          .variable_bytes = launch.executable->variableBytes()};
}

// CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for the device. Code for
// a processor that this machine does not have counts as none.
cl_int checkRunsHere(Kernel &kernel) {
  const std::string &refusal = Device::refusal();
  if (refusal.empty())
    return CL_SUCCESS;
  kernel.context().report("error: kernel '" + kernel.info().name + "' is not launched: " + refusal);
  return CL_INVALID_PROGRAM_EXECUTABLE;
}

// Returns true if this local size should get code of its own, since code for any local size is slower. It pays off when
// the launches with this size have taken several times as long as one compilation. Adds the expected time of a launch
// of `groups` work-groups to that sum.
bool earnsOwnCode(const KernelBuild &build, const LaunchCode &code, uint64_t groups) {
  constexpr float kCompilations = 4;
  assert(code.history && "the launches of this code have no run times");
  const float spent = code.spent.load(std::memory_order_relaxed) + code.history->groupNanoseconds() * float(groups);
  code.spent.store(spent, std::memory_order_relaxed);
  return spent > kCompilations * float(build.executable().compileNanoseconds(build.index())) &&
         build.executable().specialize(build.index(), code.shape.local_size);
}

} // namespace

LaunchCodePtr LaunchCodeCache::find(const Executable &executable, const LaunchShape &shape) const {
  const std::lock_guard lock(mutex_);
  return last_ && last_->executable.get() == &executable && last_->shape == shape ? last_ : nullptr;
}

LaunchCodePtr LaunchCodeCache::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void LaunchCodeCache::remember(LaunchCodePtr code) {
  const std::lock_guard lock(mutex_);
  last_.swap(code); // the old code is released after the lock, since releasing may unload it
}

Result<LaunchCodePtr> findLaunchCode(Kernel &kernel, const KernelBuild &build, const LaunchShape &shape,
                                     uint64_t groups, LaunchUse use) {
  LaunchCodePtr known = kernel.launchCode().find(build.executable(), shape);
  if (known && !(known->general && (use == LaunchUse::Often || earnsOwnCode(build, *known, groups))))
    return known;
  if (use == LaunchUse::Often)
    build.executable().specialize(build.index(), shape.local_size);
  auto launch = std::make_shared<LaunchCode>(kernel.program());
  launch->shape = shape;
  launch->local_size = shape.local_size;
  launch->executable = build.sharedExecutable();
  auto exact = shape.free_groups
                   ? build.executable().freeClassFor(build.index(), shape.local_size, shape.other_rows, shape.ids)
                   : build.executable().classFor(build.index(), shape.local_size, shape.ids);
  if (shape.width != 0)
    exact.width = shape.width;
  exact.images = build.executable().knownFormats(build.index(), shape.images);
  launch->general = exact.local_size[0] == 0 && !exact.isRow();
  std::vector<Part> parts{{exact, &LaunchCode::code}};
  if (shape.has_edges && !exact.isRow()) {
    // The code for the edges has the same width as that for full work-groups: a sub-group size holds for the whole
    // launch.
    auto edge = exact;
    edge.local_size = {0, 0, 0};
    parts.push_back({edge, &LaunchCode::edge_code});
  }
  if (cl_int code = addCode(kernel.context(), build, parts, *launch))
    return Error{code};
  if (exact.isRow())
    launch->edge_code = launch->code;
  assert(launch->code && (!shape.has_edges || launch->edge_code) && "a part of the code is missing");
  launch->facts = factsOf(build, *launch);
  launch->history = build.executable().history(build.index(), launch->local_size);
  // Checked only after compiling, so that a refused launch still fills the cache for a machine that can run the code.
  if (cl_int code = checkRunsHere(kernel))
    return Error{code};
  if (shape.width == 0)
    kernel.launchCode().remember(launch);
  return LaunchCodePtr(std::move(launch));
}

} // namespace lanecl::icd

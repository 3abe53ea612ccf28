// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernel objects: creating and cloning them, and storing their arguments.
#include "program/kernel.h"

#include "api/entry.h"
#include "icd/profile.h"
#include "vectorizer/contract/abi.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

namespace lanecl::icd {

Kernel::Kernel(Program &program, KernelBuilds builds) : program_(program), builds_(std::move(builds)) {
  assert(!builds_.empty() && "a kernel object exists only for kernels that were built");
  assert(std::ranges::all_of(builds_, [&](const KernelBuild &build) { return sameDefinition(build.info(), info()); }) &&
         "the block of arguments fits only one of the builds");
  size_t end = 0;
  for (const frontend::ArgumentInfo &argument : info().arguments) {
    assert(std::has_single_bit(std::max<uint32_t>(argument.alignment, 1)) && "no type has such an alignment");
    const size_t offset = abi::align_up(end, std::max<uint32_t>(argument.alignment, 1));
    arguments_.push_back({.offset = offset});
    end = offset + argument.size;
  }
  block_.resize(end);
  program_->attachKernel();
}

void Kernel::setValue(size_t index, const void *bytes) {
  assert(index < arguments_.size() && arguments_[index].offset + info().arguments[index].size <= block_.size() &&
         "the argument is not in the block");
  arguments_[index].set = true;
  std::memcpy(block_.data() + arguments_[index].offset, bytes, info().arguments[index].size);
}

void Kernel::setPointer(size_t index, const void *address, Memory *memory) {
  assert(index < arguments_.size() && info().arguments[index].size == sizeof address && "the argument is no address");
  arguments_[index].memory = memory;
  arguments_[index].memory_id = memory ? memory->liveId() : 0;
  setValue(index, &address);
}

void Kernel::setLocal(size_t index, size_t bytes) {
  assert(index < arguments_.size() && info().arguments[index].kind == frontend::ArgumentKind::LocalPointer &&
         "the argument has no local memory");
  arguments_[index].set = true;
  arguments_[index].local_bytes = bytes;
}

void Kernel::copyArguments(const Kernel &other) {
  assert(arguments_.size() == other.arguments_.size() && block_.size() == other.block_.size() &&
         "arguments are copied between objects of one kernel");
  arguments_ = other.arguments_;
  block_ = other.block_;
}

const KernelBuild *Kernel::build(const Device &device) const {
  for (const KernelBuild &build : builds_)
    if (&build.device() == &device)
      return &build;
  return nullptr;
}

Ref<Kernel> copyKernel(Kernel &source) {
  auto copy = make<Kernel>(source.program(), source.builds());
  copy->copyArguments(source);
  copy->launchCode().remember(source.launchCode().last());
  return copy;
}

uint64_t Kernel::localBytes(uint64_t own) const {
  constexpr uint64_t kAbsurd = uint64_t{1} << 62;
  uint64_t of_arguments = 0;
  for (const Argument &argument : arguments_) {
    if (argument.local_bytes > kAbsurd - of_arguments)
      return std::numeric_limits<uint64_t>::max();
    of_arguments += argument.local_bytes;
  }
  return own + abi::align_up(of_arguments, deviceProfile().local_argument_unit);
}

size_t KernelBuild::subGroupCount(const Executable::LocalSize &local_size) const {
  const size_t lanes = width(local_size);
  assert(lanes != 0 && "sub-groups have at least one lane");
  return (local_size[0] * local_size[1] * local_size[2] + lanes - 1) / lanes;
}

bool KernelBuild::makesFullSubGroups(size_t size, size_t count) const {
  const Executable::LocalSize row{size, 1, 1}, &required = info().required_work_group_size;
  if (size > deviceProfile().max_work_group_size || (required[0] != 0 && required != row))
    return false;
  return width(row) * count == size;
}

size_t KernelBuild::rowOfSubGroups(size_t count) const {
  if (count == 0 || count > maxSubGroups(deviceProfile()))
    return 0;
  for (unsigned lanes : {16u, 32u, 8u})
    if (makesFullSubGroups(count * lanes, count))
      return count * lanes;
  return 0;
}

namespace {

// Returns the builds of a kernel for all devices that have it. CL_INVALID_KERNEL_DEFINITION if the function definition
// such as the number of arguments, the argument types are not the same for all devices for which the executable has
// been built.
Result<KernelBuilds> findKernel(const Program &program, const std::string &name) {
  KernelBuilds builds;
  for (const auto &[device, executable] : program.executables())
    if (const int index = executable->find(name); index >= 0) {
      builds.emplace_back(*device, executable, size_t(index));
      if (!sameDefinition(builds.front().info(), builds.back().info()))
        return Error{CL_INVALID_KERNEL_DEFINITION};
    }
  return builds;
}

Result<Ref<Kernel>> createKernel(cl_program handle, const char *name) {
  if (cl_int code = validate(handle))
    return Error{code};
  objectOf(handle).awaitBuilds();
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program.
  if (objectOf(handle).executables().empty())
    return Error{CL_INVALID_PROGRAM_EXECUTABLE};
  // CL_INVALID_VALUE if kernel_name is NULL.
  if (!name)
    return Error{CL_INVALID_VALUE};
  auto builds = findKernel(objectOf(handle), name);
  if (!builds)
    return builds.error();
  // CL_INVALID_KERNEL_NAME if kernel_name is not found in program.
  if (builds->empty())
    return Error{CL_INVALID_KERNEL_NAME};
  return make<Kernel>(objectOf(handle), std::move(*builds));
}

cl_int createKernels(cl_program handle, cl_uint num_kernels, cl_kernel *kernels, cl_uint *num_kernels_ret) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  program.awaitBuilds();
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in program.
  if (program.executables().empty())
    return CL_INVALID_PROGRAM_EXECUTABLE;
  // Kernel objects are not created for functions that do not have the same definition across all devices.
  const std::vector<std::string> names = program.kernelNames();
  // CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of kernels in program.
  if (kernels && num_kernels < names.size())
    return CL_INVALID_VALUE;
  if (kernels) {
    std::vector<Ref<Kernel>> made;
    for (const std::string &name : names) {
      auto builds = findKernel(program, name);
      if (!builds || builds->empty()) // another thread has built the program anew meanwhile
        return CL_INVALID_PROGRAM_EXECUTABLE;
      made.push_back(make<Kernel>(program, std::move(*builds)));
    }
    for (size_t i = 0; i < made.size(); ++i)
      kernels[i] = made[i].detach()->handle();
  }
  if (num_kernels_ret)
    *num_kernels_ret = cl_uint(names.size());
  return CL_SUCCESS;
}

Result<Ref<Kernel>> cloneKernel(cl_kernel handle) {
  if (cl_int code = validate(handle))
    return Error{code};
  return copyKernel(objectOf(handle));
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createKernel(program, name); });
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                                         cl_uint *num_kernels_ret) {
  return entry([&] { return createKernels(program, num_kernels, kernels, num_kernels_ret); });
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel kernel, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return cloneKernel(kernel); });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return entry([&] { return retain(kernel); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return entry([&] {
    const DestructorWait wait; // the kernel may hold its program's last reference
    return release(kernel);
  });
}

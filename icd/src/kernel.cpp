// Creating and cloning kernels.
#include "kernel.h"

#include "device_limits.h"
#include "entry.h"
#include "vectorizer/abi.h"

#include <algorithm>
#include <cstring>

namespace lanecl::icd {

Kernel::Kernel(Program &program, std::shared_ptr<Executable> executable, size_t index)
    : program_(program), executable_(std::move(executable)), index_(index) {
  size_t end = 0;
  for (const frontend::ArgumentInfo &argument : info().arguments) {
    const size_t offset = abi::align_up(end, std::max<uint32_t>(argument.alignment, 1));
    arguments_.push_back({.offset = offset});
    end = offset + argument.size;
  }
  block_.resize(end);
  program_->attachKernel();
}

void Kernel::setValue(size_t index, const void *bytes) {
  arguments_[index].set = true;
  std::memcpy(block_.data() + arguments_[index].offset, bytes, info().arguments[index].size);
}

void Kernel::setPointer(size_t index, const void *address, Memory *memory) {
  arguments_[index].memory = memory;
  arguments_[index].memory_id = memory ? memory->liveId() : 0;
  setValue(index, &address);
}

void Kernel::setLocal(size_t index, size_t bytes) {
  arguments_[index].set = true;
  arguments_[index].local_bytes = bytes;
}

void Kernel::copyArguments(const Kernel &other) {
  arguments_ = other.arguments_;
  block_ = other.block_;
}

uint64_t Kernel::localBytes() const {
  uint64_t bytes = info().local_bytes;
  for (const Argument &argument : arguments_)
    bytes += argument.local_bytes;
  return bytes;
}

size_t Kernel::subGroupCount(const Executable::LocalSize &local_size) const {
  const size_t width = executable_->width(index_, local_size);
  return (local_size[0] * local_size[1] * local_size[2] + width - 1) / width;
}

bool Kernel::makesFullSubGroups(size_t size, size_t count) const {
  const Executable::LocalSize row{size, 1, 1}, &required = info().required_work_group_size;
  if (size > kMaxWorkGroupSize || (required[0] != 0 && required != row))
    return false;
  return executable_->width(index_, row) * count == size;
}

size_t Kernel::rowOfSubGroups(size_t count) const {
  if (count == 0 || count > kMaxSubGroups)
    return 0;
  for (unsigned width : {16u, 32u, 8u})
    if (makesFullSubGroups(count * width, count))
      return count * width;
  return 0;
}

namespace {

Result<Ref<Kernel>> createKernel(cl_program handle, const char *name) {
  if (cl_int code = validate(handle))
    return Error{code};
  auto executable = objectOf(handle).executable();
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program.
  if (!executable)
    return Error{CL_INVALID_PROGRAM_EXECUTABLE};
  // CL_INVALID_VALUE if kernel_name is NULL.
  if (!name)
    return Error{CL_INVALID_VALUE};
  const int index = executable->find(name);
  // CL_INVALID_KERNEL_NAME if kernel_name is not found in program.
  if (index < 0)
    return Error{CL_INVALID_KERNEL_NAME};
  return make<Kernel>(objectOf(handle), std::move(executable), size_t(index));
}

cl_int createKernels(cl_program handle, cl_uint num_kernels, cl_kernel *kernels, cl_uint *num_kernels_ret) {
  if (cl_int code = validate(handle))
    return code;
  auto executable = objectOf(handle).executable();
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in program.
  if (!executable)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  const size_t count = executable->kernels().size();
  // CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of kernels in program.
  if (kernels && num_kernels < count)
    return CL_INVALID_VALUE;
  if (kernels) {
    std::vector<Ref<Kernel>> made;
    for (size_t i = 0; i < count; ++i)
      made.push_back(make<Kernel>(objectOf(handle), executable, i));
    for (size_t i = 0; i < count; ++i)
      kernels[i] = made[i].detach()->handle();
  }
  if (num_kernels_ret)
    *num_kernels_ret = cl_uint(count);
  return CL_SUCCESS;
}

Result<Ref<Kernel>> cloneKernel(cl_kernel handle) {
  if (cl_int code = validate(handle))
    return Error{code};
  Kernel &source = objectOf(handle);
  auto clone = make<Kernel>(source.program(), source.sharedExecutable(), source.index());
  clone->copyArguments(source);
  return clone;
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
  return entry([&] { return release(kernel); });
}

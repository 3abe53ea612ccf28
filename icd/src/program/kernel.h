// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_kernel: one kernel of an executable, with the arguments set so far.
#pragma once

#include "memory/memory_object.h"
#include "program/launch_code.h"
#include "program/program.h"

#include <vector>

namespace lanecl::icd {

struct Argument {
  size_t offset = 0; // in the packed block
  bool set = false;
  // The buffer or image whose address it is; null for a null or SVM pointer. Not kept alive by the kernel, as the
  // specification demands, but by each launch.
  Memory *memory = nullptr;
  uint64_t memory_id = 0;
  size_t local_bytes = 0;
};

// The kernel as it was built for a device.
class KernelBuild {
public:
  KernelBuild(Device &device, std::shared_ptr<Executable> executable, size_t index)
      : device_(&device), executable_(std::move(executable)), index_(index) {}

  Device &device() const { return *device_; }
  Executable &executable() const { return *executable_; }
  const std::shared_ptr<Executable> &sharedExecutable() const { return executable_; }
  size_t index() const { return index_; }
  const frontend::KernelInfo &info() const { return executable_->kernels()[index_]; }

  unsigned width(const Executable::LocalSize &local_size) const { return executable_->width(index_, local_size); }
  // Sub-groups in a work-group of that local size.
  size_t subGroupCount(const Executable::LocalSize &local_size) const;
  // The local size of one dimension that makes exactly `count` sub-groups, all of them full; 0 when none does.
  size_t rowOfSubGroups(size_t count) const;

private:
  bool makesFullSubGroups(size_t size, size_t count) const;

  Device *device_; // of the context, which lives longer
  std::shared_ptr<Executable> executable_;
  size_t index_;
};
using KernelBuilds = std::vector<KernelBuild>;

class Kernel final : public Object<Kernel, cl_kernel, Tag::Kernel> {
public:
  Kernel(Program &program, KernelBuilds builds); // at least one
  Kernel(const Kernel &) = delete;
  ~Kernel() { program_->detachKernel(); }

  Context &context() const { return program_->context(); }
  Program &program() const { return *program_; }
  const KernelBuilds &builds() const { return builds_; }
  const KernelBuild *build(const Device &device) const; // null: not built for it
  // Name and arguments, which are the same in all builds.
  const frontend::KernelInfo &info() const { return builds_.front().info(); }

  const std::vector<Argument> &arguments() const { return arguments_; }
  // The packed block of vectorizer/contract/abi.h, but for the addresses of __local arguments, which only a launch
  // knows.
  const std::vector<std::byte> &argumentBlock() const { return block_; }
  void setValue(size_t index, const void *bytes);
  void setPointer(size_t index, const void *address, Memory *memory = nullptr);
  void setLocal(size_t index, size_t bytes);
  void copyArguments(const Kernel &other);

  LaunchCodeCache &launchCode() { return launch_code_; }

  // What a work-group needs whose __local variables take `own` bytes, with the __local arguments set so far. The
  // largest number when it is more than there can be.
  uint64_t localBytes(uint64_t own) const;

private:
  Ref<Program> program_;
  KernelBuilds builds_;
  std::vector<Argument> arguments_;
  std::vector<std::byte> block_;
  LaunchCodeCache launch_code_;
};

// With the arguments set so far.
Ref<Kernel> copyKernel(Kernel &source);

} // namespace lanecl::icd

LANECL_HANDLE(cl_kernel, Kernel, CL_INVALID_KERNEL)

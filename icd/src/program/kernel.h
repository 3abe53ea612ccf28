// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_kernel: one kernel of a program, with the arguments that were set so far.
#pragma once

#include "memory/memory_object.h"
#include "program/launch_code.h"
#include "program/program.h"

#include <cassert>
#include <vector>

namespace lanecl::icd {

// The value of one kernel argument, apart from its bytes, which are in Kernel::argumentBlock().
struct Argument {
  size_t offset = 0; // byte offset in the packed block
  bool set = false;
  // The memory object whose address the argument holds, or null for a null pointer, an SVM pointer and a plain value.
  // As the specification demands, the kernel does not retain it. Each launch does, after looking it up by `memory_id`.
  Memory *memory = nullptr;
  uint64_t memory_id = 0; // Memory::liveId() of `memory`, which tells it from a later object at the same address
  size_t local_bytes = 0; // size of a __local argument
};

// The kernel as it was built for one device.
class KernelBuild {
public:
  KernelBuild(Device &device, std::shared_ptr<Executable> executable, size_t index)
      : device_(&device), executable_(std::move(executable)), index_(index) {
    assert(executable_ && index_ < executable_->kernels().size() && "the executable has no such kernel");
  }

  Device &device() const { return *device_; }
  Executable &executable() const { return *executable_; }
  const std::shared_ptr<Executable> &sharedExecutable() const { return executable_; }
  size_t index() const { return index_; }
  const frontend::KernelInfo &info() const { return executable_->kernels()[index_]; }

  unsigned width(const Executable::LocalSize &local_size) const { return executable_->width(index_, local_size); }
  // Returns how many sub-groups a work-group of that local size has.
  size_t subGroupCount(const Executable::LocalSize &local_size) const;
  // Returns the x of a local size {x, 1, 1} that makes exactly `count` full sub-groups, or 0 when there is none.
  size_t rowOfSubGroups(size_t count) const;

private:
  // Returns true if a row of `size` work-items is allowed and consists of `count` full sub-groups.
  bool makesFullSubGroups(size_t size, size_t count) const;

  Device *device_; // owned by the context, which outlives this object
  std::shared_ptr<Executable> executable_;
  size_t index_;
};
using KernelBuilds = std::vector<KernelBuild>;

// Arguments may be set by one thread at a time, as clSetKernelArg demands.
class Kernel final : public Object<Kernel, cl_kernel, Tag::Kernel> {
public:
  Kernel(Program &program, KernelBuilds builds); // `builds` has at least one element
  Kernel(const Kernel &) = delete;
  ~Kernel() { program_->detachKernel(); }

  Context &context() const { return program_->context(); }
  Program &program() const { return *program_; }
  const KernelBuilds &builds() const { return builds_; }
  const KernelBuild *build(const Device &device) const; // null: the kernel was not built for that device
  // Name and arguments of the kernel. Kernel objects exist only for kernels that have the same in all builds.
  const frontend::KernelInfo &info() const { return builds_.front().info(); }

  const std::vector<Argument> &arguments() const { return arguments_; }
  // The packed arguments as vectorizer/contract/abi.h describes them. The addresses of __local arguments are missing:
  // only a launch knows them.
  const std::vector<std::byte> &argumentBlock() const { return block_; }
  void setValue(size_t index, const void *bytes);
  void setPointer(size_t index, const void *address, Memory *memory = nullptr);
  void setLocal(size_t index, size_t bytes);
  void copyArguments(const Kernel &other);

  // The code of the last launch, which the next launch mostly can use.
  LaunchCodeCache &launchCode() { return launch_code_; }

  // Returns the local memory of a work-group in bytes: `own` bytes for the kernel's __local variables plus the __local
  // arguments set so far. Returns the largest number if the sum would not fit.
  uint64_t localBytes(uint64_t own) const;

private:
  Ref<Program> program_;
  KernelBuilds builds_;
  std::vector<Argument> arguments_;
  std::vector<std::byte> block_;
  LaunchCodeCache launch_code_;
};

// Returns a new kernel object of the same builds, with the arguments that `source` has now.
Ref<Kernel> copyKernel(Kernel &source);

} // namespace lanecl::icd

LANECL_HANDLE(cl_kernel, Kernel, CL_INVALID_KERNEL)

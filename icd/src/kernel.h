// cl_kernel: one kernel of an executable, with the arguments set so far.
#pragma once

#include "memory_object.h"
#include "program.h"

#include <vector>

namespace lanecl::icd {

struct Argument {
  bool set = false;
  std::vector<std::byte> value; // as it is packed: the value, or the address
  // The buffer or image whose address it is; null for a null or SVM pointer. Not kept alive by the kernel, as the
  // specification demands, but by each launch.
  Memory *memory = nullptr;
  uint64_t memory_id = 0;
  size_t local_bytes = 0;
};

class Kernel final : public Object<Kernel, cl_kernel, Tag::Kernel> {
public:
  Kernel(Program &program, std::shared_ptr<Executable> executable, size_t index);
  Kernel(const Kernel &) = delete;
  ~Kernel() { program_->detachKernel(); }

  Context &context() const { return program_->context(); }
  Program &program() const { return *program_; }
  Executable &executable() const { return *executable_; }
  const std::shared_ptr<Executable> &sharedExecutable() const { return executable_; }
  size_t index() const { return index_; }
  const frontend::KernelInfo &info() const { return executable_->kernels()[index_]; }

  std::vector<Argument> &arguments() { return arguments_; }
  // Of __local variables and of the __local arguments set so far.
  uint64_t localBytes() const;

private:
  Ref<Program> program_;
  std::shared_ptr<Executable> executable_;
  size_t index_;
  std::vector<Argument> arguments_;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_kernel, Kernel, CL_INVALID_KERNEL)

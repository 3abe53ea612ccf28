// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/kernel_uses.h"

#include <cstring>
#include <span>

namespace lanecl::icd {
namespace {

using Access = MemoryUse::Access;
using frontend::AccessQualifier;
using frontend::ArgumentInfo;
using frontend::ArgumentKind;

// What the program has told the compiler or OpenCL, then what the compiler has seen. An image that is read and written
// counts as read.
Access accessOf(const ArgumentInfo &argument, cl_mem_flags flags) {
  if (argument.kind == ArgumentKind::Image)
    return argument.access == AccessQualifier::WriteOnly ? Access::Writes : Access::Reads;
  if (argument.is_written && (flags & CL_MEM_READ_ONLY) == 0)
    return Access::Writes;
  if (argument.is_updated)
    return Access::Updates;
  return argument.is_read ? Access::Reads : Access::Keeps;
}

template <class Registry> std::span<const std::byte> allocationAt(Registry &registry, const void *pointer) {
  const auto allocation = registry.find(pointer);
  if (!allocation)
    return {};
  return {static_cast<const std::byte *>(allocation->base), allocation->size};
}

// All of the object or the allocation that the argument names.
std::span<const std::byte> memoryOf(const Kernel &kernel, const Argument &argument) {
  if (argument.memory)
    return {argument.memory->data(), argument.memory->size()};
  const void *pointer = nullptr;
  std::memcpy(&pointer, kernel.argumentBlock().data() + argument.offset, sizeof pointer);
  const auto svm = allocationAt(kernel.context().svm(), pointer);
  return svm.empty() ? allocationAt(kernel.context().usm(), pointer) : svm;
}

} // namespace

std::vector<MemoryUse> usesOf(const Kernel &kernel) {
  std::vector<MemoryUse> uses;
  for (size_t number = 0; number < kernel.arguments().size(); ++number) {
    const ArgumentInfo &info = kernel.info().arguments[number];
    if (info.kind != ArgumentKind::GlobalPointer && info.kind != ArgumentKind::ConstantPointer &&
        info.kind != ArgumentKind::Image)
      continue;
    const Argument &argument = kernel.arguments()[number];
    const auto memory = memoryOf(kernel, argument);
    std::string what = "argument " + std::to_string(number);
    if (!info.name.empty())
      what += " '" + info.name + "'";
    if (!memory.empty())
      uses.push_back(MemoryUse::ofBytes(memory.data(), memory.size(),
                                        accessOf(info, argument.memory ? argument.memory->flags() : 0), what));
  }
  return uses;
}

} // namespace lanecl::icd

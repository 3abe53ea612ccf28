// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Derives the memory accesses of a launch from the kernel's arguments, for check mode's order of commands.

#include "commands/kernel_uses.h"

#include <cstring>
#include <span>

namespace lanecl::icd {
namespace {

using Access = MemoryUse::Access;
using frontend::AccessQualifier;
using frontend::ArgumentInfo;
using frontend::ArgumentKind;

// Returns how the kernel accesses an argument's memory. What the program declares, to the compiler or by the flags of
// the memory object, comes before what the compiler has found out. An image that is read and written counts as read.
Access accessOf(const ArgumentInfo &argument, cl_mem_flags flags) {
  if (argument.kind == ArgumentKind::Image)
    return argument.access == AccessQualifier::WriteOnly ? Access::Writes : Access::Reads;
  if (argument.is_written && (flags & CL_MEM_READ_ONLY) == 0)
    return Access::Writes;
  if (argument.is_updated)
    return Access::Updates;
  return argument.is_read ? Access::Reads : Access::Keeps;
}

// Returns the whole memory object that the argument names. If the argument points into an SVM or USM allocation, the
// result is only the byte that it points to: programs divide allocations among kernels, and how far a kernel goes from
// there is not known.
std::span<const std::byte> memoryOf(const Kernel &kernel, const Argument &argument) {
  if (argument.memory)
    return {argument.memory->data(), argument.memory->size()};
  const std::byte *pointer = nullptr;
  std::memcpy(&pointer, kernel.argumentBlock().data() + argument.offset, sizeof pointer);
  if (kernel.context().svm().find(pointer) || kernel.context().usm().find(pointer))
    return {pointer, 1};
  return {};
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
    if (memory.empty())
      continue;
    uses.push_back(MemoryUse::ofBytes(memory.data(), memory.size(),
                                      accessOf(info, argument.memory ? argument.memory->flags() : 0), what));
    uses.back().is_start = !argument.memory;
  }
  return uses;
}

} // namespace lanecl::icd

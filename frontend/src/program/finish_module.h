// What Clang's IR needs before the rest of the house may see it.
#pragma once

#include "program/kernel_attributes.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

inline constexpr const char *kAttributesMetadata = "lanecl.attributes"; // on a kernel: CL_KERNEL_ATTRIBUTES

inline constexpr const char *kSubGroupsMetadata = "lanecl.sub_groups"; // on a kernel: how many in a work-group

bool isKernel(const llvm::Function &function);

void finishModule(llvm::Module &module, const AttributeTexts &attributes);

// For a module whose blocks stand in the order of the source, as Clang emits them: its functions say so.
void markSourceOrder(llvm::Module &module);

} // namespace lanecl::frontend

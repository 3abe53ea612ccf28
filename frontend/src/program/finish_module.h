// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Changes to Clang's IR that the rest of LaneCL relies on.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

inline constexpr const char *kAttributesMetadata = "lanecl.attributes"; // on a kernel: CL_KERNEL_ATTRIBUTES

inline constexpr const char *kSubGroupsMetadata = "lanecl.sub_groups"; // on a kernel: how many in a work-group

bool isKernel(const llvm::Function &function);

void finishModule(llvm::Module &module, const AttributeTexts &attributes);

// Replaces the saturating conversions that Clang emits for -fno-strict-float-cast-overflow by plain ones, even of
// constants: checks report them, and the vectorizer defines their results.
void usePlainConversions(llvm::Module &module);

// Marks the functions of a module whose blocks are in the order of the source, as Clang emits them (kSourceOrder).
void markSourceOrder(llvm::Module &module);

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Changes Clang's IR in ways that the rest of LaneCL relies on.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

// Metadata of a kernel: its CL_KERNEL_ATTRIBUTES as one string.
inline constexpr const char *kAttributesMetadata = "lanecl.attributes";

// Metadata of a kernel: the number of sub-groups that a work-group must have.
inline constexpr const char *kSubGroupsMetadata = "lanecl.sub_groups";

// Whether the function is a kernel with a body.
bool isKernel(const llvm::Function &function);

// Stores the kernels' attributes as metadata, keeps inline functions, and drops promises of finite values.
void finishModule(llvm::Module &module, const AttributeTexts &attributes);

// Replaces the saturating conversions that Clang emits for -fno-strict-float-cast-overflow by plain ones, even those of
// constants. Checks report conversions out of range, and the vectorizer defines their results.
void usePlainConversions(llvm::Module &module);

// Marks functions whose blocks are in the order of the source, as Clang emits them
// (vectorizer/contract/source_order.h).
void markSourceOrder(llvm::Module &module);

} // namespace lanecl::frontend

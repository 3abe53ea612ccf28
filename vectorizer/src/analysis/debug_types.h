// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Source variables and their types as debug information describes them.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

// Without typedefs and qualifiers; null: no type.
const llvm::DIType *plainType(const llvm::DIType *type);

uint64_t bytesOf(const llvm::DIType *type); // 0: not known

// The array, if the variable is one, of any number of dimensions, whose elements are numbers or pointers, or null.
// Debuggers print arrays of char as text, for which they have to be contiguous: they do not count.
const llvm::DICompositeType *arrayOfScalars(const llvm::DIType *type);

// Of all dimensions together; 0: it is not a constant.
uint64_t elementCount(const llvm::DICompositeType &array);

// An array of `count` such elements.
llvm::DICompositeType *arrayOf(llvm::DIType &element, uint64_t count);

// The expression of a variable without the change to its address space, which debuggers do not know.
llvm::DIExpression *withoutAddressSpace(llvm::DIExpression *expression);

} // namespace lanecl::vectorizer

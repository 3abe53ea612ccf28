// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Helpers that read source variables and their types from debug information.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

// Returns the type without typedefs and qualifiers. Null stands for `void` or no type.
const llvm::DIType *plainType(const llvm::DIType *type);

// Returns the size of the type in bytes, or 0 if it is unknown.
uint64_t bytesOf(const llvm::DIType *type);

// Returns the array type if the variable is an array (of any number of dimensions) of numbers or pointers, else null.
// Arrays of char do not count: debuggers print them as text, so their elements have to be contiguous in memory.
const llvm::DICompositeType *arrayOfScalars(const llvm::DIType *type);

// Returns the number of elements in all dimensions together, or 0 if a dimension is not constant.
uint64_t elementCount(const llvm::DICompositeType &array);

// Returns the type of a one-dimensional array of `count` elements.
llvm::DICompositeType *arrayOf(llvm::DIType &element, uint64_t count);

// Returns the expression of a variable without the leading change of address space (DW_OP_xderef), which debuggers do
// not know.
llvm::DIExpression *withoutAddressSpace(llvm::DIExpression *expression);

} // namespace lanecl::vectorizer

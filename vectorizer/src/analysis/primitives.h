// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lane primitives (vectorizer/contract/lane_primitives.def) as a typed view over calls, so that passes do not
// compare strings.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace llvm {
class Function;
class FunctionCallee;
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

enum class Primitive {
#define PRIMITIVE(Enumerator, name, Result) Enumerator,
#include "vectorizer/contract/lane_primitives.def"
};

// "_Z16__lanecl_shufflefj" -> "shuffle"; empty when it is not one of ours.
llvm::StringRef baseName(llvm::StringRef function_name);

// By the name in IR: "_Z16__lanecl_shufflefj" or, unmangled, "__lanecl_shuffle".
std::optional<Primitive> primitiveOf(llvm::StringRef function_name);
std::optional<Primitive> primitiveOf(const llvm::Function &function);
// Nothing for indirect calls and for calls of anything else.
std::optional<Primitive> primitiveOf(const llvm::CallBase &call);
std::optional<Primitive> primitiveOf(const llvm::Value &value); // of a call, else nothing

inline bool isPrimitive(const llvm::Value &value, Primitive primitive) {
  return primitiveOf(value) == primitive;
}

llvm::StringRef nameOf(Primitive primitive);             // "shuffle"
llvm::StringRef typesInName(const llvm::CallBase &call); // "u8_i8" of matrix_mad_u8_i8
bool hasUniformResult(Primitive primitive);              // as the list says: the same for all active lanes
bool exchangesLanes(Primitive primitive);                // its result depends on which lanes are active together

// Primitives whose one argument is the dimension: local_id, group_id, global_size, ...
bool takesDimension(Primitive primitive);
// That argument; nothing when it is not a constant 0, 1 or 2.
std::optional<unsigned> dimensionOf(const llvm::CallBase &call);

} // namespace lanecl::vectorizer

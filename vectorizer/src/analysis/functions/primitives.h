// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lane primitives (vectorizer/contract/lane_primitives.def) as a typed view of calls, so that passes need not
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
#define PRIMITIVE(Enumerator, name, Result, Class, Reveals) Enumerator,
#include "vectorizer/contract/lane_primitives.def"
};

// Returns "shuffle" for "_Z16__lanecl_shufflefj", and an empty string for a function that is not one of ours.
llvm::StringRef baseName(llvm::StringRef function_name);

// Returns the primitive of this name in IR: "_Z16__lanecl_shufflefj" or, unmangled, "__lanecl_shuffle".
std::optional<Primitive> primitiveOf(llvm::StringRef function_name);
std::optional<Primitive> primitiveOf(const llvm::Function &function);
// Returns nothing for indirect calls and for calls of other functions.
std::optional<Primitive> primitiveOf(const llvm::CallBase &call);
// Returns nothing for values other than calls.
std::optional<Primitive> primitiveOf(const llvm::Value &value);

inline bool isPrimitive(const llvm::Value &value, Primitive primitive) {
  return primitiveOf(value) == primitive;
}

// Returns the name of the primitive without prefix and types, such as "shuffle".
llvm::StringRef nameOf(Primitive primitive);
// Returns the types that end the callee's name: "u8_i8" for matrix_mad_u8_i8.
llvm::StringRef typesInName(const llvm::CallBase &call);
// Whether the primitive's result is the same for all active lanes, as the list says.
bool hasUniformResult(Primitive primitive);

// What follows is what the list says of the primitive's class.
// Whether the primitive is a query of the launch: its ids and sizes.
bool queriesLaunch(Primitive primitive);
// Whether the primitive's result depends on which lanes are active together.
bool exchangesLanes(Primitive primitive);
// Whether the primitive's result depends on the work-item and the launch alone, not on other lanes. There are also
// primitives of which neither this nor exchangesLanes() is true, such as yield and the primitives of pipes.
bool isOfOneItem(Primitive primitive);

// Whether the primitive's only argument is the dimension: local_id, group_id, global_size, ...
bool takesDimension(Primitive primitive);
// Returns that argument, or nothing if it is not a constant 0, 1 or 2.
std::optional<unsigned> dimensionOf(const llvm::CallBase &call);

} // namespace lanecl::vectorizer

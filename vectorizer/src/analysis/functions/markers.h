// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Marker calls that carry facts about lanes and control flow from pass to pass. The first three exist only between
// linearize and widen, and say under which mask linearized code runs. The others are made before linearize: it removes
// `leave` and `effects`, and widen lowers `whole`.
//
//   i1   @lanecl.entry.mask()       the lanes that exist when the function is entered
//   void @lanecl.block.mask(i1 %m)  from here to the end of the block, the lanes in %m are active
//   i1   @lanecl.any(i1 %m)         whether any lane is in %m: the same for all lanes
//   i1   @lanecl.whole(i1 %c)       true only if %c is true for all lanes; the same for all lanes
//                                   (control_flow/whole_loops.h)
//   i1   @lanecl.leave()            true, but LLVM must not know that (control_flow/keep_in_loops.h)
//   void @lanecl.effects()          the effects of the block so far belong to the loops that the call's attribute names
//                                   (control_flow/keep_effects.h)
//
// A block without block.mask runs under the entry mask.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// Metadata of the load that yields the address of the argument block: the number of bytes that may be read there as
// long as the kernel runs. This is not LLVM's `dereferenceable`: with that, LLVM merged the argument loads of
// unoptimized code without terminating.
inline constexpr const char *kBytesOfArguments = "lanecl.bytes.of.arguments";

enum class Marker { EntryMask, BlockMask, Any, Whole, Leave, Effects };

// Returns which marker the value is a call of, or nothing.
std::optional<Marker> markerOf(const llvm::Value &value);
// Returns the marker's function, which is declared in the module at first use.
llvm::Function *getMarker(llvm::Module &module, Marker marker);

// Returns the mask that a block runs under. Null stands for the entry mask.
llvm::Value *blockMask(llvm::BasicBlock &block);

llvm::CallInst *createEntryMask(llvm::IRBuilderBase &builder);
llvm::CallInst *createBlockMask(llvm::IRBuilderBase &builder, llvm::Value *mask);
llvm::CallInst *createAny(llvm::IRBuilderBase &builder, llvm::Value *mask);
llvm::CallInst *createWhole(llvm::IRBuilderBase &builder, llvm::Value *condition);
llvm::CallInst *createLeave(llvm::IRBuilderBase &builder);
llvm::CallInst *createEffects(llvm::IRBuilderBase &builder);

} // namespace lanecl::vectorizer

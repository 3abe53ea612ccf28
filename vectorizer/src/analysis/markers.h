// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls that mark under which mask linearized code runs; they exist only between linearize and widen. And three for
// control flow before.
//
//   i1   @lanecl.entry.mask()       the lanes that exist when the function is entered
//   void @lanecl.block.mask(i1 %m)  from here to the end of the block, the lanes in %m are active
//   i1   @lanecl.any(i1 %m)         whether any lane is in %m: the same for all lanes
//   i1   @lanecl.whole(i1 %c)       only if true for all lanes: the same for all (control_flow/whole_loops.h)
//   i1   @lanecl.leave()            true, which passes must not know (control_flow/keep_in_loops.h)
//   void @lanecl.effects()          what the block has done so far belongs to the loops of the call's number
//                                   (control_flow/keep_effects.h)
//
// A block without block.mask runs under the entry mask.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// Metadata of the load of the argument block's address: how many bytes are there as long as the kernel runs. LLVM's own
// would make it merge the loads of unoptimized code, which it does not come to an end with.
inline constexpr const char *kBytesOfArguments = "lanecl.bytes.of.arguments";

enum class Marker { EntryMask, BlockMask, Any, Whole, Leave, Effects };

std::optional<Marker> markerOf(const llvm::Value &value); // of a call, else nothing
llvm::Function *getMarker(llvm::Module &module, Marker marker);

// The mask a block runs under; null: the entry mask.
llvm::Value *blockMask(llvm::BasicBlock &block);

llvm::CallInst *createEntryMask(llvm::IRBuilderBase &builder);
llvm::CallInst *createBlockMask(llvm::IRBuilderBase &builder, llvm::Value *mask);
llvm::CallInst *createAny(llvm::IRBuilderBase &builder, llvm::Value *mask);
llvm::CallInst *createWhole(llvm::IRBuilderBase &builder, llvm::Value *condition);
llvm::CallInst *createLeave(llvm::IRBuilderBase &builder);
llvm::CallInst *createEffects(llvm::IRBuilderBase &builder);

} // namespace lanecl::vectorizer

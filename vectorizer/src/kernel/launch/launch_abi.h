// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The signature of lanes functions, and how generated code reads the launch structs of vectorizer/contract/abi.h. A
// lanes function runs a kernel for one sub-group, whose work-items are its lanes:
//
//   void <kernel>.lanes(ptr addrspace(2) launch, ptr addrspace(2) worker, ptr addrspace(2) local_size,
//                       i64 group_x, i64 group_y, i64 group_z, i32 sub_group_id, i32 active_lanes, ptr scratch)
//
// The structs are in the constant address space, because a value loaded from private memory counts as divergent. In a
// function that takes whole rows (row_loops.h), `active_lanes` is the number of work-items that it stands for. The
// scalar kernel has this signature from `kernel-arguments` on, so widening a function keeps its parameters. `scratch`
// is memory of this sub-group alone, aligned to abi::kMemoryAlignment. Kept functions get it from the kernel; in a
// kernel built with -g the debug frame lies there.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// The numbers of the parameters.
enum LanesParameter : unsigned {
  kLaunchParameter,
  kWorkerParameter,
  kLocalSizeParameter,
  kGroupXParameter,
  kGroupYParameter,
  kGroupZParameter,
  kSubGroupIdParameter,
  kActiveLanesParameter,
  kScratchParameter,
  kLanesParameterCount
};

llvm::FunctionType *lanesFunctionType(llvm::LLVMContext &context);
bool isLanesFunction(const llvm::Function &function);    // whether it is a kernel's: defined, with this signature
bool hasLanesParameters(const llvm::Function &function); // whether it is defined and starts with these parameters
void describeLanesParameters(llvm::Function &function);  // sets names and attributes

// Loads one field of a launch struct, `offset` bytes into it. The load is invariant, because nothing writes the structs
// while a work-group runs.
llvm::LoadInst *loadLaunchField(llvm::IRBuilderBase &builder, llvm::Type *type, llvm::Value *base, uint64_t offset,
                                const llvm::Twine &name);

// The scratch memory, in bytes, that the pass private-memory gave to a lanes function.
uint64_t privateBytes(const llvm::Function &function);
void setPrivateBytes(llvm::Function &function, uint64_t bytes);

// Returns where the coroutine frame of a sub-group that waits at barriers starts in the sub-group's scratch memory:
// after the private bytes.
uint64_t frameOffset(uint64_t private_bytes);

// Emits the distance in bytes (i64) between the scratch slots of two sub-groups. It is a query, which `work-group`
// answers by resolveSlotBytes once all functions of the kernel exist.
llvm::Value *createSlotBytes(llvm::IRBuilderBase &builder);
void resolveSlotBytes(llvm::Module &module, uint64_t bytes);

} // namespace lanecl::vectorizer

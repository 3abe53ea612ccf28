// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals which memory an instruction accesses, and what other work-items can notice of it.
#pragma once

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace lanecl::vectorizer {

// Returns the address of a load, a store or an atomic operation, else null.
const llvm::Value *addressOf(const llvm::Instruction &access);

// Return the address that the instruction reads or writes. They know loads, stores, atomic operations, memory
// intrinsics and the block and row primitives of a sub-group. Null: the instruction has no such access, or its address
// is unknown.
const llvm::Value *addressReadBy(const llvm::Instruction &instruction);
const llvm::Value *addressWrittenBy(const llvm::Instruction &instruction);

// Whether other work-items may access the memory that the pointer points to and write it: global, local or generic
// memory, but neither private nor constant memory.
bool isShared(const llvm::Value &pointer);

// Whether the instruction is an atomic or volatile read of shared memory, so that it may see what others write
// meanwhile.
bool readsOthers(const llvm::Instruction &instruction);

// Whether the instruction is a fence, or a barrier whose flags name more than local memory (or are not constant).
bool ordersGlobalMemory(const llvm::Instruction &instruction);

// Whether another work-item could wait for the instruction: a write of shared memory, an atomic operation, a fence, a
// barrier or a printf. For a call of a function that the module defines and will inline it returns false; the effects
// are those of the function's instructions.
bool hasEffect(const llvm::Instruction &instruction);

} // namespace lanecl::vectorizer

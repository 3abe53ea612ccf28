// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What other work-items can notice of an instruction.
#pragma once

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace lanecl::vectorizer {

// The address of an atomic operation, a load or a store; else null.
const llvm::Value *addressOf(const llvm::Instruction &access);

// Where an instruction reads, or writes, also one that copies memory or accesses a block for the sub-group; null where
// it does not, or where that is not known.
const llvm::Value *addressReadBy(const llvm::Instruction &instruction);
const llvm::Value *addressWrittenBy(const llvm::Instruction &instruction);

// Whether other work-items may access the memory behind the pointer, and write it.
bool isShared(const llvm::Value &pointer);

// An atomic or volatile read of shared memory.
bool readsOthers(const llvm::Instruction &instruction);

// A fence, or a barrier that names more than local memory.
bool ordersGlobalMemory(const llvm::Instruction &instruction);

// Whether another work-item could wait for the instruction: writes of shared memory, atomic operations, fences and
// barriers. Calls of functions that the module defines are unknown to it; it returns false for them.
bool hasEffect(const llvm::Instruction &instruction);

} // namespace lanecl::vectorizer

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

// Whether other work-items may access the memory behind the pointer, and write it.
bool isShared(const llvm::Value &pointer);

// An atomic or volatile read of shared memory.
bool readsOthers(const llvm::Instruction &instruction);

// Whether another work-item could wait for the instruction: writes of shared memory, atomic operations, fences and
// barriers. Calls of functions that the module defines are unknown to it; it returns false for them.
bool hasEffect(const llvm::Instruction &instruction);

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Beside each value of a kernel that may be unwritten one of the same number of bits, its shadow: those bits are set
// that nobody has written, or that are computed from such. What is stored takes its shadow along.
#pragma once

#include "check/shadow_memory.h"
#include "check/unwritten_values.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstVisitor.h"

#include <string>

namespace lanecl::vectorizer {

inline constexpr llvm::StringLiteral kAtomicUse = "an atomic operation";

// What decides something, to be reported where its shadow is not zero.
struct Decision {
  llvm::Instruction *at;
  llvm::Value *shadow; // of any type that shadows have
  llvm::Value *value;  // of an atomic operation its pointer
  std::string use;     // "branch", "address", or what depends on it
};

class ShadowValues : public llvm::InstVisitor<ShadowValues> {
public:
  ShadowValues(llvm::Function &function, llvm::LoopInfo &loops, Reach reach, const PassedShadows &passed);

  // Adds the shadows and returns what is to be reported.
  llvm::SmallVector<Decision> run();
  const UnwrittenValues &unwrittenValues() const { return unwritten; }

  void visitInstruction(llvm::Instruction &instruction);
  void visitPHINode(llvm::PHINode &phi);
  void visitBinaryOperator(llvm::BinaryOperator &operation);
  void visitCastInst(llvm::CastInst &cast);
  void visitICmpInst(llvm::ICmpInst &comparison);
  void visitSelectInst(llvm::SelectInst &select);
  void visitFreezeInst(llvm::FreezeInst &freeze);
  void visitExtractElementInst(llvm::ExtractElementInst &extraction);
  void visitInsertElementInst(llvm::InsertElementInst &insertion);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst &shuffle);
  void visitLoadInst(llvm::LoadInst &load);
  void visitStoreInst(llvm::StoreInst &store);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &update);
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange);
  void visitMemSetInst(llvm::MemSetInst &set);
  void visitMemTransferInst(llvm::MemTransferInst &copy);
  void visitCallBase(llvm::CallBase &call);
  void visitExtractValueInst(llvm::ExtractValueInst &extraction);
  void visitReturnInst(llvm::ReturnInst &back);

private:
  llvm::Value *get(llvm::Value *value); // null: all bits are written
  llvm::Value *getOrZero(llvm::Value *value);
  void set(llvm::Instruction &instruction, llvm::Value *shadow); // null: as get() has it
  void decide(llvm::Instruction &at, llvm::Value *value, llvm::StringRef use, llvm::Value *shadow);
  void decideAddress(llvm::Instruction &access, llvm::Value *pointer);
  llvm::Value *join(llvm::Value *a, llvm::Value *b);          // either may be null
  llvm::Value *spread(llvm::Value *shadow, llvm::Type *type); // all bits where any is set; null stays null
  llvm::Value *spreadAll(llvm::Instruction &instruction);     // of all operands
  llvm::Value *clone(llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *result);
  void move(llvm::CallBase &call);
  void blockAccess(llvm::CallBase &call, bool writes);
  void passShadows(llvm::CallBase &call, const llvm::Function &callee);
  void storeWritten(llvm::Instruction &access, llvm::Value *pointer, llvm::Value *bytes);
  void update(llvm::Instruction &instruction, llvm::Value *pointer, llvm::Value *shadow, llvm::Align align);
  void fillPhis();

  llvm::Function &function;
  const llvm::SmallVector<llvm::Instruction *> all; // of the program, before there are shadows
  const PassedShadows &passed;
  const UnwrittenValues unwritten;
  ShadowMemory memory;
  llvm::DenseMap<llvm::Value *, llvm::Value *> shadows;
  llvm::SmallVector<Decision> decisions;
  llvm::IRBuilder<> b{function.getContext()};
};

// An i1: whether any bit of a shadow is set.
llvm::Value *createIsAnySet(llvm::IRBuilderBase &b, llvm::Value *shadow);

// Values of other types, such as structures, have no shadow.
bool hasShadow(const llvm::Type *type);

// Integers of the same bits.
llvm::Type *shadowType(llvm::Type *type);

} // namespace lanecl::vectorizer

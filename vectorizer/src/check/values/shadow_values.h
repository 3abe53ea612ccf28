// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Adds a shadow to each value that may be uninitialized. The shadow has as many bits as the value, and a bit is set if
// that bit of the value is uninitialized or computed from uninitialized bits. A store also stores the shadow
// (shadow_memory.h):
//
//   %z = xor i32 %x, %y      ──>     %z.shadow = or i32 %x.shadow, %y.shadow
#pragma once

#include "check/values/shadow_memory.h"
#include "check/values/unwritten_values.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstVisitor.h"

#include <string>

namespace lanecl::vectorizer {

inline constexpr llvm::StringLiteral kAtomicUse = "an atomic operation";

// A value that decides something. It is reported if its shadow is not zero.
struct Decision {
  llvm::Instruction *at;
  llvm::Value *shadow; // of any type that shadows have
  llvm::Value *value;  // for an atomic operation its pointer
  std::string use;     // "branch", "address", kAtomicUse, or what depends on the value
};

class ShadowValues : public llvm::InstVisitor<ShadowValues> {
public:
  ShadowValues(llvm::Function &function, llvm::LoopInfo &loops, Reach reach, const ArgumentShadows &passed);

  // Adds the shadows and returns the decisions to report.
  llvm::SmallVector<Decision> run();
  const UnwrittenValues &unwrittenValues() const { return unwritten; }

  void visitInstruction(llvm::Instruction &instruction);
  void visitPHINode(llvm::PHINode &phi);
  void visitBinaryOperator(llvm::BinaryOperator &operation);
  void visitFNeg(llvm::UnaryOperator &negation);
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
  llvm::Value *get(llvm::Value *value); // returns the shadow; null: all bits are initialized
  llvm::Value *getOrZero(llvm::Value *value);
  void set(llvm::Instruction &instruction, llvm::Value *shadow); // null: all bits are initialized
  void decide(llvm::Instruction &at, llvm::Value *value, llvm::StringRef use, llvm::Value *shadow);
  void decideAddress(llvm::Instruction &access, llvm::Value *pointer);
  llvm::Value *join(llvm::Value *a, llvm::Value *b);          // the bits that are set in either; both may be null
  llvm::Value *spread(llvm::Value *shadow, llvm::Type *type); // sets all bits if any is set; null stays null
  llvm::Value *spreadAll(llvm::Instruction &instruction);     // the same for the shadows of all operands
  llvm::Value *ofSum(llvm::BinaryOperator &sum);
  llvm::Value *ofSign(llvm::CallBase &call);
  llvm::Value *clone(llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *result);
  void move(llvm::CallBase &call);
  void blockAccess(llvm::CallBase &call, bool writes);
  void passShadows(llvm::CallBase &call, const llvm::Function &callee);
  void storeWritten(llvm::Instruction &access, llvm::Value *pointer, llvm::Value *bytes);
  void update(llvm::Instruction &instruction, llvm::Value *pointer, llvm::Value *shadow, llvm::Align align);
  void fillPhis();

  llvm::Function &function;
  const llvm::SmallVector<llvm::Instruction *> all; // the instructions of the program, before shadows are added
  const ArgumentShadows &passed;
  const UnwrittenValues unwritten;
  ShadowMemory memory;
  llvm::DenseMap<llvm::Value *, llvm::Value *> shadows;
  llvm::SmallVector<Decision> decisions;
  llvm::IRBuilder<> b{function.getContext()};
};

// Returns whether any bit of a shadow is set, an i1.
llvm::Value *createIsAnySet(llvm::IRBuilderBase &b, llvm::Value *shadow);

// Whether values of this type have shadows. Structures and other types have none.
bool hasShadow(const llvm::Type *type);

// Returns the type of the shadow: integers with as many bits.
llvm::Type *shadowType(llvm::Type *type);

} // namespace lanecl::vectorizer

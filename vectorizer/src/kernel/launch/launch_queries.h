// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Emits queries of the launch and the arithmetic that ids are made of.
#pragma once

#include "analysis/primitives.h"
#include "vectorizer/vectorizer.h"

#include "llvm/IR/IRBuilder.h"

#include <array>

namespace lanecl::vectorizer {

// Values are i32 when LaunchClass::ids_fit_int, else i64. An id is a uniform part plus a varying part, kept apart so
// that everything uniform is one scalar and the lanes are added last.
class LaunchQueries {
public:
  LaunchQueries(llvm::Function &function, const LaunchClass &launch);

  llvm::Value *localId(unsigned dim);        // i64
  llvm::Value *globalId(unsigned dim);       // i64
  llvm::Value *numSubGroups(Primitive size); // i32, from LocalSize or EnqueuedLocalSize
  llvm::Value *fullSubGroupsOfRow();         // for which this one stands (takesWholeRow); 1 for one that is not full
  bool differs(unsigned dim) const { return local[dim].varying != nullptr; } // between lanes: ids, once asked for
  std::optional<unsigned> knownSubGroups() const;
  std::optional<unsigned> knownItems() const; // of a work-group

  llvm::CallInst *query(Primitive primitive, std::optional<unsigned> dim);
  // Marks a query as pure and gives it the range of its values.
  void describe(llvm::CallBase &call, Primitive primitive) const;

private:
  struct Id {
    llvm::Value *uniform = nullptr, *varying = nullptr; // null: zero
  };

  std::optional<unsigned> rowAxis() const;
  void computeLocalIds();
  void idsOfWholeRows();   // the row is a multiple of the width: lanes of a sub-group lie in one row
  void idsOfSmallRows();   // the width is a multiple of the row: the same columns in every sub-group
  void idsByDivision();    // any known size
  void idsOfUnknownSize(); // division by values
  void splitRows(llvm::Value *row, bool varying);
  llvm::Value *subGroupBase();
  llvm::Value *laneId();
  llvm::Value *indexValue(Primitive primitive, unsigned dim); // a query in the index type
  llvm::Value *add(llvm::Value *a, llvm::Value *b);           // of a work-group: never wraps
  llvm::Value *firstOfGroup(unsigned dim);
  llvm::Value *addGlobal(llvm::Value *a, llvm::Value *b); // up to what size_t holds; b may be null
  llvm::Value *toSize(llvm::Value *index);
  llvm::Value *constant(uint64_t value) { return llvm::ConstantInt::get(index, value); }

  llvm::Function &function;
  const LaunchClass &launch;
  llvm::IRBuilder<> builder;
  llvm::Type *index;
  std::array<uint32_t, 3> size;
  bool size_known;
  bool have_local_ids = false;
  std::array<Id, 3> local;
  std::array<llvm::Value *, 3> local_ids{}, global_ids{};
};

} // namespace lanecl::vectorizer

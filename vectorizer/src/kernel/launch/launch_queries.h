// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Emits queries of the launch, and the arithmetic by which ids are computed from them.
#pragma once

#include "analysis/functions/primitives.h"
#include "vectorizer/vectorizer.h"

#include "llvm/IR/IRBuilder.h"

#include <array>
#include <cassert>

namespace lanecl::vectorizer {

// Emits queries and ids at the start of a function. Values are i32 if LaunchClass::ids_fit_int, else i64. An id is the
// sum of a uniform part and a varying part. They are kept apart, so that everything uniform is one scalar and the lanes
// are added last.
class LaunchQueries {
public:
  LaunchQueries(llvm::Function &function, const LaunchClass &launch);

  llvm::Value *localId(unsigned dim);        // i64
  llvm::Value *globalId(unsigned dim);       // i64
  llvm::Value *numSubGroups(Primitive size); // i32; of LocalSize or EnqueuedLocalSize
  llvm::Value *fullSubGroupsOfRow(); // the sub-groups that this one stands for (takesWholeRow); 1 if it is not full
  // Whether the id differs between lanes; known once asked for.
  bool differs(unsigned dim) const {
    assert(have_local_ids && "the ids have been asked for");
    return local[dim].varying != nullptr;
  }
  std::optional<unsigned> knownSubGroups() const;
  std::optional<unsigned> knownItems() const; // in a work-group

  llvm::CallInst *query(Primitive primitive, std::optional<unsigned> dim);
  // Marks a query as pure and gives its result the range of possible values.
  void describe(llvm::CallBase &call, Primitive primitive) const;

private:
  // A local id as the sum of its two parts.
  struct Id {
    llvm::Value *uniform = nullptr, *varying = nullptr; // null: zero
  };

  std::optional<unsigned> rowAxis() const;
  void computeLocalIds();
  void idsOfWholeRows();   // the row's length is a multiple of the width, so the lanes of a sub-group lie in one row
  void idsOfSmallRows();   // the width is a multiple of the row's length, so every sub-group has the same columns
  void idsByDivision();    // any known size
  void idsOfUnknownSize(); // divides by sizes that are known at run time only
  void splitRows(llvm::Value *row, bool varying);
  llvm::Value *subGroupBase();
  llvm::Value *laneId();
  llvm::Value *indexValue(Primitive primitive, unsigned dim); // a query in the index type
  llvm::Value *add(llvm::Value *a, llvm::Value *b);           // within a work-group: never wraps around
  llvm::Value *firstOfGroup(unsigned dim);
  llvm::Value *addGlobal(llvm::Value *a, llvm::Value *b); // up to the range of size_t; b may be null
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

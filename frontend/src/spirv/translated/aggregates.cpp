// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An aggregate of two members, loaded whole, becomes two loads:
//
//   %v = load { i32, float }, ptr %p   becomes   %a = load i32, ptr %p
//                                                 %b = load float, ptr (%p + 4)
//                                                 %v = insertvalue of both
#include "spirv/translated/aggregates.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cassert>

namespace lanecl::frontend::spirv {
namespace {

using namespace llvm;

// Makes the accesses of one aggregate.
class Splitter {
public:
  // `access` is a load or a store of an aggregate.
  explicit Splitter(Instruction &access)
      : builder(&access), layout(access.getDataLayout()), pointer(getLoadStorePointerOperand(&access)),
        alignment(getLoadStoreAlignment(&access)) {}

  // Returns the aggregate of this type, put together from loads of its scalars and vectors.
  Value *load(Type *type, bool is_volatile) {
    assert(type->isAggregateType() && indices.empty() && "only aggregates have parts");
    Value *whole = PoisonValue::get(type);
    forEachLeaf(type, [&](Type *leaf, uint64_t offset) {
      Value *part = builder.CreateAlignedLoad(leaf, address(offset), commonAlignment(alignment, offset), is_volatile);
      whole = builder.CreateInsertValue(whole, part, indices);
    });
    return whole;
  }

  // Stores the aggregate's scalars and vectors one by one.
  void store(Value *whole, bool is_volatile) {
    forEachLeaf(whole->getType(), [&](Type *, uint64_t offset) {
      Value *part = builder.CreateExtractValue(whole, indices);
      builder.CreateAlignedStore(part, address(offset), commonAlignment(alignment, offset), is_volatile);
    });
  }

private:
  Value *address(uint64_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset); }

  // Calls `visit` for each scalar and vector in the type, with its byte offset. `indices` then holds the path to it.
  template <class Visit> void forEachLeaf(Type *type, const Visit &visit, uint64_t offset = 0) {
    if (auto *structure = dyn_cast<StructType>(type)) {
      const StructLayout *places = layout.getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        visitElement(structure->getElementType(i), i, visit, offset + places->getElementOffset(i).getFixedValue());
    } else if (auto *array = dyn_cast<ArrayType>(type)) {
      const uint64_t step = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
      for (unsigned i = 0; i < array->getNumElements(); ++i)
        visitElement(array->getElementType(), i, visit, offset + i * step);
    } else {
      visit(type, offset);
    }
  }

  template <class Visit> void visitElement(Type *type, unsigned index, const Visit &visit, uint64_t offset) {
    indices.push_back(index);
    forEachLeaf(type, visit, offset);
    indices.pop_back();
  }

  IRBuilder<> builder;
  const DataLayout &layout;
  Value *pointer;
  const Align alignment;
  SmallVector<unsigned> indices;
};

// Splits the instruction if it is a load or a store of an aggregate.
void split(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->getType()->isAggregateType()) {
    load->replaceAllUsesWith(Splitter(*load).load(load->getType(), load->isVolatile()));
    load->eraseFromParent();
  } else if (auto *store = dyn_cast<StoreInst>(&instruction);
             store && store->getValueOperand()->getType()->isAggregateType()) {
    Splitter(*store).store(store->getValueOperand(), store->isVolatile());
    store->eraseFromParent();
  }
}

} // namespace

void splitAggregateAccesses(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      split(instruction);
}

} // namespace lanecl::frontend::spirv

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/private_layout.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/debug/debug_types.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// The largest lane-innermost variable, in bytes: with 64 lanes, all offsets still fit into a signed 32-bit number.
constexpr uint64_t kMostInnermostBytes = (uint64_t{1} << 31) / 64;

// Finds the cell size on which all accesses of a variable agree, if there is one.
class CellFinder {
public:
  CellFinder(const AllocaInst &variable) : layout(variable.getDataLayout()) { valid = visitUses(variable); }

  // Returns the cell size in bytes, or 0 if the accesses do not agree on one.
  unsigned cellBytes() const {
    if (!valid || bytes == 0)
      return 0;
    return llvm::all_of(offsets, [&](uint64_t offset) { return offset % bytes == 0; }) ? bytes : 0;
  }

private:
  bool visitUses(const Value &pointer) {
    return llvm::all_of(pointer.uses(), [&](const Use &use) { return visitUse(use); });
  }

  bool visitUse(const Use &use) {
    const User *user = use.getUser();
    if (const auto *load = dyn_cast<LoadInst>(user))
      return load->isSimple() && agree(load->getType());
    if (const auto *store = dyn_cast<StoreInst>(user))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex() && store->isSimple() &&
             agree(store->getValueOperand()->getType());
    if (const auto *gep = dyn_cast<GetElementPtrInst>(user))
      return addOffsets(*gep) && visitUses(*gep);
    if (const auto *call = dyn_cast<IntrinsicInst>(user))
      return call->isLifetimeStartOrEnd();
    return isDebugMarker(*user, DebugMarker::Variable) && agree(cast<CallBase>(*user));
  }

  // A marker of a debugged variable agrees if the variable is an array, because debug information can then say where
  // each element lies.
  bool agree(const CallBase &marker) {
    const auto *variable = cast<DILocalVariable>(variableDescription(marker)->getOperand(0));
    const DICompositeType *array = arrayOfScalars(variable->getType());
    // Each element is described on its own, so larger arrays stay lane-major.
    constexpr uint64_t kMostElements = 256;
    if (!array || elementCount(*array) == 0 || elementCount(*array) > kMostElements)
      return false;
    const unsigned element_bytes = bytesOf(array->getBaseType());
    if (bytes != 0 && bytes != element_bytes)
      return false;
    bytes = element_bytes;
    return bytes != 0;
  }

  // An access of this type, or a vector of it, has this type's size as its cell size.
  bool agree(const Type *type) {
    const Type *element = type->getScalarType();
    if (!element->isIntegerTy() && !element->isFloatingPointTy() && !element->isPointerTy())
      return false;
    const TypeSize size = layout.getTypeSizeInBits(const_cast<Type *>(element));
    const unsigned element_bytes = size.getFixedValue() / 8;
    if (element_bytes == 0 || layout.getTypeAllocSizeInBits(const_cast<Type *>(element)) != size ||
        (bytes != 0 && bytes != element_bytes))
      return false;
    bytes = element_bytes;
    return true;
  }

  // Collects the byte offsets and scales of a GEP. Each of them must be a whole number of cells.
  bool addOffsets(const GetElementPtrInst &gep) {
    SmallMapVector<Value *, APInt, 4> variable_parts;
    const unsigned width = layout.getIndexSizeInBits(gep.getPointerAddressSpace());
    APInt constant_part(width, 0);
    if (!gep.collectOffset(layout, width, variable_parts, constant_part))
      return false;
    offsets.push_back(constant_part.abs().getZExtValue());
    for (const auto &[index, scale] : variable_parts)
      offsets.push_back(scale.abs().getZExtValue());
    return true;
  }

  const DataLayout &layout;
  bool valid = false;
  unsigned bytes = 0;
  SmallVector<uint64_t, 8> offsets;
};

} // namespace

PrivateLayouts::PrivateLayouts(Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (const unsigned bytes = CellFinder(*variable).cellBytes();
          bytes != 0 && privateBytesOf(*variable) <= kMostInnermostBytes)
        cells[variable] = bytes;
}

const AllocaInst *PrivateLayouts::laneInnermostVariable(const Value *pointer) const {
  while (const auto *gep = dyn_cast<GetElementPtrInst>(pointer))
    pointer = gep->getPointerOperand();
  const auto *variable = dyn_cast<AllocaInst>(pointer);
  return variable != nullptr && cellBytes(*variable) != 0 ? variable : nullptr;
}

uint64_t privateBytesOf(const AllocaInst &variable) {
  const DataLayout &layout = variable.getDataLayout();
  return variable.getAllocationSize(layout).value_or(TypeSize::getFixed(0)).getFixedValue();
}

uint64_t privateBytesOf(const Function &function) {
  uint64_t bytes = 0;
  for (const Instruction &instruction : instructions(function))
    if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
      bytes = SaturatingAdd(bytes, privateBytesOf(*variable));
  return bytes;
}

uint64_t laneMajorStride(const AllocaInst &variable) {
  return alignTo(privateBytesOf(variable), variable.getAlign());
}

} // namespace lanecl::vectorizer

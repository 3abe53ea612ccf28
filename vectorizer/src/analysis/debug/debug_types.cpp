// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/debug/debug_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace lanecl::vectorizer {

const DIType *plainType(const DIType *type) {
  while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type: type = derived->getBaseType(); break;
    default: return type;
    }
  }
  return type;
}

uint64_t bytesOf(const DIType *type) {
  const DIType *plain = plainType(type);
  return plain ? plain->getSizeInBits() / 8 : 0;
}

// Whether the type is a number other than a char, or a pointer.
static bool isScalar(const DIType *type) {
  if (const auto *basic = dyn_cast_or_null<DIBasicType>(type))
    return basic->getEncoding() != dwarf::DW_ATE_signed_char && basic->getEncoding() != dwarf::DW_ATE_unsigned_char;
  const auto *derived = dyn_cast_or_null<DIDerivedType>(type);
  return derived && derived->getTag() == dwarf::DW_TAG_pointer_type;
}

const DICompositeType *arrayOfScalars(const DIType *type) {
  const auto *array = dyn_cast_or_null<DICompositeType>(plainType(type));
  const bool is_array = array && array->getTag() == dwarf::DW_TAG_array_type && !array->isVector();
  return is_array && isScalar(plainType(array->getBaseType())) ? array : nullptr;
}

uint64_t elementCount(const DICompositeType &array) {
  uint64_t count = 1;
  for (const DINode *element : array.getElements()) {
    const auto *range = dyn_cast<DISubrange>(element);
    const auto *extent = range ? dyn_cast_if_present<ConstantInt *>(range->getCount()) : nullptr;
    count *= extent ? extent->getZExtValue() : 0;
  }
  return count;
}

DICompositeType *arrayOf(DIType &element, uint64_t count) {
  LLVMContext &context = element.getContext();
  return DICompositeType::get(context, dwarf::DW_TAG_array_type, "", nullptr, 0, nullptr, &element,
                              8 * bytesOf(&element) * count, 0, 0, DINode::FlagZero,
                              MDNode::get(context, {DISubrange::get(context, static_cast<int64_t>(count))}), 0,
                              std::nullopt, nullptr);
}

DIExpression *withoutAddressSpace(DIExpression *expression) {
  ArrayRef<uint64_t> elements = expression->getElements();
  if (elements.size() >= 4 && elements[0] == dwarf::DW_OP_constu && elements[2] == dwarf::DW_OP_swap &&
      elements[3] == dwarf::DW_OP_xderef)
    return DIExpression::get(expression->getContext(), elements.drop_front(4));
  return expression;
}

} // namespace lanecl::vectorizer

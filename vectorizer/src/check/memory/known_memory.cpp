// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/known_memory.h"

#include "analysis/lane_target.h"
#include "vectorizer/contract/variable_metadata.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

using abi::CheckMemory;

std::string nameInSource(StringRef name, bool behind_kernel) {
  return behind_kernel && name.contains('.') ? name.split('.').second.split('.').first.str()
                                             : name.split('.').first.str();
}

std::optional<NamedMemory> knownMemory(const Value &object, const DataLayout &layout) {
  if (const auto *variable = dyn_cast<AllocaInst>(&object)) {
    const std::optional<TypeSize> size = variable->getAllocationSize(layout);
    if (size && !size->isScalable())
      return NamedMemory{CheckMemory::PrivateVariable, nameInSource(object.getName(), false), size->getFixedValue()};
  } else if (const auto *argument = dyn_cast<Argument>(&object); argument && argument->hasByValAttr()) {
    return NamedMemory{CheckMemory::PrivateVariable, object.getName().str(),
                       layout.getTypeAllocSize(argument->getParamByValType()).getFixedValue()};
  } else if (const auto *constant = dyn_cast<GlobalVariable>(&object);
             constant && constant->getAddressSpace() == kConstant && !constant->hasMetadata(kVariableOffset)) {
    return NamedMemory{CheckMemory::Constant, nameInSource(object.getName(), object.getName().contains('.')),
                       layout.getTypeAllocSize(constant->getValueType()).getFixedValue()};
  }
  return std::nullopt;
}

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/memory/address_space_alias.h"

#include "analysis/lane_target.h"

#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace lanecl::vectorizer {

AnalysisKey AddressSpaceAliasAnalysis::Key;

static bool isLocal(const MemoryLocation &location) {
  return location.Ptr->getType()->getPointerAddressSpace() == kLocal;
}

// Whether the memory is outside of work-groups: a work-group's local memory is never part of it.
static bool isOutsideOfGroups(const MemoryLocation &location) {
  const unsigned space = location.Ptr->getType()->getPointerAddressSpace();
  return space == kGlobal || space == kConstant;
}

AliasResult AddressSpaceAliases::alias(const MemoryLocation &a, const MemoryLocation &b, AAQueryInfo &query,
                                       const Instruction *context) {
  if ((isLocal(a) && isOutsideOfGroups(b)) || (isLocal(b) && isOutsideOfGroups(a)))
    return AliasResult::NoAlias;
  return AAResultBase::alias(a, b, query, context);
}

void registerAliasAnalyses(FunctionAnalysisManager &functions, PassBuilder &builder) {
  functions.registerPass([] { return AddressSpaceAliasAnalysis(); });
  functions.registerPass([&] {
    AAManager aliases = builder.buildDefaultAAPipeline();
    aliases.registerFunctionAnalysis<AddressSpaceAliasAnalysis>();
    return aliases;
  });
}

} // namespace lanecl::vectorizer

// Sub-groups 2i and 2i+1 are partners and exchange values: `widen` turns __lanecl_partner into
//
//   store the value in lanecl.exchange.own(bytes); __lanecl_partner_barrier();
//   load it from lanecl.exchange.partner(); __lanecl_partner_barrier()
//
// Both places are in the scratch memory of the two, so that nobody else takes part; between them lies the size of a
// slot, which is known when all functions of a kernel are.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

// For `widen`, at the builder's place: the values that the partner passes.
llvm::SmallVector<llvm::Value *, 4> emitPartnerExchange(llvm::IRBuilderBase &builder,
                                                        llvm::ArrayRef<llvm::Value *> values);

// For `barriers`: gives a lanes function its place in scratch memory, and tells at each partner barrier that it waits.
void lowerPartnerExchange(llvm::Function &lanes);

// For `work-group`: where in its slot a sub-group says whether it waits for its partner (i64, 0 or 1); none without
// exchanges. And the size of the slots.
std::optional<uint64_t> partnerFlagOffset(const llvm::Function &lanes);
void resolveSlotBytes(llvm::Module &module, uint64_t bytes);

} // namespace lanecl::vectorizer

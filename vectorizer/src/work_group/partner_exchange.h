// Where the places of an exchange between partners (lanes/partner.h) are: in the scratch memory of the two sub-groups,
// so that nobody else takes part. Between them lies the size of a slot, which is known when all functions of a kernel
// are.
#pragma once

#include "llvm/IR/Function.h"

#include <optional>

namespace lanecl::vectorizer {

// For `barriers`: gives a lanes function its place in scratch memory, and tells at each partner barrier that it waits.
void lowerPartnerExchange(llvm::Function &function);

// For `work-group`: where in its slot a sub-group says whether it waits for its partner (i64, 0 or 1); none without
// exchanges. And the size of the slots.
std::optional<uint64_t> partnerFlagOffset(const llvm::Function &lanes);
void resolveSlotBytes(llvm::Module &module, uint64_t bytes);

} // namespace lanecl::vectorizer

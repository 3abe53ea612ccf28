// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory of an exchange between partners (lanes/cross_lane/partner.h): in the scratch slots of the two sub-groups,
// so that no other sub-group is involved. Their distance is the size of a slot, which is known when all functions of a
// kernel exist.
#pragma once

#include "llvm/IR/Function.h"

#include <optional>

namespace lanecl::vectorizer {

// For `barriers`: gives a lanes function its part of scratch memory, and sets the waiting flag at each partner barrier.
void lowerPartnerExchange(llvm::Function &function);

// For `work-group`: the offset in a sub-group's slot of the flag that it waits for its partner (i64, 0 or 1); none
// without exchanges.
std::optional<uint64_t> partnerFlagOffset(const llvm::Function &lanes);

} // namespace lanecl::vectorizer

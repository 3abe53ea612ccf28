// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory of an exchange between partners (lanes/cross_lane/partner.h). It is in the scratch slots of the two
// sub-groups, so no other sub-group is involved. A partner's slot is one slot size away, which is known once all
// functions of the kernel exist.
#pragma once

#include "llvm/IR/Function.h"

#include <optional>

namespace lanecl::vectorizer {

// For `barriers`: reserves a part of the function's scratch memory, and sets the waiting flag at each partner barrier.
void lowerPartnerExchange(llvm::Function &function);

// For `work-group`: returns the offset in a sub-group's slot of the flag (i64, 0 or 1) that the sub-group waits for its
// partner. Returns nothing for a function without exchanges.
std::optional<uint64_t> partnerFlagOffset(const llvm::Function &lanes);

} // namespace lanecl::vectorizer

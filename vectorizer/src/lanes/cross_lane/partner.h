// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exchange of values between the sub-groups 2i and 2i+1, which are partners:
//
//   store the values in lanecl.exchange.own(bytes); __lanecl_partner_barrier();
//   load them from lanecl.exchange.partner(); __lanecl_partner_barrier()
//
// work_group/partner_exchange.h assigns memory to lanecl.exchange.own and lanecl.exchange.partner.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer::lanes {

inline constexpr llvm::StringLiteral kPartnerOwn = "lanecl.exchange.own", kPartnerOther = "lanecl.exchange.partner";
inline constexpr uint64_t kPartnerAlignment = 64; // each value's offset in bytes is a multiple of this

// Emits the exchange of `values` and returns the values that the partner passes to the same call.
llvm::SmallVector<llvm::Value *, 4> emitPartnerExchange(llvm::IRBuilderBase &builder,
                                                        llvm::ArrayRef<llvm::Value *> values);

} // namespace lanecl::vectorizer::lanes

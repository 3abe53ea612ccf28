// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the memory orders that the program gives its compare-exchanges. The built-in library implements all of them by
// one compare-exchange of the strongest order, since x86 has no other. So the program's orders would be lost by
// inlining.
//
// `mark-orders` puts a mark before each call of atomic_compare_exchange_…_explicit:
//
//   call @atomic_compare_exchange_strong_explicit(…, relaxed, relaxed, …)
//     ──>   call @lanecl.check.orders(relaxed, relaxed), then the same call
//
// It runs before calls are inlined. check-races later finds the marks by takeExchangeOrders(), which removes them.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MarkOrdersPass : public RequiredPass<MarkOrdersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

// Whether a compare-exchange orders other accesses if it succeeds, and if it fails.
struct ExchangeOrders {
  bool success, failure;
};

// Returns the orders of all compare-exchanges in the function, and removes their marks.
llvm::MapVector<llvm::AtomicCmpXchgInst *, ExchangeOrders> takeExchangeOrders(llvm::Function &function);

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory orders that the program gives a compare-exchange. The built-in library has one of the strongest order for
// all, as x86 has no other, so the orders would be lost when it is inlined.
//
// mark-orders: puts a mark before each call of atomic_compare_exchange_…_explicit, to be run before calls are inlined.
// check-races asks for the orders by the marks, and removes these.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MarkOrdersPass : public llvm::PassInfoMixin<MarkOrdersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

// Whether a compare-exchange orders other accesses, when it succeeds and when it fails.
struct ExchangeOrders {
  bool success, failure;
};

// Those of all compare-exchanges in the function, whose marks are removed.
llvm::MapVector<llvm::AtomicCmpXchgInst *, ExchangeOrders> takeExchangeOrders(llvm::Function &function);

} // namespace lanecl::vectorizer

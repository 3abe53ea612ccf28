// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/cross_lane/partner.h"

#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {

SmallVector<Value *, 4> emitPartnerExchange(IRBuilderBase &b, ArrayRef<Value *> values) {
  assert(!values.empty() && "partners exchange something");
  Module &module = *b.GetInsertBlock()->getModule();
  FunctionCallee own = module.getOrInsertFunction(kPartnerOwn, b.getPtrTy(), b.getInt64Ty()),
                 partner = module.getOrInsertFunction(kPartnerOther, b.getPtrTy()),
                 barrier = module.getOrInsertFunction("__lanecl_partner_barrier", b.getVoidTy());
  const DataLayout &layout = module.getDataLayout();
  SmallVector<uint64_t, 4> offsets;
  uint64_t bytes = 0;
  for (Value *value : values) {
    offsets.push_back(bytes);
    bytes += alignTo(layout.getTypeStoreSize(value->getType()).getFixedValue(), kPartnerAlignment);
  }
  Value *mine = b.CreateCall(own, {b.getInt64(bytes)});
  for (const auto &[value, offset] : zip(values, offsets))
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), mine, offset));
  b.CreateCall(barrier);
  Value *theirs = b.CreateCall(partner);
  SmallVector<Value *, 4> results;
  for (const auto &[value, offset] : zip(values, offsets))
    results.push_back(b.CreateLoad(value->getType(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), theirs, offset)));
  b.CreateCall(barrier); // the partner must have read before the next exchange overwrites the values
  return results;
}

} // namespace lanecl::vectorizer::lanes

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_support/pass_context.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace lanecl::vectorizer {

bool PassContext::has(llvm::StringRef features) const {
  return target != nullptr && target->getMCSubtargetInfo()->checkFeatures(features);
}

} // namespace lanecl::vectorizer

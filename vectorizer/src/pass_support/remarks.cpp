// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_support/remarks.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace lanecl::vectorizer {

void addRemark(PassContext &context, Remark::Kind kind, const Instruction &at, const Twine &text) {
  if (context.remarks == nullptr)
    return;
  Remark remark{kind, "", 0, 0, text.str()};
  if (const DILocation *location = at.getDebugLoc().get()) {
    remark.file = location->getFilename().str();
    remark.line = location->getLine();
    remark.column = location->getColumn();
  }
  context.remarks->push_back(std::move(remark));
}

} // namespace lanecl::vectorizer

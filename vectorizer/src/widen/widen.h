// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `widen`: the linearized scalar kernel becomes functions over W lanes.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Replaces the kernel `k` by  k.lanes  for sub-groups with all W lanes and, when the launch class can have one,
// k.lanes.partial  for the last sub-group of a work-group with fewer. Both have the kernel's parameters.
class WidenPass : public llvm::PassInfoMixin<WidenPass> {
public:
  explicit WidenPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

inline constexpr const char *kLanesSuffix = ".lanes";
inline constexpr const char *kPartialSuffix = ".lanes.partial";

// Which of the two the sub-groups of a launch class need.
struct SubGroupKinds {
  bool full, partial;
};
SubGroupKinds subGroupKinds(const LaunchClass &launch);

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The pass `widen` turns the linearized scalar kernel into functions over W lanes:
//
//   k (scalar)                           k.lanes (W = 8)
//   %p = gep float, %in, %lane           %p = gep float, %in, 0          lane 0's address
//   %x = load float, %p                  %x = load <8 x float>, %p
//   %y = fadd %x, %uniform               %y = fadd %x, (splat %uniform)
//
// The pass assumes that every branch is uniform and that block masks say which lanes are active, as linearize leaves
// them. A uniform value stays a scalar, a strided one is lane 0's scalar, and any other becomes one vector for each of
// its components. No fact of the source is used for inactive lanes (analysis/shapes/shape.h). An instruction without a
// vector form runs lane by lane.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Replaces the kernel `k` by k.lanes, for sub-groups with all W lanes, and k.lanes.partial, for the last sub-group of a
// work-group if it has fewer. Each is made only if the launch class can have such sub-groups. Both have the kernel's
// parameters. A large kernel has only k.lanes.partial, which then runs all sub-groups, so that it is compiled once.
class WidenPass : public RequiredPass<WidenPass> {
public:
  explicit WidenPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);

private:
  PassContext &context;
};

inline constexpr const char *kLanesSuffix = ".lanes";
inline constexpr const char *kPartialSuffix = ".lanes.partial";

// Says which of the two functions the sub-groups of a launch class need.
struct SubGroupKinds {
  bool full, partial;
};
SubGroupKinds subGroupKinds(const LaunchClass &launch);

} // namespace lanecl::vectorizer

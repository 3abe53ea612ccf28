// Replaces queries of the launch by what its class knows: sizes become constants, local and global ids become
// arithmetic on lane_id() and sub_group_id(). What stays is a query of the launch structs, marked with its range.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SpecializeLaunchPass : public llvm::PassInfoMixin<SpecializeLaunchPass> {
public:
  explicit SpecializeLaunchPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/debug_info.h"

#include "analysis/debug/debug_markers.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

DISubprogram *makeArtificialSubprogram(Function &like, StringRef name) {
  DISubprogram *subprogram = like.getSubprogram();
  if (!subprogram)
    return nullptr;
  DIBuilder debug(*like.getParent(), /*AllowUnresolved=*/false, subprogram->getUnit());
  DISubprogram *made =
      debug.createFunction(subprogram->getFile(), name, name, subprogram->getFile(), subprogram->getLine(),
                           debug.createSubroutineType(debug.getOrCreateTypeArray({})), subprogram->getLine(),
                           DINode::FlagArtificial, DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  debug.finalizeSubprogram(made);
  return made;
}

void showVariable(IRBuilderBase &builder, const GlobalVariable &variable, Value *address) {
  DISubprogram *subprogram = builder.GetInsertBlock()->getParent()->getSubprogram();
  SmallVector<DIGlobalVariableExpression *, 1> descriptions;
  variable.getDebugInfo(descriptions);
  if (!subprogram || descriptions.empty())
    return;
  LLVMContext &context = builder.getContext();
  const DIGlobalVariable *known = descriptions[0]->getVariable();
  auto *scope = dyn_cast<DILocalScope>(known->getScope());
  if (!scope || scope->getSubprogram() != subprogram)
    scope = subprogram;
  auto *local = DILocalVariable::get(context, scope, known->getName(), known->getFile(), known->getLine(),
                                     known->getType(), 0, DINode::FlagZero, 0, nullptr);
  const IRBuilderBase::InsertPointGuard guard(builder);
  builder.SetCurrentDebugLocation(DILocation::get(context, known->getLine(), 0, scope));
  createVariable(builder, address, MDNode::get(context, {local, DIExpression::get(context, {})}));
}

} // namespace lanecl::vectorizer

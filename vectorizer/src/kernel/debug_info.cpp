// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/debug_info.h"

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

} // namespace lanecl::vectorizer

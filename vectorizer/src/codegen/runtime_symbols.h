// The functions of the host that generated code may call. Nothing else of the process is visible to it, so that what it
// calls does not depend on what the host program has loaded.
#pragma once

#include "llvm/ExecutionEngine/Orc/Core.h"

namespace lanecl::vectorizer {

llvm::orc::SymbolMap runtimeSymbols(llvm::orc::ExecutionSession &session);

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/perf.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Debugging/PerfSupportPlugin.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderPerf.h"

using namespace llvm;
using namespace llvm::orc;

namespace lanecl::vectorizer {

Expected<std::shared_ptr<ObjectLinkingLayer::Plugin>> createPerfPlugin(ExecutionSession &session) {
  // LLVM's plugin looks up the functions of its other half by name.
  JITDylib &library = session.createBareJITDylib("perf");
  SymbolMap symbols;
  const auto add = [&](StringRef name, auto *function) {
    symbols[session.intern(name)] = ExecutorSymbolDef::fromPtr(function, JITSymbolFlags::Exported);
  };
  add("llvm_orc_registerJITLoaderPerfStart", &llvm_orc_registerJITLoaderPerfStart);
  add("llvm_orc_registerJITLoaderPerfEnd", &llvm_orc_registerJITLoaderPerfEnd);
  add("llvm_orc_registerJITLoaderPerfImpl", &llvm_orc_registerJITLoaderPerfImpl);
  if (Error failed = library.define(absoluteSymbols(std::move(symbols))))
    return failed;
  auto plugin = PerfSupportPlugin::Create(session.getExecutorProcessControl(), library, /*EmitDebugInfo=*/true,
                                          /*EmitUnwindInfo=*/false);
  if (!plugin)
    return plugin.takeError();
  return std::shared_ptr<ObjectLinkingLayer::Plugin>(std::move(*plugin));
}

} // namespace lanecl::vectorizer

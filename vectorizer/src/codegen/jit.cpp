// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/jit.h"

#include "codegen/perf.h"
#include "codegen/runtime_symbols.h"
#include "codegen/source_names.h"
#include "codegen/vtune.h"

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h"
#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"

#include <atomic>
#include <mutex>

using namespace llvm;
using namespace llvm::orc;

namespace lanecl::vectorizer {

// An ORC session of our own instead of LLJIT: it has no platform, no symbols of the process, and no threads.
struct Jit::Impl {
  std::unique_ptr<ExecutionSession> session;
  std::unique_ptr<jitlink::JITLinkMemoryManager> memory;
  // Layers for code without and with debug information. The second one is created when it is first needed.
  std::unique_ptr<ObjectLinkingLayer> plain, debug;
  JITDylib *runtime = nullptr;                          // the functions that generated code may call
  std::shared_ptr<ObjectLinkingLayer::Plugin> profiler; // null: no profiler
  std::mutex debug_mutex;
  std::atomic<uint64_t> next{0}; // the number of the next JITDylib, for its name

  ~Impl() {
    if (session)
      consumeError(session->endSession());
  }

  Expected<ObjectLinkingLayer *> debugLayer();
  void profile(ObjectLinkingLayer &layer) const;
};

Jit::Jit(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

Jit::~Jit() = default;

Expected<std::shared_ptr<Jit>> Jit::create(Profiler profiler, const std::string &vtune_collector) {
  auto control = SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!control)
    return control.takeError();
  auto memory = jitlink::InProcessMemoryManager::Create();
  if (!memory)
    return memory.takeError();
  auto impl = std::make_unique<Impl>();
  impl->session = std::make_unique<ExecutionSession>(std::move(*control));
  impl->session->setErrorReporter([](Error error) { consumeError(std::move(error)); }); // load() returns the error, too
  impl->memory = std::move(*memory);
  impl->plain = std::make_unique<ObjectLinkingLayer>(*impl->session, *impl->memory);
  if (profiler != Profiler::None) {
    auto plugin = profiler == Profiler::Perf ? createPerfPlugin(*impl->session) : createVTunePlugin(vtune_collector);
    if (!plugin)
      return plugin.takeError();
    impl->profiler = std::move(*plugin);
    impl->profile(*impl->plain);
  }
  impl->runtime = &impl->session->createBareJITDylib("runtime");
  if (Error failed = impl->runtime->define(absoluteSymbols(runtimeSymbols(*impl->session))))
    return failed;
  return std::shared_ptr<Jit>(new Jit(std::move(impl)));
}

void Jit::Impl::profile(ObjectLinkingLayer &layer) const {
  // This plugin comes before the profiler's, because it keeps the lines that the profiler's plugin reads.
  layer.addPlugin(std::make_shared<DebugInfoPreservationPlugin>());
  layer.addPlugin(createSourceNamesPlugin());
  layer.addPlugin(profiler);
}

// Returns the layer that registers its objects with gdb.
Expected<ObjectLinkingLayer *> Jit::Impl::debugLayer() {
  const std::lock_guard lock(debug_mutex);
  if (debug)
    return debug.get();
  Error failed = Error::success();
  auto plugin = std::make_shared<ELFDebugObjectPlugin>(*session, /*RequireDebugSections=*/true,
                                                       /*AutoRegisterCode=*/true, failed);
  if (failed)
    return failed;
  debug = std::make_unique<ObjectLinkingLayer>(*session, *memory);
  debug->addPlugin(std::move(plugin));
  if (profiler)
    profile(*debug);
  return debug.get();
}

namespace {

// The code of a kernel's object files, in a JITDylib of their own, so that removing that unloads them.
class Code final : public LoadedCode {
public:
  Code(std::shared_ptr<Jit> jit, ExecutionSession &session, JITDylib &library)
      : jit(std::move(jit)), session(session), library(library) {}
  ~Code() override { consumeError(session.removeJITDylib(library)); }
  void *address(size_t i) const override { return addresses[i]; }

  std::vector<void *> addresses;

private:
  std::shared_ptr<Jit> jit;
  ExecutionSession &session;
  JITDylib &library;
};

} // namespace

Expected<std::unique_ptr<LoadedCode>> Jit::load(std::vector<CodeObject> objects, bool debug) {
  ObjectLinkingLayer *layer = impl->plain.get();
  if (debug) {
    Expected<ObjectLinkingLayer *> with_debugger = impl->debugLayer();
    if (!with_debugger)
      return with_debugger.takeError();
    layer = *with_debugger;
  }
  JITDylib &library = impl->session->createBareJITDylib(("kernel." + Twine(impl->next++)).str());
  auto code = std::make_unique<Code>(shared_from_this(), *impl->session, library);
  library.addToLinkOrder(*impl->runtime);
  for (CodeObject &object : objects)
    if (Error failed = layer->add(library, std::move(object.object)))
      return failed;
  for (const CodeObject &object : objects) {
    Expected<ExecutorSymbolDef> symbol = impl->session->lookup({&library}, object.symbol);
    if (!symbol)
      return symbol.takeError();
    code->addresses.push_back(symbol->getAddress().toPtr<void *>());
  }
  return code;
}

} // namespace lanecl::vectorizer

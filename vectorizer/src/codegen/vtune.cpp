// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/vtune.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h"

#include <atomic>
#include <dlfcn.h>
#include <mutex>

using namespace llvm;
using namespace llvm::orc;

namespace lanecl::vectorizer {

namespace {

const DILineInfoSpecifier kWithPaths(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);

// The events and structures of the JIT Profiling API, under names of our own.
enum Event : unsigned { MethodUnload = 14, MethodLoad2 = 21 };
struct LineRange {
  unsigned end; // offset in the method past the end of the line's code, which starts where the range before it ends
  unsigned line;
};
struct Method { // iJIT_Method_Load_V2
  unsigned id;  // must not be 0
  const char *name;
  void *address;
  unsigned bytes, line_count;
  const LineRange *lines;
  const char *class_name, *source_file, *module;
};

using Notify = int (*)(unsigned event, void *data);

Expected<Notify> loadCollector(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_LAZY); // stays loaded, because code may be unloaded until the process ends
  if (!library)
    return createStringError("VTune's collector cannot be loaded: %s", dlerror());
  const auto initialize = reinterpret_cast<unsigned (*)()>(dlsym(library, "Initialize"));
  const auto notify = reinterpret_cast<Notify>(dlsym(library, "NotifyEvent"));
  if (!initialize || !notify)
    return createStringError("%s is not a VTune collector", path.c_str());
  initialize();
  return notify;
}

// Returns the line in `file` that the code at this address belongs to: the line of the innermost inlined call that is
// in this file. Returns 0 if there is none.
unsigned lineIn(DWARFContext &debug, object::SectionedAddress address, StringRef file) {
  const DIInliningInfo frames = debug.getInliningInfoForAddress(address, kWithPaths);
  for (unsigned i = 0; i < frames.getNumberOfFrames(); ++i)
    if (frames.getFrame(i).FileName == file)
      return frames.getFrame(i).Line;
  return 0;
}

// Returns the ranges of code for each line of `file`, in the order of the code.
std::vector<LineRange> lineRanges(DWARFContext &debug, object::SectionedAddress begin, uint64_t bytes, StringRef file) {
  std::vector<LineRange> ranges;
  for (const auto &[address, info] : debug.getLineInfoForAddressRange(begin, bytes, kWithPaths)) {
    const unsigned line = info.FileName == file ? info.Line : lineIn(debug, {address, begin.SectionIndex}, file);
    if (line == 0 || (!ranges.empty() && ranges.back().line == line))
      continue;
    if (!ranges.empty())
      ranges.back().end = unsigned(address - begin.Address);
    ranges.push_back({.end = unsigned(bytes), .line = line});
  }
  return ranges;
}

// Reports code when it is linked, and its removal when it is unloaded or linking fails.
class VTunePlugin final : public ObjectLinkingLayer::Plugin {
public:
  explicit VTunePlugin(Notify notify) : notify(notify) {}

  void modifyPassConfig(MaterializationResponsibility &object, jitlink::LinkGraph &,
                        jitlink::PassConfiguration &passes) override {
    // After this phase addresses are final, and the code does not run yet.
    passes.PostFixupPasses.push_back([this, &object](jitlink::LinkGraph &graph) {
      report(object, graph);
      return Error::success();
    });
  }

  Error notifyEmitted(MaterializationResponsibility &object) override {
    return object.withResourceKeyDo([&](ResourceKey key) {
      const std::lock_guard lock(mutex);
      loaded[key].append(linking[&object]);
      linking.erase(&object);
    });
  }

  Error notifyFailed(MaterializationResponsibility &object) override {
    unload(take(linking, &object));
    return Error::success();
  }

  Error notifyRemovingResources(JITDylib &, ResourceKey key) override {
    unload(take(loaded, key));
    return Error::success();
  }

  void notifyTransferringResources(JITDylib &, ResourceKey to, ResourceKey from) override {
    const Ids ids = take(loaded, from);
    const std::lock_guard lock(mutex);
    loaded[to].append(ids);
  }

private:
  using Ids = SmallVector<unsigned, 4>;

  template <class Key> Ids take(DenseMap<Key, Ids> &map, Key key) {
    const std::lock_guard lock(mutex);
    Ids ids = map.lookup(key);
    map.erase(key);
    return ids;
  }

  void report(MaterializationResponsibility &object, jitlink::LinkGraph &graph);
  unsigned reportMethod(const jitlink::Symbol &symbol, DWARFContext *debug);
  void unload(const Ids &ids) const {
    for (const unsigned id : ids) {
      Method method{};
      method.id = id;
      notify(MethodUnload, &method);
    }
  }

  const Notify notify;
  std::atomic<unsigned> last_id{0};
  std::mutex mutex;
  DenseMap<MaterializationResponsibility *, Ids> linking; // the methods of objects that are not linked completely
  DenseMap<ResourceKey, Ids> loaded;                      // the methods of loaded objects
};

// Reports one function with its lines, and returns the number by which it is unloaded.
unsigned VTunePlugin::reportMethod(const jitlink::Symbol &symbol, DWARFContext *debug) {
  const std::string name = (*symbol.getName()).str();
  const object::SectionedAddress begin{symbol.getAddress().getValue(), symbol.getSection().getOrdinal()};
  std::string file;
  std::vector<LineRange> lines;
  if (debug) {
    const DIInliningInfo frames = debug->getInliningInfoForAddress(begin, kWithPaths);
    if (frames.getNumberOfFrames() > 0)
      file = frames.getFrame(frames.getNumberOfFrames() - 1).FileName; // the file of the function itself
    lines = lineRanges(*debug, begin, symbol.getSize(), file);
  }
  Method method{.id = ++last_id,
                .name = name.c_str(),
                .address = symbol.getAddress().toPtr<void *>(),
                .bytes = unsigned(symbol.getSize()),
                .line_count = unsigned(lines.size()),
                .lines = lines.data(),
                .class_name = nullptr,
                .source_file = file.empty() ? nullptr : file.c_str(),
                .module = "LaneCL"};
  notify(MethodLoad2, &method);
  return method.id;
}

// Reports all functions of an object.
void VTunePlugin::report(MaterializationResponsibility &object, jitlink::LinkGraph &graph) {
  auto debug = createDWARFContext(graph);
  Ids ids;
  for (const jitlink::Symbol *symbol : graph.defined_symbols())
    if (symbol->isCallable() && symbol->hasName() && symbol->getSize() > 0)
      ids.push_back(reportMethod(*symbol, debug ? debug->first.get() : nullptr));
  if (!debug)
    consumeError(debug.takeError()); // without lines, the names of functions are reported alone
  const std::lock_guard lock(mutex);
  linking[&object] = std::move(ids);
}

} // namespace

Expected<std::shared_ptr<ObjectLinkingLayer::Plugin>> createVTunePlugin(const std::string &collector) {
  Expected<Notify> notify = loadCollector(collector);
  if (!notify)
    return notify.takeError();
  return std::make_shared<VTunePlugin>(*notify);
}

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectorizer/vectorizer.h"

#include "codegen/cached_object.h"
#include "codegen/emit.h"
#include "codegen/jit.h"
#include "codegen/loop_report.h"
#include "codegen/map_code.h"
#include "codegen/target_machine.h"
#include "kernel/builtin_library.h"
#include "pipeline/pipeline.h"
#include "vectorizer/check.h"
#include "vectorizer/content_hash.h"
#include "vectorizer/crash_guard.h"
#include "work_group/work_group.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <fmt/format.h>
#include <mutex>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

struct KernelCode final : CompiledKernel {
  std::unique_ptr<LoadedCode> code;
  CodeMap map;
};

// More lanes where nothing forbids it, the most first: each value then is several registers, so that several chains of
// dependent instructions run at once, and fewer sub-groups meet at barriers. Rows, or segments of lanes, have to stay
// whole, or neighbours would be found by gathers.
SmallVector<LaunchClass, 2> widerThan(const LaunchClass &launch, Isa isa) {
  constexpr unsigned kMostLanes = 32;
  SmallVector<LaunchClass, 2> result;
  const uint64_t row = launch.local_size[0], items = row * launch.local_size[1] * launch.local_size[2];
  LaunchClass wide = launch;
  for (wide.width = kMostLanes; wide.width > launch.width; wide.width /= 2) {
    const bool whole_rows =
        launch.isRow() || (items >= wide.width && (row % wide.width == 0 || (row >= 8 && wide.width % row == 0)));
    if (launch.free_width && isa != Isa::Sse42 && whole_rows)
      result.push_back(wide);
  }
  return result;
}

// Beyond, memory costs more than several chains gain. With AVX2, four registers for a value are worth no spill at all,
// unless half as many sub-groups meet at barriers. What one sub-group spills, several would keep across barriers.
constexpr uint64_t kMostSpilledByWholeGroup = 512;
uint64_t mostSpilledByWideLanes(Isa isa, bool waits) {
  return isa == Isa::Avx512 ? 512 : waits ? 160 : 0;
}

// All of a work-group's 64 work-items: one sub-group has nobody to wait for at barriers.
std::optional<LaunchClass> wholeGroup(const LaunchClass &launch, Isa isa) {
  constexpr unsigned kLanes = 64, kShortestRow = 8;
  const uint64_t row = launch.local_size[0], items = row * launch.local_size[1] * launch.local_size[2];
  if (!launch.free_width || isa == Isa::Sse42 || items != kLanes || kLanes % row != 0 || row < kShortestRow)
    return std::nullopt;
  LaunchClass whole = launch;
  whole.width = kLanes;
  return whole;
}

// Work-items one after the other, where nobody can tell.
std::optional<LaunchClass> oneByOne(const LaunchClass &launch) {
  if (!launch.free_width || !launch.isRow())
    return std::nullopt;
  LaunchClass one = launch;
  one.width = 1;
  return one;
}

// A width the vectorizer has lanes for, or one lane.
bool isPossibleWidth(unsigned width) {
  return width == 1 || (width >= 4 && width <= 64 && (width & (width - 1)) == 0);
}

} // namespace

struct Vectorizer::Impl {
  explicit Impl(Config given) : config(std::move(given)), processor(chooseProcessor(config.target)) {}

  const Config config;
  const Processor processor;

  // Each on first use: opening a device costs nothing, and code from the cache needs no built-in library.
  struct Part {
    std::once_flag made;
    std::string error;
  };
  Part library, loader;
  std::unique_ptr<BuiltinLibrary> builtins; // null: none is configured
  std::shared_ptr<Jit> jit;
  // Parts of the cache's keys: of what is stored, with the library that was read, and of what is looked up.
  std::string environment, looked_up;

  bool readBuiltins(std::string &error);
  bool prepare(std::string &error);
  std::string environmentWith(StringRef builtins_hash) const;
  // The cache's entry for a key. Nothing while passes are dumped, because that needs a compilation.
  std::optional<std::string> cached(const std::string &key) const;
  std::shared_ptr<const CompiledKernel> load(const KernelSource &source, const LaunchClass &launch,
                                             const CachedObject &object, std::string &error);
  std::shared_ptr<const CompiledKernel> loadCached(const KernelSource &source, const LaunchClass &launch,
                                                   const std::string &key);
  // Runs the compiler, guarded. `use` gets the module after the last step; it is called again when LLVM fails in it.
  using Use = function_ref<void(Module &, TargetMachine &, KernelFacts &)>;
  bool build(const KernelSource &source, const LaunchClass &launch, std::vector<Remark> *remarks, std::string &error,
             std::string &warning, Use use, Steps steps = Steps::All);
  // Code for exactly this width.
  std::optional<CachedObject> make(const KernelSource &source, const LaunchClass &launch, CompileOutput &output,
                                   bool want_remarks, uint64_t &vector_spill_bytes);
  bool buildUnguarded(const KernelSource &source, const LaunchClass &launch, std::vector<Remark> *remarks,
                      std::string &error, Use use, Steps steps);
};

static std::string checksInKey() {
  const Instrumentation *checks = instrumentation();
  return checks ? fmt::format("checks {} {}", checks->memory, checks->sub_groups) : std::string();
}

std::string Vectorizer::Impl::environmentWith(StringRef builtins_hash) const {
  return ContentHash()
      .add(builtins_hash)
      .add(processor.cpu)
      .add(processor.features)
      .add(LANECL_VERSION)
      .add(config.profiler != Profiler::None ? "lines" : "")
      .add(checksInKey())
      .hex();
}

bool Vectorizer::Impl::readBuiltins(std::string &error) {
  std::call_once(library.made, [&] {
    std::string hash;
    if (!config.builtins_path.empty()) {
      auto file = MemoryBuffer::getFile(config.builtins_path);
      if (!file) {
        library.error = "error: cannot read the built-in library '" + config.builtins_path +
                        "': " + file.getError().message() + "; is LaneCL installed completely?";
        return;
      }
      if (config.cache)
        hash = hashOf((*file)->getBuffer());
      builtins = std::make_unique<BuiltinLibrary>(std::move(*file), config.cache, hash);
    }
    environment = environmentWith(hash);
  });
  error = library.error;
  return error.empty();
}

// What code from the cache needs.
bool Vectorizer::Impl::prepare(std::string &error) {
  if (config.builtins_hash.empty() && !readBuiltins(error))
    return false;
  std::call_once(loader.made, [&] {
    Expected<std::shared_ptr<Jit>> made = Jit::create(config.profiler, config.vtune_collector);
    if (!made) {
      loader.error = "error: cannot start the just-in-time compiler: " + toString(made.takeError());
      return;
    }
    jit = std::move(*made);
    looked_up = config.builtins_hash.empty() ? environment : environmentWith(config.builtins_hash);
  });
  error = loader.error;
  return error.empty();
}

bool Vectorizer::Impl::buildUnguarded(const KernelSource &source, const LaunchClass &launch,
                                      std::vector<Remark> *remarks, std::string &error, Use use, Steps steps) {
  std::unique_ptr<TargetMachine> target = createTargetMachine(processor, source.optimize, error);
  if (!target)
    return false;
  LLVMContext llvm;
  PassContext context;
  context.launch = launch;
  context.kernel = source.kernel;
  context.builtins_path = config.builtins_path;
  context.target = target.get();
  context.optimize = source.optimize;
  context.debug = source.debug;
  context.remarks = remarks;
  PipelineRequest request{MemoryBufferRef({source.bitcode.data(), source.bitcode.size()}, "program"), builtins.get(),
                          config.dump_directory, config.time_passes, steps};
  std::unique_ptr<Module> module = runPipeline(llvm, context, request);
  if (!module) {
    error = context.diagnostics.text();
    return false;
  }
  use(*module, *target, context.facts);
  return true;
}

bool Vectorizer::Impl::build(const KernelSource &source, const LaunchClass &launch, std::vector<Remark> *remarks,
                             std::string &error, std::string &warning, Use use, Steps steps) {
  if (!isPossibleWidth(launch.width)) {
    error = fmt::format("error: a sub-group of {} work-items is not supported: 8, 16 and 32 are", launch.width);
    return false;
  }
  if (!prepare(error) || !readBuiltins(error))
    return false;
  bool success = false;
  std::string reason;
  const auto attempt = [&](const KernelSource &kernel, std::string &failure) {
    return runGuarded([&] { success = buildUnguarded(kernel, launch, remarks, error, use, steps); }, failure);
  };
  if (attempt(source, reason))
    return success;
  // LLVM failed without optimization. With optimization the code is different, and LLVM's failures are rare.
  KernelSource other = source;
  other.optimize = !source.optimize;
  std::string ignored;
  if (remarks)
    remarks->clear();
  if (attempt(other, ignored) && success) {
    if (source.optimize)
      warning =
          fmt::format("internal compiler error: {}; kernel '{}' is compiled without optimization, please report it",
                      reason, source.kernel);
    return true;
  }
  error = "error: internal compiler error: " + reason;
  return false;
}

std::shared_ptr<const CompiledKernel> Vectorizer::Impl::load(const KernelSource &source, const LaunchClass &launch,
                                                             const CachedObject &object, std::string &error) {
  LaunchClass actual = launch;
  actual.width = static_cast<unsigned>(object.width);
  if (launch.row_axes != 0)
    actual.local_size = LaunchClass::rowAlong(object.facts.row_axis);
  const std::string symbol = workGroupName(source.kernel, actual);
  auto buffer = MemoryBuffer::getMemBufferCopy(object.object, symbol);
  Expected<std::unique_ptr<LoadedCode>> code = jit->load(std::move(buffer), symbol, source.debug);
  if (!code) {
    error = "error: cannot load the code of kernel '" + source.kernel + "': " + toString(code.takeError());
    return nullptr;
  }
  auto kernel = std::make_shared<KernelCode>();
  kernel->code = std::move(*code);
  kernel->entry = reinterpret_cast<abi::WorkGroupFunction>(kernel->code->address());
  kernel->width = actual.width;
  kernel->row_axis = actual.rowAxis().value_or(0);
  kernel->local_bytes = object.facts.local_bytes;
  kernel->scratch_bytes = object.facts.scratch_bytes;
  kernel->scratch_per_sub_group = object.facts.scratch_per_sub_group;
  kernel->updates_atomically = object.facts.updates_atomically;
  kernel->spill_bytes = object.spill_bytes;
  kernel->stack_bytes = object.stack_bytes;
  kernel->map = mapCode({object.object, symbol}, symbol, kernel->code->address(), source.debug);
  return kernel;
}

std::optional<std::string> Vectorizer::Impl::cached(const std::string &key) const {
  return config.cache && config.dump_directory.empty() ? config.cache->load(key) : std::nullopt;
}

// Null when there is no entry, or a damaged one: then the kernel is compiled.
std::shared_ptr<const CompiledKernel> Vectorizer::Impl::loadCached(const KernelSource &source,
                                                                   const LaunchClass &launch, const std::string &key) {
  const std::optional<std::string> bytes = cached(key);
  const std::optional<CachedObject> object = bytes ? deserialize(*bytes) : std::nullopt;
  std::string ignored;
  return object ? load(source, launch, *object, ignored) : nullptr;
}

Vectorizer::Vectorizer(Config config) : impl(std::make_unique<Impl>(std::move(config))) {}

Vectorizer::~Vectorizer() = default;

CompileOutput Vectorizer::compile(const KernelSource &source, const LaunchClass &launch, bool want_remarks) {
  CompileOutput output;
  if (!impl->prepare(output.error))
    return output;
  if (impl->config.cache && !want_remarks)
    output.kernel = impl->loadCached(source, launch, cacheKey(source, launch, impl->looked_up));
  if (output.kernel)
    return output;
  std::optional<CachedObject> object;
  uint64_t vector_spill_bytes = 0;
  const Isa isa = impl->processor.isa;
  const auto spills_too_much = [&] { return vector_spill_bytes > mostSpilledByWideLanes(isa, object->facts.waits); };
  for (const LaunchClass &wide : widerThan(launch, isa))
    if (!object || spills_too_much())
      object = impl->make(source, wide, output, want_remarks, vector_spill_bytes);
  if (!object || spills_too_much())
    object = impl->make(source, launch, output, want_remarks, vector_spill_bytes);
  if (const std::optional<LaunchClass> whole = wholeGroup(launch, isa);
      whole && object && object->facts.waits && object->width * 2 == whole->width) {
    const CompileOutput before = output;
    if (auto other = impl->make(source, *whole, output, want_remarks, vector_spill_bytes);
        other && vector_spill_bytes <= kMostSpilledByWholeGroup)
      object = std::move(other);
    else
      output = before;
  }
  if (const std::optional<LaunchClass> one = oneByOne(launch); object && object->facts.moves_elements && one)
    object = impl->make(source, *one, output, want_remarks, vector_spill_bytes);
  if (!object)
    return output;
  output.kernel = impl->load(source, launch, *object, output.error);
  if (output.kernel && impl->config.cache)
    impl->config.cache->store(cacheKey(source, launch, impl->environment), serialize(*object));
  return output;
}

std::optional<CachedObject> Vectorizer::Impl::make(const KernelSource &source, const LaunchClass &launch,
                                                   CompileOutput &output, bool want_remarks,
                                                   uint64_t &vector_spill_bytes) {
  output = {};
  CachedObject object;
  std::string emit_error;
  const auto emitObject = [&](Module &module, TargetMachine &target, KernelFacts &facts) {
    const auto start = std::chrono::steady_clock::now();
    if (want_remarks)
      reportLoops(*CloneModule(module), target, output.remarks);
    if (!source.debug && config.profiler == Profiler::None) // the lines were for the remarks
      StripDebugInfo(module);
    Emitted emitted = emit(module, target, CodeGenFileType::ObjectFile);
    if (config.time_passes)
      fmt::print(stderr, "{:>9.3f} ms  code generation\n",
                 std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    vector_spill_bytes = emitted.vector_spill_bytes;
    object = {facts, launch.width, emitted.spill_bytes, emitted.stack_bytes, emitted.bytes.str().str()};
    emit_error = std::move(emitted.error);
  };
  if (!build(source, launch, want_remarks ? &output.remarks : nullptr, output.error, output.warning, emitObject))
    return std::nullopt;
  if (!emit_error.empty()) {
    output.error = std::move(emit_error);
    return std::nullopt;
  }
  return object;
}

std::string Vectorizer::check(std::string_view bitcode, const std::vector<KernelCheck> &kernels) {
  std::string errors;
  if (!impl->prepare(errors))
    return errors;
  ObjectCache *const cache = impl->config.cache;
  if (cache && impl->cached(cacheKey(bitcode, kernels, impl->looked_up)))
    return errors;
  for (const KernelCheck &check : kernels) {
    std::string error, ignored;
    const KernelSource source{.bitcode = bitcode, .kernel = check.kernel};
    const auto discard = [](Module &, TargetMachine &, KernelFacts &) {};
    if (!impl->build(source, {.width = check.width}, nullptr, error, ignored, discard, Steps::Checks))
      errors += error + (error.ends_with('\n') ? "" : "\n");
  }
  if (cache && errors.empty() && impl->readBuiltins(errors)) // read already, unless there is no kernel
    cache->store(cacheKey(bitcode, kernels, impl->environment), "right");
  return errors;
}

std::string Vectorizer::print(const KernelSource &source, const LaunchClass &launch, Text what, std::string &error) {
  std::string text, ignored;
  impl->build(source, launch, nullptr, error, ignored, [&](Module &module, TargetMachine &target, KernelFacts &) {
    if (what == Text::Ir) {
      raw_string_ostream out(text);
      module.print(out, nullptr);
      return;
    }
    Emitted emitted = emit(module, target, CodeGenFileType::AssemblyFile);
    text = emitted.bytes.str().str();
    error = std::move(emitted.error);
  });
  return text;
}

const CodeMap &codeMapOf(const CompiledKernel &kernel) {
  return static_cast<const KernelCode &>(kernel).map;
}

TargetDescription describe(const CodeTarget &target) {
  return describe(chooseProcessor(target));
}

TargetDescription Vectorizer::target() const {
  return describe(impl->processor);
}

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vectorizer's entry points: looks a kernel up in the cache, runs the pipeline and the code generator under the
// crash guard, tries several numbers of lanes where the launch leaves them open, and loads the code.

#include "vectorizer/vectorizer.h"

#include "analysis/functions/kept_functions.h"
#include "codegen/cached_object.h"
#include "codegen/emit.h"
#include "codegen/function_objects.h"
#include "codegen/jit.h"
#include "codegen/loop_report.h"
#include "codegen/loop_times.h"
#include "codegen/map_code.h"
#include "codegen/target_machine.h"
#include "kernel/import/builtin_library.h"
#include "pipeline/compile_threads.h"
#include "pipeline/lane_count.h"
#include "pipeline/pass_gate.h"
#include "pipeline/pipeline.h"
#include "vectorizer/check.h"
#include "vectorizer/content_hash.h"
#include "vectorizer/crash_guard.h"
#include "vectorizer/internal_errors.h"
#include "work_group/work_group.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <fmt/format.h>
#include <mutex>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Kept functions of at least so many instructions get objects of their own, of which so many bytes are remembered.
constexpr uint64_t kLeastInstructionsApart = 1000, kMostBytesApart = 64 << 20;

// A kernel whose code is loaded. The code is unloaded when the last reference to this object goes.
struct KernelCode final : CompiledKernel {
  std::unique_ptr<LoadedCode> code;
  CodeMap map;
};

} // namespace

struct Vectorizer::Impl {
  explicit Impl(Settings given)
      : config(std::move(given)), processor(chooseProcessor(config.target)), threads(std::max(1u, config.threads)) {}

  const Settings config;
  const TargetProcessor processor;
  CompileThreads threads;
  FunctionObjects functions{kMostBytesApart};

  // Parts that are made on first use: opening a device costs nothing, and code from the cache needs no built-in
  // library.
  struct Part {
    std::once_flag made;
    std::string error;
  };
  Part library, loader;
  std::unique_ptr<BuiltinLibrary> builtins; // null: no library is configured
  std::shared_ptr<Jit> jit;
  // Both are parts of the cache's keys. `environment` is for entries that are stored, and contains the hash of the
  // library that was read. `looked_up` is for entries that are looked up, and contains Settings::builtins_hash if that
  // is given.
  std::string environment, looked_up;

  // Reads the built-in library on the first call. Returns false with an error if that fails.
  bool readBuiltins(std::string &error);
  // Makes all that code from the cache needs. Returns false with an error if that fails.
  bool prepare(std::string &error);
  // Returns the hash of everything besides kernel and launch class that the generated code depends on.
  std::string environmentWith(StringRef builtins_hash) const;
  // Returns the cache's entry for a key. Returns nothing while passes are dumped, because dumps need a compilation.
  std::optional<std::string> cached(const std::string &key) const;
  std::shared_ptr<const CompiledKernel> load(const KernelSource &source, const LaunchClass &launch,
                                             const CachedObject &object, std::string &error);
  bool loadCached(const KernelSource &source, const LaunchClass &launch, CompileOutput &output);
  // The compilations of one call, whose caller is told once if they take long.
  struct Wait {
    Wait(const Settings &config, const ReportLong &report)
        : when(std::chrono::steady_clock::now() + config.long_after), report(report) {}
    const std::chrono::steady_clock::time_point when;
    const ReportLong &report; // may be empty
    std::atomic<uint64_t> instructions{0};
    std::atomic<bool> told{false};
    // The returned report refers to `kernel` and to this object.
    LongWork of(const std::string &kernel);
  };
  // One compilation, for one launch class.
  struct Request {
    KernelSource source;
    LaunchClass launch;
    Steps steps = Steps::All;
    uint64_t most_instructions = 0; // gives up on longer kernels, which are not worth these lanes; 0: any length
    bool no_moves = false;          // generates no code if its lanes would mostly move elements
    bool want_remarks = false;
    bool want_times = false;                    // estimates the times of loops by simulation
    Wait *wait = nullptr;                       // null: nobody is told of long compilations
    uint64_t *optimized_instructions = nullptr; // gets the number of instructions at "kernel-size"; may be null
  };
  // The result of a compilation. Without an object, the output has an error, or the kernel was longer than
  // most_instructions.
  struct Made {
    std::optional<CachedObject> object; // the machine code
    CompileOutput output;               // everything but CompileOutput::kernel
    // The compiler crashed or reported a fatal error.
    bool failed_inside = false;
    uint64_t vector_spill_bytes = 0;
    uint64_t instructions = 0; // of the kernel, if most_instructions limited it
    LoopTimes times;           // zero unless want_times was set
  };
  // Runs the compiler under the crash guard. `use` gets the module after the last step, and is called a second time if
  // LLVM fails in it. If the result is No and there is no error, the kernel is longer than most_instructions.
  using Use = function_ref<void(Module &, TargetMachine &, KernelFacts &)>;
  enum class Built { Yes, No, FailedInside };
  Built build(const Request &request, CompileOutput &output, Use use);
  bool buildUnguarded(const Request &request, CompileOutput &output, std::string &step, Use use);
  Made make(const Request &request); // compiles for exactly this width
  // Generates the code of a kernel, and of its large functions unless it is known.
  void emitInto(Made &made, const Request &request, Module &module, TargetMachine &target);
  // Compiles for this width or one of the wider ones, which come widest first.
  Made makeWide(const Request &request, ArrayRef<LaunchClass> wider);
  // Compiles for `wide`, if the kernel has no more than most_instructions.
  Made makeOfUpTo(const Request &request, const LaunchClass &wide, uint64_t most_instructions);
  // The result of makeNarrow(): narrower code, and wide code if that was compiled at the same time.
  struct Narrow {
    Made made;
    std::optional<Made> wide;
  };
  // Compiles for all widths but the widest. If `may_want_wide` and a thread is free, the widest is compiled meanwhile.
  Narrow makeNarrow(const Request &request, ArrayRef<LaunchClass> wider, bool may_want_wide);
  // Whether wide code may spill more than usual, because the narrow code mostly waits for results.
  bool isWorthSpilling(const Made &narrow) const;
  Made makeAnyWidth(const Request &request); // for this width, or for another one if no work-item can tell
  struct Checked;
  Checked check(std::string_view bitcode, const KernelCheck &kernel, const ReportLong &report_long);
};

// Returns the part of the cache's key that describes the instrumentation; empty without instrumentation.
static std::string checksInKey() {
  const Instrumentation *checks = instrumentation();
  return checks ? fmt::format("checks {} {} {} {} {} {}", checks->memory, checks->sub_groups, checks->work_groups,
                              int(checks->races), checks->arithmetic, int(checks->initialization))
                : std::string();
}

std::string Vectorizer::Impl::environmentWith(StringRef builtins_hash) const {
  return ContentHash()
      .add(builtins_hash)
      .add(processor.cpu)
      .add(processor.features)
      .add(LANECL_VERSION)
      .add(config.profiler != Profiler::None ? "lines" : "")
      .add(config.keep_functions ? "functions" : "")
      .add(join(config.left_out.names, ","))
      .add(config.left_out.last_run ? std::to_string(*config.left_out.last_run) : "")
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

// Besides the loader, this reads the built-in library, but only if its hash is needed and not configured.
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

// Compiles in the calling thread, without protection against crashes. `step` always names the step that is running, so
// that a message can name it if the compiler crashes there.
bool Vectorizer::Impl::buildUnguarded(const Request &request, CompileOutput &output, std::string &step, Use use) {
  const KernelSource &source = request.source;
  std::unique_ptr<TargetMachine> target = createTargetMachine(processor, source.optimize, output.error);
  if (!target)
    return false;
  PassGate gate(config.left_out);
  LLVMContext llvm;
  llvm.setOptPassGate(gate);
  PassContext context;
  context.launch = request.launch;
  context.kernel = source.kernel;
  context.builtins_path = config.builtins_path;
  context.target = target.get();
  context.optimize = source.optimize;
  context.only_finds_errors = request.steps == Steps::Checks;
  context.keep_functions = config.keep_functions;
  context.debug = source.debug;
  context.checks = source.unchecked ? nullptr : instrumentation();
  context.most_instructions = request.most_instructions;
  context.remarks = request.want_remarks ? &output.remarks : nullptr;
  PipelineRequest pipeline{MemoryBufferRef({source.bitcode.data(), source.bitcode.size()}, "program"),
                           builtins.get(),
                           config.dump_directory,
                           config.time_passes,
                           request.steps,
                           &step,
                           request.wait ? &request.wait->instructions : nullptr,
                           request.optimized_instructions};
  std::unique_ptr<Module> module = runPipeline(llvm, context, pipeline);
  if (!module) {
    output.error = context.diagnostics.text();
    return false;
  }
  step = "code generation";
  use(*module, *target, context.facts);
  return true;
}

static std::atomic<uint64_t> internal_errors{0};
static std::atomic<bool> internal_errors_are_fatal{false};

uint64_t internalErrors() {
  return internal_errors.load();
}

void makeInternalErrorsFatal(bool fatal) {
  internal_errors_are_fatal.store(fatal);
}

LongWork Vectorizer::Impl::Wait::of(const std::string &kernel) {
  if (!report)
    return {};
  return {when, [this, &kernel] {
            if (!told.exchange(true))
              report({kernel, instructions});
          }};
}

// Compiles under the crash guard. If the compiler fails inside, the kernel is compiled a second time with the opposite
// of KernelSource::optimize, unless internal errors are fatal.
Vectorizer::Impl::Built Vectorizer::Impl::build(const Request &request, CompileOutput &output, Use use) {
  if (!isPossibleWidth(request.launch.width)) {
    output.error =
        fmt::format("error: a sub-group of {} work-items is not supported: 8, 16 and 32 are", request.launch.width);
    return Built::No;
  }
  if (!prepare(output.error) || !readBuiltins(output.error))
    return Built::No;
  const CompileThreads::Busy busy(threads);
  bool success = false;
  std::string reason, step = "import";
  const LongWork long_work = request.wait ? request.wait->of(request.source.kernel) : LongWork();
  const auto attempt = [&](const Request &what) {
    return runGuarded([&] { success = buildUnguarded(what, output, step, use); }, reason, long_work);
  };
  const auto built = [&] { return success ? Built::Yes : Built::No; };
  const bool ended = attempt(request);
  if (!success && isAbandoned()) {
    output.error = "error: kernel '" + request.source.kernel + "' is not compiled, because the process is exiting";
    return Built::No;
  }
  if (ended)
    return built();
  ++internal_errors;
  const std::string failure =
      fmt::format("internal compiler error: {}, in {} of kernel '{}'", reason, step, request.source.kernel);
  output.remarks.clear();
  // The second attempt runs different passes, so it rarely fails in the same place.
  Request other = request;
  other.source.optimize = !request.source.optimize;
  if (!internal_errors_are_fatal.load() && attempt(other) && success) {
    output.warning = fmt::format("{}; it is compiled with{} optimization. Please report this with the kernel's source",
                                 failure, other.source.optimize ? "" : "out");
    return Built::Yes;
  }
  output.error = "error: " + failure + "; please report it with the kernel's source";
  return Built::FailedInside;
}

// Loads finished code into memory and describes it. Returns null with an error on failure.
std::shared_ptr<const CompiledKernel> Vectorizer::Impl::load(const KernelSource &source, const LaunchClass &launch,
                                                             const CachedObject &object, std::string &error) {
  LaunchClass actual = launch;
  actual.width = static_cast<unsigned>(object.width);
  if (launch.row_axes != 0)
    actual.local_size = LaunchClass::rowAlong(object.facts.row_axis);
  const std::string symbol = workGroupName(source.kernel, actual);
  std::vector<CodeObject> objects;
  objects.push_back({MemoryBuffer::getMemBufferCopy(object.object, symbol), symbol});
  for (const CachedFunction &function : object.functions)
    objects.push_back({MemoryBuffer::getMemBufferCopy(function.object, function.symbol), function.symbol});
  Expected<std::unique_ptr<LoadedCode>> code = jit->load(std::move(objects), source.debug);
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
  kernel->yields = object.facts.yields;
  kernel->spill_bytes = object.spill_bytes;
  kernel->stack_bytes = object.stack_bytes;
  kernel->map = mapCode({object.object, symbol}, symbol, kernel->code->address(), source.debug);
  for (size_t i = 0; i < object.functions.size(); ++i) {
    const auto &[function, bytes] = object.functions[i];
    const CodeMap map = mapCode({bytes, function}, function, kernel->code->address(i + 1), /*with_lines=*/false);
    kernel->map.functions_apart.push_back({map.begin, map.bytes});
  }
  return kernel;
}

std::optional<std::string> Vectorizer::Impl::cached(const std::string &key) const {
  return config.cache && config.dump_directory.empty() ? config.cache->load(key) : std::nullopt;
}

// Loads the kernel's code from the cache. Returns false if there is no entry or a damaged one, so that the kernel has
// to be compiled. An entry with a warning was made after an internal error; it is ignored if such errors are fatal.
bool Vectorizer::Impl::loadCached(const KernelSource &source, const LaunchClass &launch, CompileOutput &output) {
  const std::optional<std::string> bytes = cached(cacheKey(source, launch, looked_up));
  const std::optional<CachedObject> object = bytes ? deserialize(*bytes) : std::nullopt;
  if (!object || (internal_errors_are_fatal.load() && !object->warning.empty()))
    return false;
  std::string ignored;
  output.kernel = load(source, launch, *object, ignored);
  if (output.kernel && !object->warning.empty()) {
    ++internal_errors;
    output.warning = object->warning;
  }
  return output.kernel != nullptr;
}

Vectorizer::Vectorizer(Settings config) : impl(std::make_unique<Impl>(std::move(config))) {}

Vectorizer::~Vectorizer() = default;

CompileOutput Vectorizer::compile(const KernelSource &source, const LaunchClass &launch, bool want_remarks,
                                  const ReportLong &report_long) {
  CompileOutput output;
  if (!impl->prepare(output.error))
    return output;
  if (impl->config.cache && !want_remarks && impl->loadCached(source, launch, output))
    return output;
  Impl::Wait wait(impl->config, report_long);
  const CompileThreads::Busy busy(impl->threads);
  Impl::Made made =
      impl->makeAnyWidth({.source = source, .launch = launch, .want_remarks = want_remarks, .wait = &wait});
  output = std::move(made.output);
  if (!made.object)
    return output;
  made.object->warning = output.warning;
  output.kernel = impl->load(source, launch, *made.object, output.error);
  if (output.kernel && impl->config.cache)
    impl->config.cache->store(cacheKey(source, launch, impl->environment), serialize(*made.object));
  return output;
}

// Whether the kernel must be refused because the compiler failed inside. Otherwise code of another width is used.
static bool isFatal(const auto &made) {
  return made.failed_inside && internal_errors_are_fatal.load();
}

// Compiles the kernel for the best width among those that the launch class allows: the requested one, wider ones, all
// 64 work-items of a work-group if sub-groups wait for each other at barriers, or one lane if lanes do not pay.
Vectorizer::Impl::Made Vectorizer::Impl::makeAnyWidth(const Request &request) {
  const Isa isa = processor.isa;
  const LaunchClass &launch = request.launch;
  const auto makeAs = [&](const LaunchClass &other) {
    Request changed = request;
    changed.launch = other;
    return make(changed);
  };
  Made best = makeWide(request, widerThan(launch, isa));
  if (!best.object)
    return best;
  if (const auto whole = wholeGroup(launch, isa);
      whole && best.object->facts.waits && best.object->width * 2 == whole->width)
    if (Made other = makeAs(*whole);
        isFatal(other) || (other.object && other.vector_spill_bytes <= kMostSpilledByWholeGroup))
      best = std::move(other);
  if (!best.object)
    return best;
  if (const auto one = oneByOne(launch); one && best.object->facts.moves_elements)
    best = makeAs(*one);
  assert((!best.object || !best.object->object.empty()) && "one lane replaces what Request::no_moves left out");
  return best;
}

// Spills of wide code may cost less than the time that narrow code loses by waiting for results.
bool Vectorizer::Impl::isWorthSpilling(const Made &narrow) const {
  return narrow.times.areMostlyWaiting() && (narrow.vector_spill_bytes <= littleSpilledByNarrowLanes(processor.isa) ||
                                             narrow.times.busyShare() < kLittleBusy);
}

Vectorizer::Impl::Made Vectorizer::Impl::makeOfUpTo(const Request &request, const LaunchClass &wide,
                                                    uint64_t most_instructions) {
  Request limited = request;
  limited.launch = wide;
  limited.most_instructions = most_instructions;
  uint64_t instructions = 0;
  limited.optimized_instructions = &instructions;
  Made made = make(limited);
  made.instructions = instructions;
  return made;
}

Vectorizer::Impl::Narrow Vectorizer::Impl::makeNarrow(const Request &request, ArrayRef<LaunchClass> wider,
                                                      bool may_want_wide) {
  Narrow result;
  const auto makePart = [&](size_t part) {
    if (part == 0)
      result.made = makeWide(request, wider.drop_front());
    else
      result.wide = makeOfUpTo(request, wider.front(), kMostInstructionsOfWideLanes);
  };
  threads.forEach(may_want_wide && threads.anyIsFree() ? 2 : 1, makePart);
  return result;
}

// Compiles for the most lanes whose values fit into the registers, or twice as many if isWorthSpilling(). Wide code
// takes long to compile. Therefore narrow code of a long kernel is compiled first, and shows whether wide code is worth
// a try.
Vectorizer::Impl::Made Vectorizer::Impl::makeWide(const Request &request, ArrayRef<LaunchClass> wider) {
  if (wider.empty()) {
    Request narrowest = request;
    narrowest.no_moves = oneByOne(request.launch).has_value(); // instead, makeAnyWidth() compiles for one lane
    return make(narrowest);
  }
  const Isa isa = processor.isa;
  const auto fits = [&](const Made &made) {
    return made.object && made.vector_spill_bytes <= mostSpilledByWideLanes(isa, made.object->facts.waits);
  };
  Made wide = makeOfUpTo(request, wider.front(), mostInstructionsTriedWide(isa));
  if (fits(wide) || isFatal(wide))
    return wide;
  const bool is_long =
      !wide.object && wide.output.error.empty() && mostInstructionsTriedWide(isa) < kMostInstructionsOfWideLanes;
  Request simulated = request;
  simulated.want_times |= wide.object || is_long;
  auto [narrow, early] = makeNarrow(simulated, wider, is_long && wide.instructions <= kMostInstructionsTriedTogether);
  const bool is_worth_it = isWorthSpilling(narrow);
  if (is_long && (is_worth_it || fits(narrow)))
    wide = early ? std::move(*early) : makeOfUpTo(request, wider.front(), kMostInstructionsOfWideLanes);
  if (wide.failed_inside && narrow.output.warning.empty())
    narrow.output.warning = wide.output.error;
  return isFatal(wide) || fits(wide) || (wide.object && is_worth_it) ? std::move(wide) : std::move(narrow);
}

// Keeps the symbols of kept functions, so that profilers can name them.
static void keepSymbolsOfFunctions(Module &module) {
  for (Function &function : module)
    if (isKept(function) && !function.isDeclaration())
      keepSymbol(function);
}

void Vectorizer::Impl::emitInto(Made &made, const Request &request, Module &module, TargetMachine &target) {
  const uint64_t instructions = module.getInstructionCount();
  renameVariables(module);
  // Debuggers and profilers expect a kernel's functions in one object.
  const bool splits = !request.source.debug && config.profiler == Profiler::None;
  const auto parts =
      splits ? moveFunctionsOut(module, kLeastInstructionsApart) : std::vector<std::unique_ptr<Module>>();
  const auto emitPart = [&](Module &part, LoopTimes &times) {
    UseLoops use;
    if (request.want_times)
      use = [&](const auto &loops, const MCSubtargetInfo &processor) { times.add(loops, processor, target); };
    return emit(part, target, CodeGenFileType::ObjectFile, use, instructions);
  };
  const Emitted kernel = emitPart(module, made.times);
  made.object->object = kernel.bytes.str().str();
  const auto add = [&](const Emitted &code) {
    made.vector_spill_bytes = std::max(made.vector_spill_bytes, code.vector_spill_bytes);
    made.object->spill_bytes = std::max(made.object->spill_bytes, code.spill_bytes);
    made.object->stack_bytes += code.stack_bytes;
    if (made.output.error.empty())
      made.output.error = code.error;
  };
  add(kernel);
  for (const std::unique_ptr<Module> &part : parts) {
    const std::string symbol = part->getModuleIdentifier();
    const std::string key = fmt::format("{} {} {} {}", keyOf(*part), request.want_times, isLongKernel(instructions),
                                        request.source.optimize);
    const auto function = functions.get(key, [&] {
      LoopTimes times;
      Emitted code = emitPart(*part, times);
      return FunctionObject{symbol, std::move(code), times};
    });
    add(function->code);
    made.times += function->times;
    made.object->functions.push_back({symbol, function->code.bytes.str().str()});
  }
}

// Compiles for exactly the requested launch class. With want_remarks it also generates the code a second time from a
// copy, to report its loops.
Vectorizer::Impl::Made Vectorizer::Impl::make(const Request &request) {
  Made made;
  const auto emitObject = [&](Module &module, TargetMachine &target, KernelFacts &facts) {
    const auto start = std::chrono::steady_clock::now();
    made.times = {};
    made.object = {.facts = facts, .width = request.launch.width};
    if (request.no_moves && facts.moves_elements && !facts.waits) {
      made.vector_spill_bytes = UINT64_MAX; // this is not code that fits into the registers
      return;
    }
    if (request.want_remarks)
      reportLoops(*CloneModule(module), target, made.output.remarks);
    if (!request.source.debug && config.profiler == Profiler::None) // the lines were for the remarks
      StripDebugInfo(module);
    if (config.profiler != Profiler::None)
      keepSymbolsOfFunctions(module);
    made.vector_spill_bytes = 0; // this may be the second attempt
    emitInto(made, request, module, target);
    if (config.time_passes)
      fmt::print(stderr, "{:>9.3f} ms  code generation\n",
                 std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  };
  const Built built = build(request, made.output, emitObject);
  if (built != Built::Yes || !made.output.error.empty())
    made.object = std::nullopt;
  made.failed_inside = built == Built::FailedInside;
  return made;
}

// The cache's entry for a check without errors has one letter for each kernel, and a point at the end.
static char letterOf(const KernelTraits &traits) {
  return char('a' + (traits.waits ? 1 : 0) + (traits.is_long ? 2 : 0));
}

static KernelTraits outlookOf(char letter) {
  const int bits = letter - 'a';
  return {.waits = (bits & 1) != 0, .is_long = (bits & 2) != 0};
}

// The result of checking one kernel.
struct Vectorizer::Impl::Checked {
  std::string error;       // complete lines; empty: no errors
  bool has_failed = false; // the compiler failed inside
  KernelTraits traits;
};

Vectorizer::Impl::Checked Vectorizer::Impl::check(std::string_view bitcode, const KernelCheck &kernel,
                                                  const ReportLong &report_long) {
  Wait wait(config, report_long);
  const Request request{.source = {.bitcode = bitcode, .kernel = kernel.kernel},
                        .launch = {.width = kernel.width},
                        .steps = Steps::Checks,
                        .wait = &wait};
  Checked result;
  CompileOutput output;
  const auto keep = [&](Module &module, TargetMachine &, KernelFacts &facts) {
    result.traits = {.waits = facts.yields, .is_long = module.getInstructionCount() > kManyInstructions};
  };
  if (build(request, output, keep) != Built::Yes)
    result.error = output.error + (output.error.ends_with('\n') ? "" : "\n");
  result.has_failed = !output.warning.empty();
  return result;
}

std::string Vectorizer::check(std::string_view bitcode, const std::vector<KernelCheck> &kernels,
                              std::vector<KernelTraits> *outlooks, const ReportLong &report_long) {
  std::string errors, letters;
  std::vector<KernelTraits> found(kernels.size());
  const auto result = [&] {
    if (outlooks != nullptr)
      *outlooks = found;
    return errors;
  };
  if (!impl->prepare(errors))
    return result();
  ObjectCache *const cache = impl->config.cache;
  if (cache)
    if (const auto known = impl->cached(cacheKey(bitcode, kernels, impl->looked_up));
        known && known->size() == kernels.size() + 1) {
      std::transform(known->begin(), known->end() - 1, found.begin(), outlookOf);
      return result();
    }
  std::vector<Impl::Checked> checked(kernels.size());
  impl->threads.forEach(kernels.size(), [&](size_t i) { checked[i] = impl->check(bitcode, kernels[i], report_long); });
  bool has_failed = false;
  for (size_t i = 0; i < kernels.size(); ++i) {
    errors += checked[i].error;
    has_failed |= checked[i].has_failed;
    found[i] = checked[i].traits;
    letters += letterOf(found[i]);
  }
  // A check of a kernel has read the library already, so this call reads it only if there is no kernel.
  if (cache && errors.empty() && !has_failed && impl->readBuiltins(errors))
    cache->store(cacheKey(bitcode, kernels, impl->environment), letters + ".");
  return result();
}

void Vectorizer::forEach(size_t count, const std::function<void(size_t)> &work) {
  impl->threads.forEach(count, work);
}

std::string Vectorizer::print(const KernelSource &source, const LaunchClass &launch, Text what, std::string &error) {
  std::string text;
  CompileOutput output;
  const Impl::Request request{.source = source, .launch = launch};
  impl->build(request, output, [&](Module &module, TargetMachine &target, KernelFacts &) {
    if (what == Text::Ir) {
      raw_string_ostream out(text);
      module.print(out, nullptr);
      return;
    }
    Emitted emitted = emit(module, target, CodeGenFileType::AssemblyFile);
    text = emitted.bytes.str().str();
    output.error = std::move(emitted.error);
  });
  error = std::move(output.error);
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

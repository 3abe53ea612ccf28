// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vectorizer's entry points: looks a kernel up in the cache, has it compiled (candidates.cpp), and loads the code.

#include "vectorizer/vectorizer.h"

#include "codegen/emit.h"
#include "codegen/map_code.h"
#include "pipeline/lane_count.h"
#include "pipeline/vectorizer_impl.h"
#include "vectorizer/check.h"
#include "vectorizer/content_hash.h"
#include "work_group/work_group.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// A kernel whose code is loaded. The code is unloaded when the last reference to this object goes.
struct KernelCode final : CompiledKernel {
  std::unique_ptr<LoadedCode> code;
  CodeMap map;
};

} // namespace

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
  if (!object || (internalErrorsAreFatal() && !object->warning.empty()))
    return false;
  std::string ignored;
  output.kernel = load(source, launch, *object, ignored);
  if (output.kernel && !object->warning.empty()) {
    countInternalError();
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

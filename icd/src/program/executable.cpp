// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles the kernels of a built program on demand, and constructs and destroys its program scope variables.

#include "program/executable.h"

#include "api/shadow.h"
#include "check/check_mode.h"
#include "device/compiler_use.h"
#include "device/device_limits.h"
#include "faults/fault_handler.h"
#include "faults/launch_facts.h"
#include "icd/counted.h"
#include "icd/launch_class.h"
#include "icd/profile.h"
#include "icd/resources.h"
#include "report/launch_report.h"
#include "vectorizer/check.h"
#include "vectorizer/contract/width.h"
#include "vectorizer/internal_errors.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>

namespace lanecl::icd {
namespace {

// How many local sizes of a kernel get exact code. A program that uses more is trying out sizes, or its sizes vary with
// its data; further sizes run the code that works for any size.
constexpr size_t kExactSizesPerKernel = 8;
// The same limit for the sizes of small ranges that LaneCL chooses itself (freeClassFor). It is lower, because few
// launches of such ranges take as long as a compilation. One of the two sizes is often a single work-item.
constexpr size_t kExactFreeSizesPerKernel = 2;
constexpr size_t kMostExactSizes = 128; // including those of specialize(); limits the memory for code
// How many combinations of image formats get code of their own for each kernel.
constexpr size_t kFormatsPerKernel = 16;

// Returns the result of `make` for a key, calling `make` only for the first request and keeping its result in
// `results`.
//
// Threads that request the same key meanwhile wait for that result. The mutex is not locked while `make` runs. If
// `make` throws, all waiting threads get its exception, and a later request calls `make` again.
template <class Results, class Make>
const auto &onlyOnce(std::mutex &mutex, Results &results, const typename Results::key_type &key, Make make) {
  std::optional<std::promise<decltype(make())>> promise; // set in the thread that has to call `make`
  typename Results::mapped_type pending;
  {
    const std::lock_guard lock(mutex);
    auto place = results.find(key);
    if (place == results.end())
      place = results.emplace(key, promise.emplace().get_future().share()).first;
    pending = place->second;
  }
  if (promise) {
    try {
      promise->set_value(make());
    } catch (...) {
      promise->set_exception(std::current_exception());
      const std::lock_guard lock(mutex);
      results.erase(key);
    }
  }
  return pending.get(); // the future's value lives as long as the map's entry
}

// Keeps the code loaded for the rest of the process if data races are looked for: a later report may name a place in it
// as the other access of a race. Returns false, without taking the code, if they are not.
bool keepForReports(Executable::Code &code) {
  const vectorizer::Instrumentation *const checks = vectorizer::instrumentation();
  if (!checks || checks->races == vectorizer::Reach::Nothing)
    return false;
  static std::mutex mutex;
  static auto *const kept =
      new std::vector<Executable::Code>; // never destroyed: kernels may run until the process ends
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(code));
  return true;
}

// Returns the message for a kernel that takes long to compile.
std::string textOf(const vectorizer::LongCompilation &compilation) {
  const bool is_kept = !cacheDirectory().empty();
  return "LaneCL is still compiling kernel '" + compilation.kernel + "', which takes some seconds" +
         (compilation.instructions == 0 ? std::string(". ")
                                        : " because it is large: " + counted(compilation.instructions, "instruction") +
                                              " including all that it calls. ") +
         (is_kept ? "The result is cached, so that the next run does not wait for it. "
                  : "The cache of compiled kernels is off, so that every run waits; LANECL_CACHE=on turns it on. ") +
         "\"Large kernels\" in docs/performance.md explains what takes long and how to avoid it.";
}

// Wraps the code so that it is unloaded under a CompilerUse, since unloading calls into the compiler, too. When the
// process is exiting, the code is not unloaded at all.
Executable::Code unloadedInTurn(Executable::Code code) {
  if (!code)
    return nullptr;
  const vectorizer::CompiledKernel *kernel = code.get();
  return {kernel, [owner = std::make_unique<Executable::Code>(std::move(code))](const auto *) mutable {
            if (keepForReports(*owner))
              return;
            const CompilerUse use;
            if (!use)
              (void)owner.release();
            owner.reset();
          }};
}

} // namespace

std::shared_ptr<Executable> Executable::create(const frontend::Module &module, const ProgramTexts &texts,
                                               std::span<Device *const> devices, std::string &error) {
  startCheckMode();
  auto info = frontend::Frontend::describe(module, error);
  if (!info)
    return nullptr;
  std::shared_ptr<Executable> executable(new Executable(module, texts, std::move(info)));
  for (Device *device : devices)
    if (std::byte *block; !executable->variables(*device, block, error))
      return nullptr;
  return executable;
}

Executable::Executable(frontend::Module module, ProgramTexts texts, std::shared_ptr<const frontend::ProgramInfo> info)
    : module_(std::move(module)), texts_(std::move(texts)), info_(std::move(info)), exact_sizes_(kernels().size()),
      formats_(kernels().size()), compile_nanoseconds_(kernels().size()), reported_long_(kernels().size()),
      outlooks_(kernels().size()) {}

Executable::Variables Executable::makeVariables(Device &device) {
  const frontend::ProgramVariables &begin = info_->variables;
  const size_t alignment = std::max<size_t>(kBaseAlignment, begin.alignment);
  const size_t bytes = (begin.bytes + alignment - 1) / alignment * alignment;
  Variables made;
  made.block.reset(static_cast<std::byte *>(std::aligned_alloc(alignment, bytes)), std::free);
  std::byte *const block = made.block.get();
  if (!block) {
    made.error = "error: out of memory for " + counted(bytes, "byte") + " of program scope variables\n";
    return made;
  }
  assert(begin.initial.size() <= bytes && "the initial values are longer than the variables");
  std::memcpy(block, begin.initial.data(), begin.initial.size());
  std::memset(block + begin.initial.size(), 0, bytes - begin.initial.size());
  markWritten(block, bytes);
  for (const auto &[at, target] : begin.addresses) {
    assert(at + sizeof(std::byte *) <= bytes && "an address lies outside of the variables");
    std::byte *const address = block + target;
    std::memcpy(block + at, &address, sizeof address);
  }
  if (!construct(device, made))
    made.block.reset();
  return made;
}

// Compiles the constructor and the destructor, and runs the constructor. Where the processor cannot run kernels
// (Device::refusal()), both are only compiled: no kernel can see the variables there.
bool Executable::construct(Device &device, Variables &made) {
  Code constructor, destructor;
  if (!compileEnds(constructor, destructor, made.error))
    return false;
  if ((!constructor && !destructor) || !Device::refusal().empty())
    return true;
  made.queue = device.scheduler().createQueue(scheduler::Order::InOrder);
  if (constructor) {
    const scheduler::DependencyPtr done = made.queue->enqueue(launchAlone("constructors", constructor, made.block), {});
    done->wait();
    if (done->status() != scheduler::kComplete) {
      made.error = "error: the constructors of the program scope variables could not be run\n";
      return false;
    }
  }
  made.destructor = std::move(destructor);
  return true;
}

bool Executable::compileEnds(Code &constructor, Code &destructor, std::string &error) {
  struct End {
    const char *name;
    Code &code;
    std::string error{};
  };
  std::vector<End> ends;
  if (info_->has_constructor)
    ends.push_back({frontend::kConstructor, constructor});
  if (info_->has_destructor)
    ends.push_back({frontend::kDestructor, destructor});
  compileTogether(ends.size(), [&](size_t i) { ends[i].code = compileAlone(ends[i].name, ends[i].error); });
  const auto failed = std::ranges::find_if(ends, [](const End &end) { return !end.code; });
  if (failed != ends.end())
    error = failed->error;
  return failed == ends.end();
}

Executable::Code Executable::compileAlone(const char *kernel, std::string &error) {
  vectorizer::LaunchClass single{.local_size = {1, 1, 1}, .no_offset = true};
  single.width = vectorizer::subGroupWidth(
      {.forced = forcedSubGroupSize(), .narrowest = deviceProfile().narrowest_sub_group}, {1, 1, 1});
  const vectorizer::CompileOutput output = compileNow(kernel, single, {});
  error = output.error;
  return output.kernel;
}

// Makes a launch of one work-item. The launch owns the code, the variables and the texts, so that it may outlive the
// executable, as the launch of a destructor does.
scheduler::Launch Executable::launchAlone(const char *name, const Code &code, const std::shared_ptr<std::byte> &block) {
  struct Needs {
    Code code;
    std::shared_ptr<std::byte> block;
    ProgramTexts texts;
    LaunchFacts facts;
  };
  const auto needs = std::make_shared<Needs>(Needs{code, block, texts_, {}});
  needs->facts.code = std::make_shared<const CodeFacts>(CodeFacts{.kernel = name,
                                                                  .full = code.get(),
                                                                  .texts = &needs->texts,
                                                                  .debug = module_.debug,
                                                                  .variable_bytes = variableBytes()});
  scheduler::Launch launch;
  assert(code && "constructors and destructors are compiled before they are launched");
  launch.entry = code->entry;
  launch.local_bytes = code->local_bytes;
  launch.scratch_bytes = code->scratch_bytes;
  launch.stack_bytes = code->stack_bytes;
  launch.info.work_dim = 1;
  for (int d = 0; d < 3; ++d)
    launch.info.global_size[d] = launch.info.enqueued_local_size[d] = launch.info.num_groups[d] = 1;
  launch.info.variables = block.get();
  launch.facts = &needs->facts;
  launch.keep_alive = needs;
  describeFaults();
  return launch;
}

Executable::~Executable() {
  for (const auto &[device, variables] : variables_)
    try {
      if (const Variables &made = variables.get(); made.destructor)
        destroy(made);
    } catch (...) { // there is no memory for the command, or creating the variables failed
    }
}

void Executable::destroy(const Variables &variables) {
  assert(variables.queue && variables.block && "nothing was constructed that could be destroyed");
  const scheduler::DependencyPtr done =
      variables.queue->enqueue(launchAlone("destructors", variables.destructor, variables.block), {});
  variables.queue->flush();
  if (!DestructorWait::add(done, callbacks_) && callbacks_)
    done->onStatus(scheduler::kComplete, [last = callbacks_](scheduler::Status) mutable { last.reset(); });
}

void Executable::endBefore(std::shared_ptr<ReleaseCallbacks> callbacks) {
  callbacks_ = std::move(callbacks);
}

bool Executable::variables(Device &device, std::byte *&block, std::string &error) {
  block = nullptr;
  if (variableBytes() == 0)
    return true;
  const Variables &made = onlyOnce(mutex_, variables_, &device, [&] { return makeVariables(device); });
  block = made.block.get();
  error = made.error;
  return block != nullptr;
}

int Executable::find(std::string_view name) const {
  for (size_t i = 0; i < kernels().size(); ++i)
    if (kernels()[i].name == name)
      return int(i);
  return -1;
}

unsigned Executable::width(size_t kernel, const LocalSize &local_size) const {
  assert(kernel < kernels().size() && "the program has no such kernel");
  const frontend::KernelInfo &info = kernels()[kernel];
  return vectorizer::subGroupWidth({.required = info.required_sub_group_size,
                                    .forced = forcedSubGroupSize(),
                                    .queries_sub_groups = info.queries_sub_groups,
                                    .narrowest = deviceProfile().narrowest_sub_group},
                                   local_size);
}

vectorizer::LaunchClass Executable::classFor(size_t kernel, const LocalSize &local_size, const GlobalIds &ids) {
  vectorizer::LaunchClass launch;
  launch.width = width(kernel, local_size);
  launch.ids_fit_int = ids.fit_int;
  launch.no_offset = ids.from_zero;
  launch.free_width = hasFreeWidth(kernel);
  if (hasExactCode(kernel, local_size, isLong(kernel) ? 1 : kExactSizesPerKernel))
    for (size_t d = 0; d < 3; ++d)
      launch.local_size[d] = uint32_t(local_size[d]);
  launch.width = uncheckedWidth(kernel, launch);
  return launch;
}

Executable::Key Executable::keyOf(size_t kernel, const vectorizer::LaunchClass &launch) {
  return {kernel,           launch.width,      launch.local_size, launch.ids_fit_int,
          launch.no_offset, launch.free_width, launch.row_axes,   vectorizer::bytesOf(launch.images)};
}

// A kernel with barriers or local memory may rely on lanes that run in lockstep, although OpenCL does not promise that.
// If the checked kernel has the same width as the unchecked one, it computes the same result. A width of 1 is a choice
// for speed and is not taken over.
unsigned Executable::uncheckedWidth(size_t kernel, vectorizer::LaunchClass launch) {
  const frontend::KernelInfo &info = kernels()[kernel];
  if (!isCheckMode() || launch.free_width ||
      !hasFreeWidthUnchecked(module_, info, outlooks_[kernel], forcedSubGroupSize()))
    return launch.width;
  launch.free_width = true;
  return onlyOnce(mutex_, unchecked_widths_, keyOf(kernel, launch), [&] {
    const vectorizer::CompileOutput made = compileNow(info.name, launch, {}, /*unchecked=*/true);
    return made.kernel && made.kernel->width > 1 ? made.kernel->width : launch.width;
  });
}

bool Executable::hasExactCode(size_t kernel, const LocalSize &local_size, size_t most) {
  const std::lock_guard lock(mutex_);
  assert(std::ranges::max(local_size) <= UINT32_MAX && std::ranges::min(local_size) != 0 &&
         "code is compiled for local sizes that work-groups can have");
  std::set<LocalSize> &sizes = exact_sizes_[kernel];
  if (sizes.size() < most)
    sizes.insert(local_size);
  return sizes.contains(local_size);
}

bool Executable::hasFreeWorkGroups(size_t kernel) const {
  return icd::hasFreeWorkGroups(module_, kernels()[kernel], outlooks_[kernel]);
}

bool Executable::hasFreeWidth(size_t kernel) const {
  return icd::hasFreeWidth(module_, kernels()[kernel], outlooks_[kernel], forcedSubGroupSize());
}

bool Executable::runsAlone(size_t kernel, const LocalSize &local_size) const {
  return icd::runsAlone(kernels()[kernel], outlooks_[kernel], local_size);
}

// Rows of every length share one code. A kernel that runs its work-items one by one (runsAlone) has code of its own.
vectorizer::LaunchClass Executable::freeClassFor(size_t kernel, const LocalSize &local_size,
                                                 const LocalSize &other_rows, const GlobalIds &ids) {
  const bool is_alone = runsAlone(kernel, local_size);
  const bool is_row = local_size[1] * local_size[2] == 1 && !is_alone;
  const bool is_exact = !is_row && (is_alone || hasExactCode(kernel, local_size, kExactFreeSizesPerKernel));
  vectorizer::LaunchClass launch{.width = width(kernel, is_exact ? local_size : LocalSize{256, 1, 1}),
                                 .ids_fit_int = ids.fit_int,
                                 .free_width = hasFreeWidth(kernel),
                                 .no_offset = ids.from_zero};
  if (is_row)
    launch.local_size = {0, 1, 1};
  for (size_t d = 0; d < 3; ++d) {
    if (is_exact)
      launch.local_size[d] = uint32_t(local_size[d]);
    if (is_row && other_rows[d] != 0)
      launch.row_axes |= 1u << d;
  }
  return launch;
}

bool Executable::specialize(size_t kernel, const LocalSize &local_size) {
  return hasExactCode(kernel, local_size, kMostExactSizes);
}

std::vector<vectorizer::KnownImage> Executable::knownFormats(size_t kernel,
                                                             const std::vector<vectorizer::KnownImage> &images) {
  if (images.empty() || !module_.optimize || isLookedInto(module_, kernels()[kernel]))
    return {};
  const std::lock_guard lock(mutex_);
  std::set<std::string> &known = formats_[kernel];
  if (known.size() < kFormatsPerKernel)
    known.insert(vectorizer::bytesOf(images));
  return known.contains(vectorizer::bytesOf(images)) ? images : std::vector<vectorizer::KnownImage>();
}

vectorizer::LaunchClass Executable::likelyClass(size_t kernel) {
  if (hasFreeWorkGroups(kernel))
    return freeClassFor(kernel, runsAlone(kernel, {256, 1, 1}) ? LocalSize{1, 1, 1} : LocalSize{256, 1, 1}, {0, 0, 0},
                        {});
  const frontend::KernelInfo &info = kernels()[kernel];
  const LocalSize &known =
      info.required_work_group_size[0] != 0 ? info.required_work_group_size : info.work_group_size_hint;
  vectorizer::LaunchClass launch{.free_width = hasFreeWidth(kernel), .no_offset = true};
  if (known[0] == 0) {
    // The local size is unknown. Long rows are the most frequent.
    launch.width = width(kernel, {256, 1, 1});
    return launch;
  }
  launch.width = width(kernel, known);
  for (size_t d = 0; d < 3; ++d)
    launch.local_size[d] = uint32_t(known[d]);
  return launch;
}

// Returns a reporter that is called at most once for each kernel, whatever class the kernel is compiled for.
vectorizer::ReportLong Executable::reportOnce(const Reporter &reporter) {
  if (!reporter)
    return {};
  return [this, reporter](const vectorizer::LongCompilation &compilation) {
    const int kernel = find(compilation.kernel);
    if (kernel < 0 || reported_long_[size_t(kernel)].exchange(true))
      return;
    const CompilerUse::Part part; // while the application's callback runs, the process may exit
    reporter(textOf(compilation));
  };
}

std::string Executable::check(const Reporter &reporter) {
  std::string error;
  vectorizer::Vectorizer *vectorizer = Device::vectorizer(error);
  if (!vectorizer)
    return error;
  std::vector<vectorizer::KernelCheck> checks;
  for (size_t i = 0; i < kernels().size(); ++i)
    checks.push_back({kernels()[i].name, likelyClass(i).width});
  return vectorizer->check(*module_.bitcode, checks, &outlooks_, reportOnce(reporter));
}

Executable::Code Executable::compile(size_t kernel, const vectorizer::LaunchClass &launch, std::string &error,
                                     const Reporter &reporter) {
  const vectorizer::CompileOutput &output = onlyOnce(mutex_, code_, keyOf(kernel, launch), [&] {
    const uint64_t begin = scheduler::nanoseconds();
    vectorizer::CompileOutput made = compileNow(kernels()[kernel].name, launch, reporter);
    compile_nanoseconds_[kernel].store(scheduler::nanoseconds() - begin);
    return made;
  });
  error = output.error;
  return output.kernel;
}

bool Executable::isCompiled(size_t kernel, const vectorizer::LaunchClass &launch) {
  const std::lock_guard lock(mutex_);
  const auto found = code_.find(keyOf(kernel, launch));
  return found != code_.end() && found->second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::shared_ptr<scheduler::LaunchHistory> Executable::history(size_t kernel, const LocalSize &local_size) {
  constexpr size_t kMostHistories = 256; // a program may use any number of sizes
  const std::lock_guard lock(mutex_);
  const std::pair key{kernel, local_size};
  if (histories_.size() == kMostHistories && !histories_.contains(key))
    histories_.clear();
  std::shared_ptr<scheduler::LaunchHistory> &found = histories_[key];
  if (!found)
    found = std::make_shared<scheduler::LaunchHistory>();
  return found;
}

vectorizer::CompileOutput Executable::compileNow(const std::string &kernel, const vectorizer::LaunchClass &launch,
                                                 const Reporter &reporter, bool unchecked) {
  vectorizer::CompileOutput output;
  const CompilerUse use;
  if (!use) {
    output.error = CompilerUse::kRefused;
    return output;
  }
  vectorizer::Vectorizer *vectorizer = Device::vectorizer(output.error);
  if (!vectorizer)
    return output;
  const auto info = std::ranges::find(kernels(), kernel, &frontend::KernelInfo::name);
  const vectorizer::KernelSource source{.bitcode = *module_.bitcode,
                                        .kernel = kernel,
                                        .debug = module_.debug,
                                        .optimize = module_.optimize,
                                        .unchecked = unchecked || (info != kernels().end() && isUnchecked(*info))};
  output = vectorizer->compile(source, launch, areLaunchesReported(), reportOnce(reporter));
  if (!output.warning.empty())
    std::fprintf(stderr, "LaneCL: %s (internal compiler error %llu of this process)\n", output.warning.c_str(),
                 static_cast<unsigned long long>(vectorizer::internalErrors()));
  output.kernel = unloadedInTurn(std::move(output.kernel));
  if (areLaunchesReported())
    noteCode(kernel, module_.options, launch, output, vectorizer->target());
  return output;
}

} // namespace lanecl::icd

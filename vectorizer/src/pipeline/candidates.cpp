// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles a kernel for several numbers of lanes where the launch leaves them open, and chooses between the results.

#include "analysis/functions/kept_functions.h"
#include "codegen/emit.h"
#include "codegen/loop_report.h"
#include "pipeline/lane_count.h"
#include "pipeline/vectorizer_impl.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>
#include <fmt/format.h>

using namespace llvm;

namespace lanecl::vectorizer {

// Kept functions of at least so many instructions get objects of their own.
static constexpr uint64_t kLeastInstructionsApart = 1000;

// Whether the kernel must be refused because the compiler failed inside. Otherwise code of another width is used.
static bool isFatal(const auto &made) {
  return made.failed_inside && internalErrorsAreFatal();
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

} // namespace lanecl::vectorizer

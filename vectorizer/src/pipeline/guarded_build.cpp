// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the passes and the code generator once, under the crash guard.

#include "pipeline/lane_count.h"
#include "pipeline/pass_gate.h"
#include "pipeline/vectorizer_impl.h"
#include "vectorizer/check.h"
#include "vectorizer/internal_errors.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>

using namespace llvm;

namespace lanecl::vectorizer {

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

void countInternalError() {
  ++internal_errors;
}

bool internalErrorsAreFatal() {
  return internal_errors_are_fatal.load();
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
  countInternalError();
  const std::string failure =
      fmt::format("internal compiler error: {}, in {} of kernel '{}'", reason, step, request.source.kernel);
  output.remarks.clear();
  // The second attempt runs different passes, so it rarely fails in the same place.
  Request other = request;
  other.source.optimize = !request.source.optimize;
  if (!internalErrorsAreFatal() && attempt(other) && success) {
    output.warning = fmt::format("{}; it is compiled with{} optimization. Please report this with the kernel's source",
                                 failure, other.source.optimize ? "" : "out");
    return Built::Yes;
  }
  output.error = "error: " + failure + "; please report it with the kernel's source";
  return Built::FailedInside;
}

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a Vectorizer keeps and does. vectorizer.cpp has its entry points and the cache, guarded_build.cpp one run of the
// compiler, and candidates.cpp the choice between several numbers of lanes.
#pragma once

#include "codegen/cached_object.h"
#include "codegen/function_objects.h"
#include "codegen/jit.h"
#include "codegen/loop_times.h"
#include "codegen/target_machine.h"
#include "kernel/import/builtin_library.h"
#include "pipeline/compile_threads.h"
#include "pipeline/pipeline.h"
#include "vectorizer/crash_guard.h"
#include "vectorizer/vectorizer.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace lanecl::vectorizer {

// Whether an internal error of the compiler is an error for the program; see makeInternalErrorsFatal().
bool internalErrorsAreFatal();
// Counts an internal error; see internalErrors().
void countInternalError();

struct Vectorizer::Impl {
  explicit Impl(Settings given)
      : config(std::move(given)), processor(chooseProcessor(config.target)), threads(std::max(1u, config.threads)) {}

  const Settings config;
  const TargetProcessor processor;
  CompileThreads threads;
  FunctionObjects functions{64 << 20}; // bytes of the objects that it remembers

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
  std::string environmentWith(llvm::StringRef builtins_hash) const;
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
  using Use = llvm::function_ref<void(llvm::Module &, llvm::TargetMachine &, KernelFacts &)>;
  enum class Built { Yes, No, FailedInside };
  Built build(const Request &request, CompileOutput &output, Use use);
  bool buildUnguarded(const Request &request, CompileOutput &output, std::string &step, Use use);
  Made make(const Request &request); // compiles for exactly this width
  // Generates the code of a kernel, and of its large functions unless it is known.
  void emitInto(Made &made, const Request &request, llvm::Module &module, llvm::TargetMachine &target);
  // Compiles for this width or one of the wider ones, which come widest first.
  Made makeWide(const Request &request, llvm::ArrayRef<LaunchClass> wider);
  // Compiles for `wide`, if the kernel has no more than most_instructions.
  Made makeOfUpTo(const Request &request, const LaunchClass &wide, uint64_t most_instructions);
  // The result of makeNarrow(): narrower code, and wide code if that was compiled at the same time.
  struct Narrow {
    Made made;
    std::optional<Made> wide;
  };
  // Compiles for all widths but the widest. If `may_want_wide` and a thread is free, the widest is compiled meanwhile.
  Narrow makeNarrow(const Request &request, llvm::ArrayRef<LaunchClass> wider, bool may_want_wide);
  // Whether wide code may spill more than usual, because the narrow code mostly waits for results.
  bool isWorthSpilling(const Made &narrow) const;
  Made makeAnyWidth(const Request &request); // for this width, or for another one if no work-item can tell
  struct Checked;
  Checked check(std::string_view bitcode, const KernelCheck &kernel, const ReportLong &report_long);
};

} // namespace lanecl::vectorizer

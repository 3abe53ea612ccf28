// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles a scalar kernel in bitcode to a work-group function over sub-groups of W lanes. No LLVM in this header.
#pragma once

#include "vectorizer/contract/abi.h"
#include "vectorizer/contract/image.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::vectorizer {

enum class Isa { Host, Avx512, Avx2, Sse42 }; // Host: the best the processor has
const char *isaName(Isa isa);                 // "AVX-512", "AVX2", "SSE4.2"

// The processor that code is wanted for.
struct CodeTarget {
  Isa isa = Isa::Host;  // limits the processor to this instruction set
  std::string cpu = ""; // one of knownProcessors(); empty: this machine's
};
std::vector<std::string> knownProcessors(); // as LLVM names them: x86-64-v3, icelake-client, …

// The processor that code for a target is made for.
struct TargetDescription {
  std::string cpu;                  // as LLVM names it
  Isa isa = Isa::Sse42;             // never Host
  unsigned vector_bits = 128;       // of its registers: 512, 256 or 128
  std::vector<std::string> missing; // instructions that its code may use and this machine lacks; empty: it runs here
};
TargetDescription describe(const CodeTarget &target);

// Stores finished object code between runs. Both functions may be called from several threads. Entries of another build
// of LaneCL or of another LLVM must not be found: the keys do not contain these.
struct ObjectCache {
  virtual ~ObjectCache() = default;
  virtual std::optional<std::string> load(const std::string &key) = 0; // nothing: no entry, or a damaged one
  virtual void store(const std::string &key, std::string_view object) = 0;
};

// Who is told of code that is loaded, which keeps its lines then.
enum class Profiler {
  None,
  Perf, // by a file in JITDUMPDIR or ~/.debug/jit
  VTune // through a library that VTune names to programs which it starts
};

struct Config {
  CodeTarget target;
  std::string builtins_path;    // the built-in library, LLVM bitcode
  std::string builtins_hash;    // of its contents, when that is known: then it is read only when something is compiled
  ObjectCache *cache = nullptr; // not owned, may be null
  std::string dump_directory;   // when not empty, IR after every pass goes there, numbered; the cache is not read then
  bool time_passes = false;
  bool keep_functions = false; // for tests: what can stay a function is never inlined, however small
  Profiler profiler = Profiler::None;
  std::string vtune_collector;                // that library's path
  unsigned threads = 1;                       // at most so many compile at the same time what is wanted together
  std::chrono::milliseconds long_after{3000}; // a compilation that takes longer is reported while it runs
};

// An image argument whose format is known.
struct KnownImage {
  unsigned argument = 0; // its number among the kernel's arguments
  abi::ImageFormat format{};
  bool operator==(const KnownImage &) const = default;
};

// For keys.
std::string bytesOf(const std::vector<KnownImage> &images);

// What the compiled code may assume.
struct LaunchClass {
  // Lanes of a sub-group: 8, 16 or 32. Inside any power of two from 4 to 64, or 1 for work-items one after the other.
  unsigned width = 16;
  // A zero is known only at the call. {0, 1, 1} is a row of any length along x, {0, 0, 0} any size. Where a launch has
  // several rows, their length is a multiple of kRowUnit.
  std::array<uint32_t, 3> local_size{0, 0, 0};
  bool ids_fit_int = true; // global offset + global size < 2^31 in every dimension: ids neither wrap nor need 64 bits
  // The kernel cannot tell how many lanes run together: its code may have twice as many, or one.
  bool free_width = false;
  // Of a row: bit d says that the code may choose a row along dimension d, see CompiledKernel::row_axis.
  unsigned row_axes = 0;
  bool no_offset = false;                  // the global offset is 0 in every dimension
  std::vector<KnownImage> images{};        // in the order of the arguments; any number of them
  static constexpr unsigned kRowUnit = 32; // the most lanes of a sub-group
  bool isOneItem() const { return local_size == std::array<uint32_t, 3>{1, 1, 1}; }
  bool isOneLane() const { return width == 1 || isOneItem(); }
  static std::array<uint32_t, 3> rowAlong(unsigned axis) {
    return {axis == 0 ? 0u : 1u, axis == 1 ? 0u : 1u, axis == 2 ? 0u : 1u};
  }
  std::optional<unsigned> rowAxis() const { // nothing: not a row of any length
    for (unsigned axis = 0; axis < 3; ++axis)
      if (local_size == rowAlong(axis))
        return axis;
    return std::nullopt;
  }
  bool isRow() const { return rowAxis().has_value(); }
  bool operator==(const LaunchClass &) const = default;
};

struct KernelSource {
  std::string_view bitcode; // a linked program, triple spir64-unknown-unknown
  std::string kernel;
  bool debug = false;     // -g: registered with gdb's JIT interface
  bool optimize = true;   // false: -cl-opt-disable
  bool unchecked = false; // not instrumented, although kernels are: see check.h
};

// A kernel, and the sub-group size that it is probably launched with.
struct KernelCheck {
  std::string kernel;
  unsigned width = 16;
};

// What a check finds about a kernel besides errors.
struct KernelOutlook {
  bool waits = false;   // in loops for other work-items: it may rely on which of them are in the same sub-group
  bool is_long = false; // compiling it takes many seconds, each time
  bool operator==(const KernelOutlook &) const = default;
};

// One line of `lanecl compile --report`.
struct Remark {
  enum class Kind { Loop, Spill, Barrier, DivergentBranch, Gather, Scatter, LaneLoop, SubGroupOperation, Call } kind;
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
  double cost = 0; // of a loop: the cycles of all its turns in a call of the function that has it, estimated
};

// Finished code. Lives as long as the last shared_ptr; releasing it unloads the code.
struct CompiledKernel {
  virtual ~CompiledKernel() = default;
  abi::WorkGroupFunction entry = nullptr;
  unsigned width = 0;                 // lanes that run together; those of the class unless its width is free
  unsigned row_axis = 0;              // of a row: the dimension along which work-groups have to lie
  bool updates_atomically = false;    // memory that other work-groups update, too
  bool yields = false;                // its work-groups may be suspended, see abi::Suspension
  uint64_t local_bytes = 0;           // __local variables of the kernel; local arguments are placed behind them
  uint64_t scratch_bytes = 0;         // WorkerMemory::scratch needed for one work-group of the class's local size,
  uint64_t scratch_per_sub_group = 0; // or, when that is unknown, for each sub-group
  uint64_t spill_bytes = 0;           // stack bytes spilled by generated code, per sub-group
  uint64_t stack_bytes = 0;           // of its thread's stack: the most that a call of `entry` needs
};

struct CompileOutput {
  std::shared_ptr<const CompiledKernel> kernel; // null on failure
  std::string error;                            // why, in Clang's style (file:line:column: error: …)
  std::string warning;                          // of a success: the compiler failed, and what was done instead
  std::vector<Remark> remarks;                  // filled when asked for
};

// A compilation that is still running after Config::long_after.
struct LongCompilation {
  std::string kernel;
  uint64_t instructions = 0; // when its calls are inlined; 0: they are not inlined yet
};
// Is called at most once by compile(), and once a kernel by check(). The calling thread waits for the compilation and
// holds no lock. It may be one of the vectorizer's own.
using ReportLong = std::function<void(const LongCompilation &)>;

// Thread-safe: several kernels may be compiled at once.
class Vectorizer {
public:
  explicit Vectorizer(Config config);
  ~Vectorizer();

  CompileOutput compile(const KernelSource &source, const LaunchClass &launch, bool want_remarks = false,
                        const ReportLong &report_long = {});
  // The errors that compile() would report for these kernels of a linked program, without making code. Empty: none. The
  // cache keeps that there are none. `outlooks`, if not null, gets what is found of each kernel. Kernels are checked on
  // several threads; the errors are in the order of the kernels.
  std::string check(std::string_view bitcode, const std::vector<KernelCheck> &kernels,
                    std::vector<KernelOutlook> *outlooks = nullptr, const ReportLong &report_long = {});
  // As compile(), but returns text: the optimized IR or the assembly of the work-group function.
  enum class Text { Ir, Assembly };
  std::string print(const KernelSource &source, const LaunchClass &launch, Text what, std::string &error);

  // Calls work(0), work(1) … work(count - 1), which compile: on this thread, and on others as long as fewer than
  // Config::threads compile. Returns when all calls have. May be called within `work`.
  void forEach(size_t count, const std::function<void(size_t)> &work);

  TargetDescription target() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::vectorizer

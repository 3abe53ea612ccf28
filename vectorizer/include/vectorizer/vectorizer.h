// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The entry point of the vectorizer: compiles a scalar kernel in bitcode to a work-group function whose sub-groups have
// W lanes. This header includes no LLVM.
#pragma once

#include "vectorizer/contract/abi.h"
#include "vectorizer/contract/image.h"
#include "vectorizer/left_out_passes.h"

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

enum class Isa { Host, Avx512, Avx2, Sse42 }; // Host: the best that the processor has
const char *isaName(Isa isa);                 // "AVX-512", "AVX2" or "SSE4.2"; never called with Host

// A request for code: the processor that it should run on.
struct CodeTarget {
  Isa isa = Isa::Host;  // the most that the code may use, even if the processor has more
  std::string cpu = ""; // one of knownProcessors(); empty: the processor of this machine
};
std::vector<std::string> knownProcessors(); // LLVM's names: x86-64-v3, icelake-client, …

// The answer to a CodeTarget: the processor that the code is really made for.
struct TargetDescription {
  std::string cpu;            // LLVM's name
  Isa isa = Isa::Sse42;       // never Host
  unsigned vector_bits = 128; // the width of its widest vector registers: 512, 256 or 128
  // The instructions that its code may use and this machine lacks. If there are none, the code can run here.
  std::vector<std::string> missing;
};
TargetDescription describe(const CodeTarget &target);

// Stores finished object code between runs. Both functions may be called from several threads at once. The keys do not
// contain the build of LaneCL and of LLVM, so the cache itself must not return entries that another build has stored.
struct ObjectCache {
  virtual ~ObjectCache() = default;
  // Returns the object; nothing if there is no entry or a damaged one.
  virtual std::optional<std::string> load(const std::string &key) = 0;
  // Failures are not reported: the code is compiled again next time.
  virtual void store(const std::string &key, std::string_view object) = 0;
};

// The profiler that is told of loaded code. With one, the code keeps its source lines.
enum class Profiler {
  None,
  Perf, // told by a file in JITDUMPDIR or ~/.debug/jit
  VTune // told through a library, whose name VTune gives to programs that it starts
};

// The settings of a Vectorizer.
struct Settings {
  CodeTarget target;
  std::string builtins_path; // the path of the built-in library, LLVM bitcode
  // The hash of the library's contents, or empty. If it is given, the library is read only when something is compiled.
  std::string builtins_hash;
  ObjectCache *cache = nullptr; // not owned, may be null
  // A folder that gets the IR after every pass, in numbered files; the cache is not read then. Empty: no dumps.
  std::string dump_directory;
  bool time_passes = false;    // prints the times of all passes to the standard error stream
  bool keep_functions = false; // for tests: a function that can be kept is never inlined, however small it is
  LeftOutPasses left_out;
  Profiler profiler = Profiler::None;
  std::string vtune_collector;                // the path of VTune's library
  unsigned threads = 1;                       // the most kernels that are compiled at the same time
  std::chrono::milliseconds long_after{3000}; // a compilation that takes longer is reported while it runs
};

// An image argument whose format is known when the kernel is compiled.
struct KnownImage {
  unsigned argument = 0; // the argument's index in the kernel
  abi::ImageFormat format{};
  bool operator==(const KnownImage &) const = default;
};

// Returns the images' contents as bytes, for the keys of caches.
std::string bytesOf(const std::vector<KnownImage> &images);

// The properties of a launch that the compiled code may rely on. Launches of one class share their code.
struct LaunchClass {
  // The number of lanes of a sub-group. Callers ask for 8, 16 or 32. Inside the vectorizer it is any power of two from
  // 4 to 64, or 1 for work-items that run one after the other.
  unsigned width = 16;
  // The size of a work-group in work-items. A zero is a size that is known only at the call: {0, 1, 1} is a row of any
  // length along x, {0, 0, 0} any size. If a launch has several rows of unknown length, the length is a multiple of
  // kRowUnit.
  std::array<uint32_t, 3> local_size{0, 0, 0};
  bool ids_fit_int = true; // global offset + global size < 2^31 in each dimension, so ids neither wrap nor need 64 bits
  // The kernel cannot observe how many lanes run together, so the code may have another width than `width`.
  bool free_width = false;
  // For a row: bit d is set if the code may choose a row along dimension d. CompiledKernel::row_axis returns the
  // choice.
  unsigned row_axes = 0;
  bool no_offset = false;                  // the global offset is 0 in every dimension
  std::vector<KnownImage> images{};        // the images whose formats are known, in the order of the arguments
  static constexpr unsigned kRowUnit = 32; // the most lanes that a sub-group has
  bool isOneItem() const { return local_size == std::array<uint32_t, 3>{1, 1, 1}; }
  // Whether the code runs one work-item at a time.
  bool isOneLane() const { return width == 1 || isOneItem(); }
  // Returns the local size that stands for a row of any length along this dimension.
  static std::array<uint32_t, 3> rowAlong(unsigned axis) {
    return {axis == 0 ? 0u : 1u, axis == 1 ? 0u : 1u, axis == 2 ? 0u : 1u};
  }
  // Returns the dimension of the row; nothing if the local size is not a row of any length.
  std::optional<unsigned> rowAxis() const {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (local_size == rowAlong(axis))
        return axis;
    return std::nullopt;
  }
  bool isRow() const { return rowAxis().has_value(); }
  bool operator==(const LaunchClass &) const = default;
};

// The kernel to compile, and how.
struct KernelSource {
  std::string_view bitcode; // a linked program, whose triple is spir64-unknown-unknown
  std::string kernel;
  bool debug = false;     // -g: the code is registered with gdb's JIT interface
  bool optimize = true;   // false: -cl-opt-disable
  bool unchecked = false; // the kernel is not instrumented, even if instrument() was called: see check.h
};

// A kernel to check, and the sub-group size that it will probably be launched with.
struct KernelCheck {
  std::string kernel;
  unsigned width = 16;
};

// The properties of a kernel that a check finds out, besides errors.
struct KernelTraits {
  bool waits = false;   // it waits in loops for other work-items, so it may rely on which of them share a sub-group
  bool is_long = false; // compiling it takes many seconds for each launch class
  bool operator==(const KernelTraits &) const = default;
};

// One line of `lanecl compile --report`.
struct Remark {
  enum class Kind { Loop, Spill, Barrier, DivergentBranch, Gather, Scatter, LaneLoop, SubGroupOperation, Call } kind;
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
  // For a loop, the estimated cycles of all its iterations in one call of the function that contains it
  double cost = 0;
};

// Loaded code. The code is unloaded when the last shared_ptr to this object goes.
struct CompiledKernel {
  virtual ~CompiledKernel() = default;
  abi::WorkGroupFunction entry = nullptr;
  unsigned width = 0;              // lanes that run together; differs from LaunchClass::width only if that is free
  unsigned row_axis = 0;           // for a row: the dimension along which the work-groups have to lie
  bool updates_atomically = false; // it updates memory atomically that other work-groups may update, too
  bool yields = false;             // its work-groups may be suspended: see abi::Suspension
  uint64_t local_bytes = 0;        // the size of the kernel's __local variables; local arguments come after them
  // WorkerMemory::scratch for one work-group, in bytes, if the class knows the local size; otherwise
  // scratch_per_sub_group holds the bytes for each sub-group.
  uint64_t scratch_bytes = 0;
  uint64_t scratch_per_sub_group = 0;
  uint64_t spill_bytes = 0; // the stack memory that generated code spills to, per sub-group
  uint64_t stack_bytes = 0; // the most stack memory that a call of `entry` needs from its thread
};

// The result of Vectorizer::compile().
struct CompileOutput {
  std::shared_ptr<const CompiledKernel> kernel; // null on failure
  std::string error;                            // why it failed, in Clang's style (file:line:column: error: …)
  std::string warning;         // after a success: the compiler failed inside, and what was done instead
  std::vector<Remark> remarks; // the lines of the report, if they were asked for
};

// A compilation that still runs after Settings::long_after.
struct LongCompilation {
  std::string kernel;
  uint64_t instructions = 0; // instructions after inlining; 0: inlining is not done yet
};
// A callback for long compilations. compile() calls it at most once, and check() at most once for each kernel. It runs
// on the thread that waits for the compilation, which may be one of the vectorizer's own, and no lock is held.
using ReportLong = std::function<void(const LongCompilation &)>;

// Compiles kernels. All functions are thread-safe, and several kernels may be compiled at once.
class Vectorizer {
public:
  explicit Vectorizer(Settings config);
  ~Vectorizer();

  // Compiles a kernel for a launch class and loads the code, or loads it from the cache. CompileOutput has the errors.
  CompileOutput compile(const KernelSource &source, const LaunchClass &launch, bool want_remarks = false,
                        const ReportLong &report_long = {});
  // Returns the errors that compile() would report for these kernels of a linked program, in the order of the kernels,
  // without making code; empty if there are none. The kernels are checked on several threads. The cache remembers
  // kernels without errors. If `outlooks` is not null, it gets one entry for each kernel.
  std::string check(std::string_view bitcode, const std::vector<KernelCheck> &kernels,
                    std::vector<KernelTraits> *outlooks = nullptr, const ReportLong &report_long = {});
  // Compiles like compile(), without the cache, and returns text: the optimized IR or the assembly of the work-group
  // function. On failure it returns an empty text and sets `error`.
  enum class Text { Ir, Assembly };
  std::string print(const KernelSource &source, const LaunchClass &launch, Text what, std::string &error);

  // Calls work(0), work(1) … work(count - 1), which may compile, and returns when all calls have returned. The calls
  // run on this thread, and on others while fewer than Settings::threads threads compile. `work` may call it, too.
  void forEach(size_t count, const std::function<void(size_t)> &work);

  // Returns the processor that code is made for.
  TargetDescription target() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::vectorizer

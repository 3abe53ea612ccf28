// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A built program: its kernels, and the code made for them so far, for one device or several. Shared by the program,
// its kernels and the launches in flight, so that it lives as long as any of them.
#pragma once

#include "device/device.h"
#include "faults/program_text.h"
#include "program/program_end.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace lanecl::icd {

// What is known of the global ids of a launch.
struct GlobalIds {
  bool fit_int = true;   // see LaunchClass::ids_fit_int
  bool from_zero = true; // there is no global offset
  bool operator==(const GlobalIds &) const = default;
};

class Executable {
public:
  using LocalSize = std::array<uint64_t, 3>;
  using Code = std::shared_ptr<const vectorizer::CompiledKernel>;

  // Null with the reason in `error` when the module is broken. `texts`: what it was compiled from, in check mode.
  static std::shared_ptr<Executable> create(const frontend::Module &module, const ProgramTexts &texts,
                                            std::span<Device *const> devices, std::string &error);

  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;
  // Begins the destructors of the variables. They run on the devices, and hold what they need.
  ~Executable();

  const std::vector<frontend::KernelInfo> &kernels() const { return info_->kernels; }
  bool hasConstructor() const { return info_->has_constructor; }
  bool hasDestructor() const { return info_->has_destructor; }
  // Of the program, to be called when the destructors have run.
  void endBefore(std::shared_ptr<ReleaseCallbacks> callbacks);
  int find(std::string_view name) const; // -1: no such kernel

  // Whether the global size need not be a multiple of the local size.
  bool allowsNonUniform() const { return module_.non_uniform_work_groups; }

  bool hasDebugInfo() const { return module_.debug; } // built with -g
  const ProgramTexts &texts() const { return texts_; }

  // Lanes of a sub-group when this kernel runs with that local size.
  unsigned width(size_t kernel, const LocalSize &local_size) const;

  // The class in which a launch runs: the exact local size for the first few sizes and those given to specialize(),
  // else any size.
  vectorizer::LaunchClass classFor(size_t kernel, const LocalSize &local_size, const GlobalIds &ids);
  // See launch_class.h.
  bool hasFreeWorkGroups(size_t kernel) const;
  bool hasFreeWidth(size_t kernel) const;
  bool runsAlone(size_t kernel, const LocalSize &local_size) const;
  // Compiling it for one more class of launches takes many seconds.
  bool isLong(size_t kernel) const { return outlooks_[kernel].is_long; }
  // The class for a local size that freeLocalSize() chose, and the rows that may be chosen instead (LaunchShape). Where
  // it is no row: exact for the first sizes and those given to specialize().
  vectorizer::LaunchClass freeClassFor(size_t kernel, const LocalSize &local_size, const LocalSize &other_rows,
                                       const GlobalIds &ids);
  // The images of a launch whose formats its code shall know: all of them, or none when the kernel's launches have had
  // too many formats already, or somebody looks into it.
  std::vector<vectorizer::KnownImage> knownFormats(size_t kernel, const std::vector<vectorizer::KnownImage> &images);
  // From now on the launches of this size have code of their own. False when there is too much of it already.
  bool specialize(size_t kernel, const LocalSize &local_size);
  // How long the last compilation of the kernel took; 0: it was not compiled yet.
  uint64_t compileNanoseconds(size_t kernel) const { return compile_nanoseconds_[kernel].load(); }
  // Gets a message for the program, about a kernel that takes long to compile: one for each kernel. May be empty.
  using Reporter = std::function<void(const std::string &)>;
  // The errors in the kernels, for the build's log; empty: none. Before the first launch.
  std::string check(const Reporter &reporter);
  // The class that the kernel's first launch probably has.
  vectorizer::LaunchClass likelyClass(size_t kernel);

  // The program scope variables on a device, the same for all kernels and launches there: devices do not share them.
  // Null when there are none. A sub-device that uses its parent's build gets its own at the first request, which runs
  // the constructors. False with the reason when there is no memory for them, or the constructors fail.
  bool variables(Device &device, std::byte *&block, std::string &error);
  size_t variableBytes() const { return info_->variables.bytes; }

  // The code, compiled at the first request; other threads that want the same wait for it. Null with the reason.
  Code compile(size_t kernel, const vectorizer::LaunchClass &launch, std::string &error, const Reporter &reporter);
  // Whether compile() returns at once.
  bool isCompiled(size_t kernel, const vectorizer::LaunchClass &launch);

  // One for all kernel objects: programs make a new one for each launch, too.
  std::shared_ptr<scheduler::LaunchHistory> history(size_t kernel, const LocalSize &local_size);

private:
  // A kernel and the launch class that its code is made for.
  using Key = std::tuple<size_t, unsigned, std::array<uint32_t, 3>, bool, bool, bool, unsigned, std::string>;

  struct Variables {
    std::shared_ptr<std::byte> block;        // null: there are none
    std::string error;                       // why there is no block although there should be one
    Code destructor;                         // null: nothing is to be destroyed
    std::shared_ptr<scheduler::Queue> queue; // for it
  };

  Executable(frontend::Module module, ProgramTexts texts, std::shared_ptr<const frontend::ProgramInfo> info);
  static Key keyOf(size_t kernel, const vectorizer::LaunchClass &launch);
  // Whether this size is, or becomes, one of those with code of their own, of which the kernel may have so many.
  bool hasExactCode(size_t kernel, const LocalSize &local_size, size_t most);
  Variables makeVariables(Device &device);
  bool construct(Device &device, Variables &made);
  // What constructs and destroys the variables; null where there is nothing to do.
  bool compileEnds(Code &constructor, Code &destructor, std::string &error);
  Code compileAlone(const char *kernel, std::string &error);
  scheduler::Launch launchAlone(const char *name, const Code &code, const std::shared_ptr<std::byte> &block);
  void destroy(const Variables &variables);
  vectorizer::CompileOutput compileNow(const std::string &kernel, const vectorizer::LaunchClass &launch,
                                       const Reporter &reporter, bool unchecked = false);
  vectorizer::ReportLong reportOnce(const Reporter &reporter);
  // How many lanes run together when the kernel is not checked; `launch` has no free width.
  unsigned uncheckedWidth(size_t kernel, vectorizer::LaunchClass launch);

  frontend::Module module_;
  const ProgramTexts texts_;
  const std::shared_ptr<const frontend::ProgramInfo> info_;
  std::mutex mutex_;
  std::map<const Device *, std::shared_future<Variables>> variables_;
  std::shared_ptr<ReleaseCallbacks> callbacks_;
  std::map<Key, std::shared_future<vectorizer::CompileOutput>> code_;
  std::map<Key, std::shared_future<unsigned>> unchecked_widths_; // by what would be compiled
  std::vector<std::set<LocalSize>> exact_sizes_;                 // by kernel
  std::vector<std::set<std::string>> formats_;                   // of images, by kernel
  std::vector<std::atomic<uint64_t>> compile_nanoseconds_;
  std::vector<std::atomic<bool>> reported_long_;    // by kernel
  std::vector<vectorizer::KernelOutlook> outlooks_; // by kernel
  std::map<std::pair<size_t, LocalSize>, std::shared_ptr<scheduler::LaunchHistory>> histories_;
};

} // namespace lanecl::icd

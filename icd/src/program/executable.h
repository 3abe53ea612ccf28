// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A built program: its kernels, and the machine code that was compiled for them so far.
//
// One executable may serve several devices, because the compiler treats all devices alike. The program, its kernel
// objects and the launches in flight share it, so that it lives as long as any of them.
#pragma once

#include "device/device.h"
#include "faults/program_text.h"
#include "program/program_end.h"

#include <array>
#include <atomic>
#include <cassert>
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

// The facts about the global ids of a launch that its code may rely on.
struct GlobalIds {
  bool fit_int = true;   // see vectorizer::LaunchClass::ids_fit_int
  bool from_zero = true; // there is no global offset
  bool operator==(const GlobalIds &) const = default;
};

// The code of a kernel is compiled for a launch class (vectorizer::LaunchClass): a sub-group width, a local size that
// is either exact or open, and what is known of the global ids. Classes are compiled at their first request and kept,
// so this class decides how many of them a kernel may have. After the build, all members may be called from several
// threads.
class Executable {
public:
  using LocalSize = std::array<uint64_t, 3>;
  using Code = std::shared_ptr<const vectorizer::CompiledKernel>;

  // Describes the kernels of `module` and creates its program scope variables on `devices`, which runs their
  // constructors. Returns null, with the reason in `error`, when the module is broken, when there is no memory for the
  // variables or when a constructor fails. `texts` are the source texts that the module was compiled from; they are
  // empty outside check mode.
  static std::shared_ptr<Executable> create(const frontend::Module &module, const ProgramTexts &texts,
                                            std::span<Device *const> devices, std::string &error);

  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;
  // Enqueues the destructors of the program scope variables on each device. It does not wait for them: their launch
  // keeps alive what it needs.
  ~Executable();

  const std::vector<frontend::KernelInfo> &kernels() const { return info_->kernels; }
  bool hasConstructor() const { return info_->has_constructor; }
  bool hasDestructor() const { return info_->has_destructor; }
  // Sets the release callbacks of the program. They are called after the destructors have run.
  void endBefore(std::shared_ptr<ReleaseCallbacks> callbacks);
  // Returns the kernel's index in kernels(), or -1 when there is none of that name.
  int find(std::string_view name) const;

  // Returns true if the global size need not be a multiple of the local size.
  bool allowsNonUniform() const { return module_.non_uniform_work_groups; }

  bool hasDebugInfo() const { return module_.debug; } // built with -g
  const ProgramTexts &texts() const { return texts_; }

  // Returns the sub-group size that the kernel has when it runs with this local size.
  unsigned width(size_t kernel, const LocalSize &local_size) const;

  // Returns the class in which a launch runs. The class has the exact local size for the first few sizes of the kernel
  // and for those given to specialize(); any other size gets the class whose code works for all sizes.
  vectorizer::LaunchClass classFor(size_t kernel, const LocalSize &local_size, const GlobalIds &ids);
  // The next three functions apply those of launch_class.h to a kernel of this executable.
  bool hasFreeWorkGroups(size_t kernel) const;
  bool hasFreeWidth(size_t kernel) const;
  bool runsAlone(size_t kernel, const LocalSize &local_size) const;
  // Returns true if compiling the kernel for one more launch class takes many seconds.
  bool isLong(size_t kernel) const {
    assert(kernel < outlooks_.size() && outlooks_.size() == kernels().size() && "each kernel has an traits");
    return outlooks_[kernel].is_long;
  }
  // Returns the class for `local_size`, which freeLocalSize() chose and the kernel cannot see. `other_rows` are the
  // rows along y and z that the code may choose instead, see LaunchShape. A row has one class for all its lengths;
  // other sizes have exact classes as in classFor().
  vectorizer::LaunchClass freeClassFor(size_t kernel, const LocalSize &local_size, const LocalSize &other_rows,
                                       const GlobalIds &ids);
  // Returns the images whose formats the code of a launch may be specialized for. That is either all of `images` or
  // none: none when the kernel was launched with too many combinations of formats, or when it is debugged or checked.
  std::vector<vectorizer::KnownImage> knownFormats(size_t kernel, const std::vector<vectorizer::KnownImage> &images);
  // Gives the launches with this local size code of their own from now on. Returns false when the kernel has too many
  // exact sizes already.
  bool specialize(size_t kernel, const LocalSize &local_size);
  // Returns how long the kernel's last compilation took, or 0 when it was not compiled yet.
  uint64_t compileNanoseconds(size_t kernel) const { return compile_nanoseconds_[kernel].load(); }
  // Reveals the application that a kernel takes long to compile; called at most once for each kernel. It may be empty.
  using Reporter = std::function<void(const std::string &)>;
  // Checks all kernels before their first launch. Returns their errors for the build log, or an empty string.
  std::string check(const Reporter &reporter);
  // Returns the class that the kernel's first launch probably has.
  vectorizer::LaunchClass likelyClass(size_t kernel);

  // Sets `block` to the program scope variables on this device, or to null when the program has none. All kernels and
  // launches on a device share one block; devices do not share theirs.
  //
  // A sub-device that uses its parent's build gets a block of its own at the first request, which runs the
  // constructors. Returns false, with the reason in `error`, when there is no memory for the variables or a constructor
  // fails.
  bool variables(Device &device, std::byte *&block, std::string &error);
  size_t variableBytes() const { return info_->variables.bytes; }

  // Returns the code for this class, compiling it at the first request. Other threads that want the same code wait for
  // it. Returns null, with the reason in `error`, when compiling fails.
  Code compile(size_t kernel, const vectorizer::LaunchClass &launch, std::string &error, const Reporter &reporter);
  // Returns true if compile() for this class would return at once.
  bool isCompiled(size_t kernel, const vectorizer::LaunchClass &launch);

  // Returns the run times of earlier launches with this kernel and local size. All kernel objects share it, because
  // some programs create a new kernel object for each launch.
  std::shared_ptr<scheduler::LaunchHistory> history(size_t kernel, const LocalSize &local_size);

private:
  // Identifies compiled code: a kernel, and the launch class that its code is made for.
  using Key = std::tuple<size_t, unsigned, std::array<uint32_t, 3>, bool, bool, bool, unsigned, std::string>;

  // The program scope variables on one device.
  struct Variables {
    std::shared_ptr<std::byte> block;        // null: the program has none, or creating them failed
    std::string error;                       // why there is no block although there should be one
    Code destructor;                         // null: nothing is to be destroyed
    std::shared_ptr<scheduler::Queue> queue; // runs the constructor and the destructor; null: there are none
  };

  Executable(frontend::Module module, ProgramTexts texts, std::shared_ptr<const frontend::ProgramInfo> info);
  static Key keyOf(size_t kernel, const vectorizer::LaunchClass &launch);
  // Returns true if launches with this local size have code of their own. A size that is new becomes one of the
  // kernel's exact sizes as long as there are fewer than `most` of them.
  bool hasExactCode(size_t kernel, const LocalSize &local_size, size_t most);
  // Allocates the variables, writes their initial values and addresses, and runs their constructors.
  Variables makeVariables(Device &device);
  bool construct(Device &device, Variables &made);
  // Compiles the program's constructor and its destructor. Each is null when the program has none.
  bool compileEnds(Code &constructor, Code &destructor, std::string &error);
  // Compiles a kernel that is launched as a single work-item, as constructors and destructors are.
  Code compileAlone(const char *kernel, std::string &error);
  scheduler::Launch launchAlone(const char *name, const Code &code, const std::shared_ptr<std::byte> &block);
  void destroy(const Variables &variables);
  // Compiles without looking into `code_`. `unchecked` leaves out the instrumentation of check mode.
  vectorizer::CompileOutput compileNow(const std::string &kernel, const vectorizer::LaunchClass &launch,
                                       const Reporter &reporter, bool unchecked = false);
  vectorizer::ReportLong reportOnce(const Reporter &reporter);
  // Returns the sub-group width that the kernel would have if it were not checked. `launch.free_width` must be false.
  unsigned uncheckedWidth(size_t kernel, vectorizer::LaunchClass launch);

  frontend::Module module_;
  const ProgramTexts texts_;
  const std::shared_ptr<const frontend::ProgramInfo> info_;
  // Guards the maps and sets below. It is not held while code is compiled, see onlyOnce().
  std::mutex mutex_;
  std::map<const Device *, std::shared_future<Variables>> variables_; // made at a device's first request
  std::shared_ptr<ReleaseCallbacks> callbacks_;
  std::map<Key, std::shared_future<vectorizer::CompileOutput>> code_;
  std::map<Key, std::shared_future<unsigned>> unchecked_widths_; // keyed by the class of the unchecked code
  std::vector<std::set<LocalSize>> exact_sizes_; // by kernel: the local sizes that have code of their own
  // By kernel: the combinations of image formats that have code of their own.
  std::vector<std::set<std::string>> formats_;
  std::vector<std::atomic<uint64_t>> compile_nanoseconds_;
  std::vector<std::atomic<bool>> reported_long_;   // by kernel: its long compilation was reported
  std::vector<vectorizer::KernelTraits> outlooks_; // by kernel
  std::map<std::pair<size_t, LocalSize>, std::shared_ptr<scheduler::LaunchHistory>> histories_;
};

} // namespace lanecl::icd

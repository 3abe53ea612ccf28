// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_program: its source, SPIR-V or binaries, and its build for each device.
#pragma once

#include "api/result.h"
#include "context/context.h"
#include "program/executable.h"

#include <array>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace lanecl::icd {

// The result of a build, compile or link for one device. It is a value that is replaced as a whole.
struct BuildState {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;
  std::string log;
  frontend::Module module;                // empty when there is none
  ProgramTexts texts;                     // the texts that the module was compiled from; empty outside check mode
  std::shared_ptr<Executable> executable; // null unless the module is an executable

  cl_program_binary_type binaryType() const;
};

// The states of the devices are guarded by a mutex, because a build with a callback runs on another thread.
class Program final : public Object<Program, cl_program, Tag::Program> {
public:
  enum class Origin { Source, Il, Binary, Link };

  Program(Context &context, Origin origin, std::string input = {})
      : Program(context, origin, context.devices(), std::move(input)) {}
  Program(Context &context, Origin origin, DeviceList devices, std::string input = {})
      : context_(context), origin_(origin), devices_(std::move(devices)), input_(std::move(input)) {}

  Context &context() const { return *context_; }
  ReleaseCallbacks &releaseCallbacks() { return *callbacks_; }
  const DeviceList &devices() const { return devices_; }
  Origin origin() const { return origin_; }
  // source() is the text of a program with Origin::Source, and il() the module of one with Origin::Il. Otherwise they
  // are empty.
  const std::string &source() const { return origin_ == Origin::Source ? input_ : kNone; }
  const std::string &il() const { return origin_ == Origin::Il ? input_ : kNone; }
  // Returns the build that a device runs: its own, or its parent's when the program was not built for the sub-device.
  BuildState state(const Device &device) const;
  // Returns the executables of all devices of the context that have one.
  std::vector<std::pair<Device *, std::shared_ptr<Executable>>> executables() const;
  // Returns the names of the kernels that have the same definition in all builds that define them.
  std::vector<std::string> kernelNames() const;

  // Begins a build for some of the devices. CL_INVALID_OPERATION when one of them is being built, or when kernel
  // objects of the program exist. endBuild() must follow a success.
  cl_int beginBuild(std::span<Device *const> devices, const std::string &options);
  void endBuild(std::span<Device *const> devices, const BuildState &state);
  // Waits until no build runs in the background, so that the program's kernels can be queried.
  //
  // It does not wait in a process that was forked after the build began: the thread that builds does not exist there.
  void awaitBuilds() const;
  // Sets the state that a program made from a binary has from its creation.
  void setState(Device &device, const BuildState &state) { endBuild(std::array{&device}, state); }

  // Sets the value that the next build of an IL program gives to a specialization constant.
  void specialize(uint32_t number, std::string value);
  frontend::SpecializationValues specializations() const;

  // Count the kernel objects of this program, which must not be built again while there are any.
  void attachKernel() { ++kernels_; }
  void detachKernel() {
    [[maybe_unused]] const int left = --kernels_;
    assert(left >= 0 && "more kernel objects are gone than there were");
  }

private:
  bool isBuilding() const; // the caller holds mutex_

  Ref<Context> context_;
  // Its executables in `states_` refer to it, so it is declared before them.
  const std::shared_ptr<ReleaseCallbacks> callbacks_ = std::make_shared<ReleaseCallbacks>();
  Origin origin_;
  DeviceList devices_;
  static const std::string kNone;
  std::string input_;
  std::atomic<int> kernels_{0};
  mutable std::mutex mutex_;
  mutable std::condition_variable build_ended_;
  std::map<const Device *, BuildState> states_; // no entry: not built
  pid_t building_process_ = 0;                  // the process that began the last build
  frontend::SpecializationValues specializations_;
};

// Returns the devices of a list that the application gives, each once. A NULL list means all of `known`.
// CL_INVALID_DEVICE if a listed device is not one of `known`.
Result<std::vector<Device *>> readDeviceList(const DeviceList &known, cl_uint num_devices, const cl_device_id *devices);

// Returns true if two devices' builds define a kernel alike, so that one list of arguments fits both.
bool sameDefinition(const frontend::KernelInfo &a, const frontend::KernelInfo &b);

} // namespace lanecl::icd

LANECL_HANDLE(cl_program, Program, CL_INVALID_PROGRAM)

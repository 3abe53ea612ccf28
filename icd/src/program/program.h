// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_program.
#pragma once

#include "api/result.h"
#include "context/context.h"
#include "program/executable.h"

#include <array>
#include <atomic>
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

// The result of a build, compile or link for a device. A value: replaced as a whole.
struct BuildState {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;
  std::string log;
  frontend::Module module;                // empty when there is none
  ProgramTexts texts;                     // that the module was compiled from, in check mode
  std::shared_ptr<Executable> executable; // of an executable module only

  cl_program_binary_type binaryType() const;
};

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
  // The text of a program with Origin::Source, the module of one with Origin::Il, else empty.
  const std::string &source() const { return origin_ == Origin::Source ? input_ : kNone; }
  const std::string &il() const { return origin_ == Origin::Il ? input_ : kNone; }
  // What a device runs: its own build, or its parent's when the program was not built for a sub-device.
  BuildState state(const Device &device) const;
  // Of all devices of the context that have one.
  std::vector<std::pair<Device *, std::shared_ptr<Executable>>> executables() const;
  // Of the kernels that are the same wherever they are defined.
  std::vector<std::string> kernelNames() const;

  // Begins a build for some of the devices: fails when one is running or when kernels are attached.
  cl_int beginBuild(std::span<Device *const> devices, const std::string &options);
  void endBuild(std::span<Device *const> devices, const BuildState &state);
  // Waits while a build runs in the background, so that its kernels can be asked for. Not in a process that was forked
  // meanwhile, where nobody ends the build.
  void awaitBuilds() const;
  // The state a program has from its creation.
  void setState(Device &device, const BuildState &state) { endBuild(std::array{&device}, state); }

  // What the next build of an IL program gives to its specialization constants.
  void specialize(uint32_t number, std::string value);
  frontend::SpecializationValues specializations() const;

  // Kernel objects attached to this program.
  void attachKernel() { ++kernels_; }
  void detachKernel() { --kernels_; }

private:
  bool isBuilding() const; // with mutex_ held

  Ref<Context> context_;
  const std::shared_ptr<ReleaseCallbacks> callbacks_ = std::make_shared<ReleaseCallbacks>(); // outlives `states_`
  Origin origin_;
  DeviceList devices_;
  static const std::string kNone;
  std::string input_;
  std::atomic<int> kernels_{0};
  mutable std::mutex mutex_;
  mutable std::condition_variable build_ended_;
  std::map<const Device *, BuildState> states_; // no entry: not built
  pid_t building_process_ = 0;                  // the one that has begun the last build
  frontend::SpecializationValues specializations_;
};

// The devices of a list that may be absent, each once: NULL means all of `known`, which the others must be among.
Result<std::vector<Device *>> readDeviceList(const DeviceList &known, cl_uint num_devices, const cl_device_id *devices);

// Whether two devices' builds define a kernel alike, so that one list of arguments fits both.
bool sameDefinition(const frontend::KernelInfo &a, const frontend::KernelInfo &b);

} // namespace lanecl::icd

LANECL_HANDLE(cl_program, Program, CL_INVALID_PROGRAM)

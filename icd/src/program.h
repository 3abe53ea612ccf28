// cl_program.
#pragma once

#include "context.h"
#include "executable.h"
#include "result.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace lanecl::icd {

// What a build, compile or link leaves behind. A value: replaced as a whole.
struct BuildState {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;
  std::string log;
  frontend::Module module;                // empty when there is none
  std::shared_ptr<Executable> executable; // of an executable module only

  cl_program_binary_type binaryType() const;
};

class Program final : public Object<Program, cl_program, Tag::Program> {
public:
  enum class Origin { Source, Il, Binary, Link };

  Program(Context &context, Origin origin, std::string input = {})
      : context_(context), origin_(origin), input_(std::move(input)) {}

  Context &context() const { return *context_; }
  Origin origin() const { return origin_; }
  // The text of a program with Origin::Source, the module of one with Origin::Il, else empty.
  const std::string &source() const { return origin_ == Origin::Source ? input_ : kNone; }
  const std::string &il() const { return origin_ == Origin::Il ? input_ : kNone; }
  BuildState state() const;
  std::shared_ptr<Executable> executable() const { return state().executable; }

  // Begins a build: fails when one is running or when kernels are attached. `previous` receives the state so far.
  cl_int beginBuild(const std::string &options, BuildState &previous);
  void endBuild(BuildState state);
  // The state a program has from its creation.
  void setState(BuildState state) { endBuild(std::move(state)); }

  // What the next build of an IL program gives to its specialization constants.
  void specialize(uint32_t number, std::string value);
  frontend::SpecializationValues specializations() const;

  // Kernel objects attached to this program.
  void attachKernel() { ++kernels_; }
  void detachKernel() { --kernels_; }

private:
  Ref<Context> context_;
  Origin origin_;
  static const std::string kNone;
  std::string input_;
  std::atomic<int> kernels_{0};
  mutable std::mutex mutex_;
  BuildState state_;
  frontend::SpecializationValues specializations_;
};

// CL_INVALID_VALUE and CL_INVALID_DEVICE of a list of devices that may be absent: NULL means all of the context's.
cl_int checkDeviceList(const Context &context, cl_uint num_devices, const cl_device_id *devices);

} // namespace lanecl::icd

LANECL_HANDLE(cl_program, Program, CL_INVALID_PROGRAM)

// The one device: the processor, with the compiler, the vectorizer and the scheduler behind it.
#pragma once

#include "object.h"

#include "frontend/frontend.h"
#include "scheduler/scheduler.h"
#include "vectorizer/vectorizer.h"

#include <memory>
#include <mutex>
#include <string>

namespace lanecl::icd {

class Device final : public Object<Device, cl_device_id, Tag::Device> {
public:
  static Device &get(); // made at first use, never destroyed: commands may outlive main()

  scheduler::Device &scheduler();

  // The two halves of the compiler, or null with the reason in `error`. Slow to make, so made by the first build.
  frontend::Frontend *frontend(std::string &error);
  vectorizer::Vectorizer *vectorizer(std::string &error);

private:
  Device() = default;
  void makeCompiler();

  std::once_flag scheduler_once_;
  std::shared_ptr<scheduler::Device> scheduler_;

  std::once_flag compiler_once_;
  std::string compiler_error_;
  std::unique_ptr<vectorizer::ObjectCache> object_cache_;
  std::unique_ptr<frontend::Frontend> frontend_;
  std::unique_ptr<vectorizer::Vectorizer> vectorizer_;
};

// CL_SUCCESS when this device is of that type, else CL_INVALID_DEVICE_TYPE or CL_DEVICE_NOT_FOUND.
cl_int matchDeviceType(cl_device_type type);

} // namespace lanecl::icd

LANECL_HANDLE(cl_device_id, Device, CL_INVALID_DEVICE)

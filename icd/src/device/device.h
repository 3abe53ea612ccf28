// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The one root device, the processor, with the compiler, the vectorizer and the scheduler behind it; and its
// sub-devices, which share the compiler and have schedulers of their own.
#pragma once

#include "api/object.h"
#include "device/partition.h"

#include "frontend/frontend.h"
#include "scheduler/scheduler.h"
#include "vectorizer/vectorizer.h"

#include <memory>
#include <mutex>
#include <string>

namespace lanecl::icd {

class Device final : public Object<Device, cl_device_id, Tag::Device> {
public:
  static Device &root(); // made at first use, never destroyed: commands may outlive main()
  Device(Device &parent, ComputeUnits units, std::vector<cl_device_partition_property> type)
      : parent_(parent), units_(std::move(units)), type_(std::move(type)) {}

  Device *parent() const { return parent_.get(); } // null: the root
  const ComputeUnits &units() const { return units_; }
  // How it was partitioned from its parent; the root's is empty.
  const std::vector<cl_device_partition_property> &partitionType() const { return type_; }
  scheduler::Device &scheduler();

  // The two halves of the compiler, or null with the reason in `error`. Slow to make, so made by the first build.
  static frontend::Frontend *frontend(std::string &error) { return root().compiler(error).frontend_.get(); }
  static vectorizer::Vectorizer *vectorizer(std::string &error) { return root().compiler(error).vectorizer_.get(); }

  // Why compiled kernels cannot be launched: their processor has instructions that this one lacks. Empty: they can.
  static const std::string &refusal() { return root().refusal_; } // valid once the compiler was made

private:
  Device();
  Device &compiler(std::string &error);
  void makeCompiler();

  Ref<Device> parent_;
  ComputeUnits units_;
  std::vector<cl_device_partition_property> type_;
  std::once_flag scheduler_once_;
  std::shared_ptr<scheduler::Device> scheduler_;

  std::once_flag compiler_once_;
  std::string compiler_error_, refusal_;
  std::unique_ptr<vectorizer::ObjectCache> object_cache_;
  std::unique_ptr<frontend::Frontend> frontend_;
  std::unique_ptr<vectorizer::Vectorizer> vectorizer_;
};

// The devices of a context or a program, each once.
using DeviceList = std::vector<Ref<Device>>;
bool contains(const DeviceList &devices, const Device *device);
std::vector<cl_device_id> handlesOf(const DeviceList &devices);

// CL_SUCCESS when the root device is of that type, else CL_INVALID_DEVICE_TYPE or CL_DEVICE_NOT_FOUND.
cl_int matchDeviceType(cl_device_type type);

} // namespace lanecl::icd

LANECL_HANDLE(cl_device_id, Device, CL_INVALID_DEVICE)

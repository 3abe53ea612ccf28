// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The root device, which is the processor, with the front end, the vectorizer and the scheduler. Sub-devices share the
// root's compiler and have schedulers of their own. There is one root device in a process.
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
  // Returns the root device. It is made at first use and never destroyed, because commands may outlive main().
  static Device &root();
  Device(Device &parent, ComputeUnits units, std::vector<cl_device_partition_property> type)
      : parent_(parent), units_(std::move(units)), type_(std::move(type)) {}

  // Returns the device that this one is a part of, or null for the root.
  Device *parent() const { return parent_.get(); }
  const ComputeUnits &units() const { return units_; }
  // Returns the properties by which this device was partitioned from its parent; empty for the root.
  const std::vector<cl_device_partition_property> &partitionType() const { return type_; }
  scheduler::Executor &scheduler();

  // Return the two halves of the compiler, or null with the reason in `error`. They take long to make, so the first
  // build makes them.
  static frontend::Frontend *frontend(std::string &error) { return root().compiler(error).frontend_.get(); }
  static vectorizer::Vectorizer *vectorizer(std::string &error) { return root().compiler(error).vectorizer_.get(); }

  // Returns why compiled kernels cannot be launched here: LANECL_CPU names a processor with instructions that this one
  // lacks. Returns "" if they can be launched. Valid only after frontend() or vectorizer() was called.
  static const std::string &refusal() { return root().refusal_; }

private:
  Device();
  Device &compiler(std::string &error);
  void makeCompiler();

  Ref<Device> parent_;
  ComputeUnits units_;
  std::vector<cl_device_partition_property> type_;
  std::once_flag scheduler_once_;
  std::shared_ptr<scheduler::Executor> scheduler_;

  std::once_flag compiler_once_;
  std::string compiler_error_, refusal_;
  std::unique_ptr<vectorizer::ObjectCache> object_cache_;
  std::unique_ptr<frontend::Frontend> frontend_;
  std::unique_ptr<vectorizer::Vectorizer> vectorizer_;
};

// The devices of a context or a program, without duplicates.
using DeviceList = std::vector<Ref<Device>>;
bool contains(const DeviceList &devices, const Device *device);
std::vector<cl_device_id> handlesOf(const DeviceList &devices);

// Returns CL_SUCCESS if the root device is of that type. Otherwise returns CL_INVALID_DEVICE_TYPE for a value that is
// no type, or CL_DEVICE_NOT_FOUND.
cl_int matchDeviceType(cl_device_type type);

} // namespace lanecl::icd

LANECL_HANDLE(cl_device_id, Device, CL_INVALID_DEVICE)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_context: devices, and what programs share on them.
#pragma once

#include "api/callbacks.h"
#include "api/live_objects.h"
#include "context/allocation_registry.h"
#include "context/pending_work.h"
#include "device/device.h"

#include <functional>
#include <string>
#include <vector>

namespace lanecl::icd {

using ContextNotify = void(CL_CALLBACK *)(const char *, const void *, size_t, void *);

class Memory;

class Context final : public Object<Context, cl_context, Tag::Context> {
public:
  // `devices` must hold each device once.
  Context(DeviceList devices, std::vector<cl_context_properties> properties, ContextNotify notify, void *user_data)
      : devices_(std::move(devices)), properties_(std::move(properties)), notify_(notify), user_data_(user_data) {}

  const DeviceList &devices() const { return devices_; }
  const std::vector<cl_context_properties> &properties() const { return properties_; }
  CallbackStack &destructorCallbacks() { return destructor_callbacks_; }
  void callDestructorCallbacks() { destructor_callbacks_.runAll(); } // called once, before the context is destroyed
  SvmRegistry &svm() { return svm_; }
  UsmRegistry &usm() { return usm_; }
  PendingWork &pendingWork() { return pending_work_; }
  LiveObjects<Memory> &liveMemory() { return live_memory_; }

  // Calls the application's callback, if there is one, with details that an error code cannot express.
  void report(const std::string &message) const {
    if (notify_)
      notify_(message.c_str(), nullptr, 0, user_data_);
  }

  bool hasCallback() const { return notify_ != nullptr; }
  // Returns a function that calls report() and may be used as long as the context exists. It is empty when the
  // application has no callback.
  std::function<void(const std::string &)> reporter() const {
    if (!hasCallback())
      return {};
    return [this](const std::string &message) { report(message); };
  }

private:
  DeviceList devices_;
  std::vector<cl_context_properties> properties_; // as given, with the terminating zero; empty when none were given
  ContextNotify notify_;
  void *user_data_;
  CallbackStack destructor_callbacks_;
  SvmRegistry svm_;
  UsmRegistry usm_;
  PendingWork pending_work_;
  LiveObjects<Memory> live_memory_;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_context, Context, CL_INVALID_CONTEXT)

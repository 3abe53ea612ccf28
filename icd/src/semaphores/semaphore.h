// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_semaphore_khr: binary semaphores (cl_khr_semaphore).
#pragma once

#include "api/recent_names.h"
#include "context/context.h"
#include "semaphores/signal_counter.h"
#include "semaphores/signal_order.h"

#include <memory>
#include <mutex>
#include <vector>

namespace lanecl::icd {

// The properties that a semaphore was created with.
struct SemaphoreProperties {
  // The list that CL_SEMAPHORE_PROPERTIES_KHR returns, with the terminating zero.
  std::vector<cl_semaphore_properties_khr> list;
  std::vector<cl_device_id> devices;                          // devices that the semaphore is associated with
  std::vector<cl_external_semaphore_handle_type_khr> exports; // types of handles that may be exported: at most one
};

class Semaphore final : public Object<Semaphore, cl_semaphore_khr, Tag::Semaphore> {
public:
  Semaphore(Context &context, SemaphoreProperties properties, std::shared_ptr<SignalCounter> signals)
      : context_(context), properties_(std::move(properties)), signals_(std::move(signals)) {}

  Context &context() const { return *context_; }
  const SemaphoreProperties &properties() const { return properties_; }
  bool isFor(cl_device_id device) const;
  bool exports(cl_external_semaphore_handle_type_khr type) const;
  const std::shared_ptr<SignalCounter> &signals() const { return signals_; }
  SignalOrder &order(); // used only if commands are checked

private:
  Ref<Context> context_;
  SemaphoreProperties properties_;
  std::shared_ptr<SignalCounter> signals_;
  std::once_flag order_is_known_;
  std::shared_ptr<SignalOrder> order_; // null before order() is called
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_semaphore_khr, Semaphore, CL_INVALID_SEMAPHORE_KHR)

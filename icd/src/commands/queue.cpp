// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates, queries, flushes and finishes command-queues.

#include "commands/queue.h"

#include "api/entry.h"
#include "api/info.h"
#include "check/host/command_checks.h"

#include <set>

namespace lanecl::icd {
namespace {

constexpr cl_command_queue_properties kSupported = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kKnown = kSupported | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

// Checks the bits of CL_QUEUE_PROPERTIES.
cl_int checkBits(cl_command_queue_properties bits) {
  // CL_INVALID_VALUE if values specified in properties are not valid.
  if ((bits & ~kKnown) != 0)
    return CL_INVALID_VALUE;
  // CL_QUEUE_ON_DEVICE can only be used with CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_ON_DEVICE_DEFAULT only
  // with CL_QUEUE_ON_DEVICE.
  if ((bits & CL_QUEUE_ON_DEVICE) && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return CL_INVALID_VALUE;
  if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) && !(bits & CL_QUEUE_ON_DEVICE))
    return CL_INVALID_VALUE;
  // CL_INVALID_QUEUE_PROPERTIES if values specified in properties are valid but are not supported by the device.
  return (bits & ~kSupported) != 0 ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
}

cl_int checkContextAndDevice(cl_context context, cl_device_id device) {
  if (cl_int code = validate(context, device))
    return code;
  // CL_INVALID_DEVICE if device is not associated with context.
  return contains(objectOf(context).devices(), &objectOf(device)) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

Result<Ref<CommandQueue>> createQueue(cl_context context, cl_device_id device, cl_command_queue_properties bits) {
  if (cl_int code = checkContextAndDevice(context, device))
    return Error{code};
  // This older function does not accept the properties of on-device queues.
  if ((bits & ~kSupported) != 0)
    return Error{CL_INVALID_VALUE};
  return make<CommandQueue>(objectOf(context), objectOf(device), bits, std::vector<cl_queue_properties>());
}

Result<scheduler::Priority> priorityOf(cl_queue_properties value) {
  switch (value) {
  case CL_QUEUE_PRIORITY_HIGH_KHR: return scheduler::Priority::High;
  case CL_QUEUE_PRIORITY_MED_KHR: return scheduler::Priority::Medium;
  case CL_QUEUE_PRIORITY_LOW_KHR: return scheduler::Priority::Low;
  default: return Error{CL_INVALID_VALUE};
  }
}

// Returns true for a value of CL_QUEUE_THROTTLE_KHR, a hint about the energy that the queue's commands may take. It has
// no effect here.
bool isThrottle(cl_queue_properties value) {
  return value == CL_QUEUE_THROTTLE_HIGH_KHR || value == CL_QUEUE_THROTTLE_MED_KHR ||
         value == CL_QUEUE_THROTTLE_LOW_KHR;
}

Result<Ref<CommandQueue>> createQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties) {
  if (cl_int code = checkContextAndDevice(context, device))
    return Error{code};
  cl_command_queue_properties bits = 0;
  Result<scheduler::Priority> priority = scheduler::Priority::Medium;
  bool has_size = false, has_wrong_throttle = false;
  std::vector<cl_queue_properties> list;
  std::set<cl_queue_properties> seen;
  for (const cl_queue_properties *entry = properties; entry && *entry; entry += 2) {
    // CL_INVALID_VALUE if values specified in properties are not valid: unknown names, and names given twice.
    if (!seen.insert(entry[0]).second)
      return Error{CL_INVALID_VALUE};
    switch (entry[0]) {
    case CL_QUEUE_PROPERTIES: bits = entry[1]; break;
    case CL_QUEUE_PRIORITY_KHR: priority = priorityOf(entry[1]); break;
    case CL_QUEUE_THROTTLE_KHR: has_wrong_throttle = !isThrottle(entry[1]); break;
    case CL_QUEUE_SIZE: has_size = true; break;
    default: return Error{CL_INVALID_VALUE};
    }
    list.insert(list.end(), {entry[0], entry[1]});
  }
  if (properties)
    list.push_back(0);
  if (cl_int code = checkBits(bits))
    return Error{code};
  // CL_QUEUE_SIZE can only be specified if CL_QUEUE_ON_DEVICE is set.
  if (has_size || has_wrong_throttle)
    return Error{CL_INVALID_VALUE};
  if (!priority)
    return priority.error();
  return make<CommandQueue>(objectOf(context), objectOf(device), bits, std::move(list), *priority);
}

cl_int queueInfo(cl_command_queue handle, cl_command_queue_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  CommandQueue &queue = objectOf(handle);
  switch (name) {
  case CL_QUEUE_CONTEXT: return info.value<cl_context>(queue.context().handle());
  case CL_QUEUE_DEVICE: return info.value<cl_device_id>(queue.device().handle());
  case CL_QUEUE_REFERENCE_COUNT: return info.value<cl_uint>(queue.applicationReferences());
  case CL_QUEUE_PROPERTIES: return info.value<cl_command_queue_properties>(queue.properties());
  case CL_QUEUE_PROPERTIES_ARRAY: return info.list<cl_queue_properties>(queue.propertyList());
  case CL_QUEUE_DEVICE_DEFAULT:
    return info.value<cl_command_queue>(nullptr); // no on-device queues
  // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for param_name: not a device queue.
  case CL_QUEUE_SIZE: return CL_INVALID_COMMAND_QUEUE;
  default: return CL_INVALID_VALUE;
  }
}

cl_int setDefaultDeviceQueue(cl_context context, cl_device_id device, cl_command_queue) {
  if (cl_int code = checkContextAndDevice(context, device))
    return code;
  // CL_INVALID_OPERATION if device does not support a replaceable default on-device queue.
  return CL_INVALID_OPERATION;
}

} // namespace

CommandQueue::CommandQueue(Context &context, Device &device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list, scheduler::Priority priority)
    : context_(context), device_(device), properties_(properties), property_list_(std::move(property_list)),
      commands_(device.scheduler().createQueue(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
                                                   ? scheduler::Order::OutOfOrder
                                                   : scheduler::Order::InOrder,
                                               profiles() ? scheduler::Timing::On : scheduler::Timing::Off, priority)) {
  context.pendingWork().add(*commands_);
}

CommandQueue::~CommandQueue() {
  noteQueueGone(this);
  context_->pendingWork().remove(*commands_);
}

} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                               cl_command_queue_properties properties,
                                                               cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createQueue(context, device, properties); });
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                             const cl_queue_properties *properties,
                                                                             cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createQueueWithProperties(context, device, properties); });
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties, cl_int *errcode_ret) {
  static_assert(sizeof(cl_queue_properties_khr) == sizeof(cl_queue_properties));
  // The extension's list is the same but for the signedness of its elements.
  std::vector<cl_queue_properties> list;
  return create(errcode_ret, [&] {
    for (const cl_queue_properties_khr *entry = properties; entry && *entry; entry += 2)
      list.insert(list.end(), {cl_queue_properties(entry[0]), cl_queue_properties(entry[1])});
    list.push_back(0);
    return createQueueWithProperties(context, device, properties ? list.data() : nullptr);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) {
  return entry([&] { return retain(queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
  return entry([&] {
    if (cl_int code = validate(queue))
      return code;
    // Performs an implicit flush to issue any previously queued commands.
    objectOf(queue).commands().flush();
    return release(queue);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                                      size_t size, void *value, size_t *size_ret) {
  return entry([&] { return queueInfo(queue, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                                          cl_command_queue_properties *) {
  return entry([&] {
    if (cl_int code = validate(queue))
      return code;
    // CL_INVALID_OPERATION if no devices in the context support modifying the properties of a command-queue.
    return cl_int(CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                               cl_command_queue queue) {
  return entry([&] { return setDefaultDeviceQueue(context, device, queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  return entry([&] {
    if (cl_int code = validate(queue))
      return code;
    objectOf(queue).commands().flush();
    return cl_int(CL_SUCCESS);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  return entry([&] {
    if (cl_int code = validate(queue))
      return code;
    const Ref<CommandQueue> alive(objectOf(queue)); // another thread may release it meanwhile
    const std::vector<CommandOrder::Id> latest = latestCommands(alive.get());
    alive->commands().finish();
    noteSeen(latest);
    return cl_int(CL_SUCCESS);
  });
}

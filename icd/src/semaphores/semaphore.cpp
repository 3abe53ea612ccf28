// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates, queries and exports semaphores.

#include "semaphores/semaphore.h"

#include "api/entry.h"
#include "api/info.h"
#include "device/external_types.h"
#include "icd/capabilities.h"

#include <algorithm>
#include <climits>
#include <map>
#include <mutex>
#include <optional>

namespace lanecl::icd {

// Returns the order that all semaphores with this count share.
static std::shared_ptr<SignalOrder> signalOrderOf(const SignalCounter &signals) {
  static std::mutex mutex;
  static auto *const known = new std::map<uint64_t, std::weak_ptr<SignalOrder>>; // semaphores may outlive statics
  const uint64_t id = signals.id();
  if (id == 0)
    return std::make_shared<SignalOrder>();
  const std::lock_guard lock(mutex);
  std::erase_if(*known, [](const auto &entry) { return entry.second.expired(); });
  std::shared_ptr<SignalOrder> order = (*known)[id].lock();
  if (!order)
    (*known)[id] = order = std::make_shared<SignalOrder>();
  return order;
}

// The order is looked up late, because that takes longer than all else, and is needed in check mode only.
SignalOrder &Semaphore::order() {
  std::call_once(order_is_known_, [this] { order_ = signalOrderOf(*signals_); });
  return *order_;
}

bool Semaphore::isFor(cl_device_id device) const {
  return std::ranges::count(properties_.devices, device) != 0;
}

bool Semaphore::exports(cl_external_semaphore_handle_type_khr type) const {
  return std::ranges::count(properties_.exports, type) != 0;
}

namespace {

// Reads the list of properties that the application gives to a new semaphore.
class Reader {
public:
  Reader(const Context &context, const cl_semaphore_properties_khr *properties) : context(context), next(properties) {}

  // Reads the whole list. `handle` gets the descriptor of an imported semaphore, if one is given.
  cl_int run(SemaphoreProperties &result, std::optional<int> &handle) {
    const cl_semaphore_properties_khr *const begin = next;
    while (*next != 0)
      if (cl_int code = readOne())
        return code;
    // CL_INVALID_VALUE if sema_props do not specify CL_SEMAPHORE_TYPE_KHR.
    if (!has_type)
      return CL_INVALID_VALUE;
    // CL_INVALID_PROPERTY if context is a multiple device context and sema_props does not specify
    // CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR.
    if (!device && context.devices().size() > 1)
      return CL_INVALID_PROPERTY;
    // CL_INVALID_OPERATION if a handle is given as well as CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR.
    if (descriptor && exports)
      return CL_INVALID_OPERATION;
    result.list.assign(begin, next + 1);
    result.devices = device ? std::vector{*device} : handlesOf(context.devices());
    if (exports)
      result.exports = std::move(*exports);
    handle = descriptor;
    return CL_SUCCESS;
  }

private:
  // Reads the next property. CL_INVALID_PROPERTY if a property name is not a supported property name, if the value
  // specified for a supported one is not valid, or if a name is specified more than once.
  cl_int readOne() {
    switch (*next++) {
    case CL_SEMAPHORE_TYPE_KHR: return readType(*next++);
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: return readDevices();
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: return readExports();
    case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR: return readDescriptor(*next++);
    default: return CL_INVALID_PROPERTY;
    }
  }

  cl_int readType(cl_semaphore_properties_khr value) {
    if (has_type || value != CL_SEMAPHORE_TYPE_BINARY_KHR)
      return CL_INVALID_PROPERTY;
    has_type = true;
    return CL_SUCCESS;
  }

  // CL_INVALID_DEVICE if the list does not identify exactly one valid device, or if that is not one of the context's.
  cl_int readDevices() {
    if (device)
      return CL_INVALID_PROPERTY;
    size_t count = 0;
    for (; *next != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; ++next, ++count)
      device = reinterpret_cast<cl_device_id>(*next);
    ++next;
    return count == 1 && std::ranges::count(handlesOf(context.devices()), *device) != 0 ? CL_SUCCESS
                                                                                        : CL_INVALID_DEVICE;
  }

  // CL_INVALID_VALUE if more than one semaphore handle type is specified.
  cl_int readExports() {
    if (exports)
      return CL_INVALID_PROPERTY;
    exports.emplace();
    for (; *next != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; ++next) {
      if (std::ranges::count(kExternalSemaphoreTypes, *next) == 0)
        return CL_INVALID_PROPERTY;
      exports->push_back(cl_external_semaphore_handle_type_khr(*next));
    }
    ++next;
    return exports->size() > 1 ? CL_INVALID_VALUE : CL_SUCCESS;
  }

  cl_int readDescriptor(cl_semaphore_properties_khr value) {
    if (descriptor || value > INT_MAX)
      return CL_INVALID_PROPERTY;
    descriptor = int(value);
    return CL_SUCCESS;
  }

  const Context &context;
  const cl_semaphore_properties_khr *next;
  bool has_type = false;
  std::optional<cl_device_id> device;
  std::optional<std::vector<cl_external_semaphore_handle_type_khr>> exports;
  std::optional<int> descriptor;
};

Result<Ref<Semaphore>> createSemaphore(cl_context context, const cl_semaphore_properties_khr *list) {
  if (cl_int code = validate(context))
    return Error{code};
  // CL_INVALID_VALUE if sema_props is NULL.
  if (!list)
    return Error{CL_INVALID_VALUE};
  SemaphoreProperties properties;
  std::optional<int> handle;
  if (cl_int code = Reader(objectOf(context), list).run(properties, handle))
    return Error{code};
  std::shared_ptr<SignalCounter> signals = handle ? SignalCounter::adopt(*handle) : SignalCounter::make();
  // CL_INVALID_PROPERTY if the descriptor is no handle of a semaphore.
  if (!signals)
    return Error{handle ? CL_INVALID_PROPERTY : CL_OUT_OF_RESOURCES};
  return make<Semaphore>(objectOf(context), std::move(properties), std::move(signals));
}

cl_int semaphoreInfo(cl_semaphore_khr handle, cl_semaphore_info_khr name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const Semaphore &semaphore = objectOf(handle);
  const SemaphoreProperties &properties = semaphore.properties();
  switch (name) {
  case CL_SEMAPHORE_CONTEXT_KHR: return info.value<cl_context>(semaphore.context().handle());
  case CL_SEMAPHORE_REFERENCE_COUNT_KHR: return info.value<cl_uint>(semaphore.applicationReferences());
  case CL_SEMAPHORE_PROPERTIES_KHR: return info.list<cl_semaphore_properties_khr>(properties.list);
  case CL_SEMAPHORE_TYPE_KHR: return info.value<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
  case CL_SEMAPHORE_PAYLOAD_KHR: return info.value<cl_semaphore_payload_khr>(semaphore.signals()->isSignaled());
  case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: return info.list<cl_device_id>(properties.devices);
  case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
    return info.list<cl_external_semaphore_handle_type_khr>(properties.exports);
  case CL_SEMAPHORE_EXPORTABLE_KHR: return info.value<cl_bool>(!properties.exports.empty());
  default: return CL_INVALID_VALUE;
  }
}

cl_int exportHandle(cl_semaphore_khr handle, cl_device_id device, cl_external_semaphore_handle_type_khr type,
                    const InfoWriter &out) {
  if (cl_int code = validate(handle))
    return code;
  const Semaphore &semaphore = objectOf(handle);
  // CL_INVALID_DEVICE if device is not a valid device, or if sema_object belongs to a context that is not associated
  // with device or can not be shared with it.
  if (!semaphore.isFor(device))
    return CL_INVALID_DEVICE;
  // CL_INVALID_VALUE if the requested external semaphore handle type was not specified when sema_object was created, or
  // if handle_size is less than the size of the handle and handle_ptr is not NULL.
  if (!semaphore.exports(type) || (out.target() && out.size() < sizeof(int)))
    return CL_INVALID_VALUE;
  const int descriptor = out.target() ? semaphore.signals()->duplicate() : 0;
  return descriptor < 0 ? CL_OUT_OF_RESOURCES : out.value<int>(descriptor);
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr *properties, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createSemaphore(context, properties); });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr semaphore) {
  return entry([&] { return retain(semaphore); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr semaphore) {
  return entry([&] { return release(semaphore); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr semaphore, cl_semaphore_info_khr name,
                                                      size_t size, void *value, size_t *size_ret) {
  return entry([&] { return semaphoreInfo(semaphore, name, InfoWriter(size, value, size_ret)); }, name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr semaphore, cl_device_id device,
                                                               cl_external_semaphore_handle_type_khr type, size_t size,
                                                               void *handle, size_t *size_ret) {
  return entry([&] { return exportHandle(semaphore, device, type, InfoWriter(size, handle, size_ret)); });
}

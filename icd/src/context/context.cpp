// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates and queries contexts.

#include "context/context.h"

#include "api/entry.h"
#include "api/info.h"
#include "device/platform.h"

#include <set>

namespace lanecl::icd {
namespace {

// Checks the list of properties that the application gives to a new context.
cl_int checkProperties(const cl_context_properties *properties) {
  std::set<cl_context_properties> seen;
  for (const cl_context_properties *entry = properties; entry && *entry; entry += 2) {
    // CL_INVALID_PROPERTY if the same property name is specified more than once.
    if (!seen.insert(entry[0]).second)
      return CL_INVALID_PROPERTY;
    switch (entry[0]) {
    case CL_CONTEXT_PLATFORM:
      // CL_INVALID_PLATFORM if the platform specified in properties is not a valid platform.
      if (!Platform::cast(reinterpret_cast<cl_platform_id>(entry[1])))
        return CL_INVALID_PLATFORM;
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      // CL_INVALID_PROPERTY if the value specified for a supported property name is not valid.
      if (entry[1] != CL_TRUE && entry[1] != CL_FALSE)
        return CL_INVALID_PROPERTY;
      break;
    // CL_INVALID_PROPERTY if a context property name in properties is not a supported property name.
    default: return CL_INVALID_PROPERTY;
    }
  }
  return CL_SUCCESS;
}

// Returns a copy of the list, with the terminating zero.
std::vector<cl_context_properties> copyProperties(const cl_context_properties *properties) {
  std::vector<cl_context_properties> copy;
  if (!properties)
    return copy;
  for (; *properties; properties += 2)
    copy.insert(copy.end(), {properties[0], properties[1]});
  copy.push_back(0);
  return copy;
}

Result<Ref<Context>> createContext(const cl_context_properties *properties, cl_uint num_devices,
                                   const cl_device_id *devices, ContextNotify notify, void *user_data) {
  if (cl_int code = checkProperties(properties))
    return Error{code};
  // CL_INVALID_VALUE if devices is NULL or if num_devices is equal to zero.
  if (!devices || num_devices == 0)
    return Error{CL_INVALID_VALUE};
  // CL_INVALID_VALUE if pfn_notify is NULL and user_data is not NULL.
  if (!notify && user_data)
    return Error{CL_INVALID_VALUE};
  // CL_INVALID_DEVICE if any device in devices is not a valid device. Duplicates are ignored.
  DeviceList list;
  for (cl_uint i = 0; i < num_devices; ++i) {
    if (cl_int code = validate(devices[i]))
      return Error{code};
    if (!contains(list, &objectOf(devices[i])))
      list.emplace_back(objectOf(devices[i]));
  }
  noteContext();
  return make<Context>(std::move(list), copyProperties(properties), notify, user_data);
}

Result<Ref<Context>> createContextFromType(const cl_context_properties *properties, cl_device_type type,
                                           ContextNotify notify, void *user_data) {
  if (cl_int code = checkProperties(properties))
    return Error{code};
  if (!notify && user_data)
    return Error{CL_INVALID_VALUE};
  if (cl_int code = matchDeviceType(type))
    return Error{code};
  noteContext();
  return make<Context>(DeviceList{Ref<Device>(Device::root())}, copyProperties(properties), notify, user_data);
}

cl_int contextInfo(cl_context handle, cl_context_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  Context &context = objectOf(handle);
  switch (name) {
  case CL_CONTEXT_REFERENCE_COUNT: return info.value<cl_uint>(context.applicationReferences());
  case CL_CONTEXT_NUM_DEVICES: return info.value<cl_uint>(cl_uint(context.devices().size()));
  case CL_CONTEXT_DEVICES: return info.list<cl_device_id>(handlesOf(context.devices()));
  case CL_CONTEXT_PROPERTIES: return info.list<cl_context_properties>(context.properties());
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                                    const cl_device_id *devices, ContextNotify notify, void *user_data,
                                                    cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createContext(properties, num_devices, devices, notify, user_data); });
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                                            cl_device_type type, ContextNotify notify, void *user_data,
                                                            cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createContextFromType(properties, type, notify, user_data); });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context) {
  return entry([&] { return retain(context); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return entry([&] { return release(context); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name, size_t size,
                                                 void *value, size_t *size_ret) {
  return entry([&] { return contextInfo(context, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                               void(CL_CALLBACK *notify)(cl_context, void *),
                                                               void *user_data) {
  return entry([&] {
    if (cl_int code = validate(context))
      return code;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    if (!notify)
      return cl_int(CL_INVALID_VALUE);
    objectOf(context).destructorCallbacks().push([=] { notify(context, user_data); });
    return cl_int(CL_SUCCESS);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates and queries samplers (OpenCL 3.0, section 5.7).
#include "memory/sampler.h"

#include "api/entry.h"
#include "api/info.h"

#include "icd/capabilities.h"
#include "vectorizer/contract/image.h"

#include <algorithm>

namespace lanecl::icd {
namespace {

std::optional<uint32_t> addressingBits(cl_addressing_mode mode) {
  switch (mode) {
  case CL_ADDRESS_NONE: return abi::SamplerAddressNone;
  case CL_ADDRESS_CLAMP_TO_EDGE: return abi::SamplerAddressClampToEdge;
  case CL_ADDRESS_CLAMP: return abi::SamplerAddressClamp;
  case CL_ADDRESS_REPEAT: return abi::SamplerAddressRepeat;
  case CL_ADDRESS_MIRRORED_REPEAT: return abi::SamplerAddressMirroredRepeat;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<uint32_t> SamplerState::bits() const {
  const std::optional<uint32_t> address = addressingBits(addressing);
  if (!address || (normalized != CL_TRUE && normalized != CL_FALSE) ||
      (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR))
    return std::nullopt;
  return *address | (normalized ? abi::SamplerNormalized : 0) |
         (filter == CL_FILTER_LINEAR ? abi::SamplerFilterLinear : abi::SamplerFilterNearest);
}

namespace {

Result<Ref<Sampler>> createSampler(cl_context context, const SamplerState &state,
                                   std::vector<cl_sampler_properties> properties) {
  if (cl_int code = validate(context))
    return Error{code};
  // CL_INVALID_OPERATION if images are not supported by any device associated with context.
  if (!hasFeature("__opencl_c_images"))
    return Error{CL_INVALID_OPERATION};
  const std::optional<uint32_t> bits = state.bits();
  // CL_INVALID_VALUE if addressing_mode, filter_mode, normalized_coords or a combination of these is not valid.
  if (!bits)
    return Error{CL_INVALID_VALUE};
  return make<Sampler>(objectOf(context), state, *bits, std::move(properties));
}

// Reads a list of properties. CL_INVALID_VALUE if a property name is not supported, or if the same one is specified
// more than once.
cl_int readProperties(const cl_sampler_properties *list, SamplerState &state,
                      std::vector<cl_sampler_properties> &properties) {
  std::vector<cl_sampler_properties> names;
  for (; *list != 0; list += 2) {
    if (std::count(names.begin(), names.end(), list[0]) != 0)
      return CL_INVALID_VALUE;
    names.push_back(list[0]);
    switch (list[0]) {
    case CL_SAMPLER_NORMALIZED_COORDS: state.normalized = cl_bool(list[1]); break;
    case CL_SAMPLER_ADDRESSING_MODE: state.addressing = cl_addressing_mode(list[1]); break;
    case CL_SAMPLER_FILTER_MODE: state.filter = cl_filter_mode(list[1]); break;
    default: return CL_INVALID_VALUE;
    }
    properties.insert(properties.end(), {list[0], list[1]});
  }
  properties.push_back(0);
  return CL_SUCCESS;
}

Result<Ref<Sampler>> createFromProperties(cl_context context, const cl_sampler_properties *list) {
  if (cl_int code = validate(context))
    return Error{code};
  SamplerState state;
  std::vector<cl_sampler_properties> properties;
  if (list)
    if (cl_int code = readProperties(list, state, properties))
      return Error{code};
  return createSampler(context, state, std::move(properties));
}

cl_int samplerInfo(cl_sampler handle, cl_sampler_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const Sampler &sampler = objectOf(handle);
  switch (name) {
  case CL_SAMPLER_REFERENCE_COUNT: return info.value<cl_uint>(sampler.applicationReferences());
  case CL_SAMPLER_CONTEXT: return info.value<cl_context>(sampler.context().handle());
  case CL_SAMPLER_NORMALIZED_COORDS: return info.value<cl_bool>(sampler.state().normalized);
  case CL_SAMPLER_ADDRESSING_MODE: return info.value<cl_addressing_mode>(sampler.state().addressing);
  case CL_SAMPLER_FILTER_MODE: return info.value<cl_filter_mode>(sampler.state().filter);
  case CL_SAMPLER_PROPERTIES: return info.list<cl_sampler_properties>(sampler.properties());
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                                    cl_addressing_mode addressing, cl_filter_mode filter,
                                                    cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createSampler(context, {normalized, addressing, filter}, {}); });
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                                  const cl_sampler_properties *properties,
                                                                  cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createFromProperties(context, properties); });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return entry([&] { return retain(sampler); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return entry([&] { return release(sampler); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t size,
                                                 void *value, size_t *size_ret) {
  return entry([&] { return samplerInfo(sampler, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_sampler: three properties, which kernels get as one number.
#pragma once

#include "context/context.h"

#include <optional>

namespace lanecl::icd {

// The properties of a sampler, with their default values.
struct SamplerState {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;

  // Returns the bits that vectorizer/contract/image.h defines, or nothing when one of the values is invalid.
  std::optional<uint32_t> bits() const;
};

class Sampler final : public Object<Sampler, cl_sampler, Tag::Sampler> {
public:
  Sampler(Context &context, const SamplerState &state, uint32_t bits, std::vector<cl_sampler_properties> properties)
      : context_(context), state_(state), bits_(bits), properties_(std::move(properties)) {}

  Context &context() const { return *context_; }
  const SamplerState &state() const { return state_; }
  uint32_t bits() const { return bits_; }
  const std::vector<cl_sampler_properties> &properties() const { return properties_; }

private:
  Ref<Context> context_;
  SamplerState state_;
  uint32_t bits_;
  std::vector<cl_sampler_properties> properties_; // as given, with the terminating zero; empty when none were given
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_sampler, Sampler, CL_INVALID_SAMPLER)

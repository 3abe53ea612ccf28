// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Valid SPIR-V modules made at random, with what their kernel computes.
#pragma once

#include "damage.h"
#include "support/image_model.hpp"

#include <optional>
#include <string>

namespace lanecl::modules {

// An image as an argument.
struct SampleImage {
  cl_mem_object_type type;
  cl_mem_flags flags; // how the kernel accesses it
  test::ImageModel before;
  std::vector<uint8_t> after; // its content then
};

// A kernel k(global const uint *in, global ulong *out) for one work-group of kItems work-items, in assembly. Behind
// these are the images and a sampler, if there are any.
struct Sample {
  std::string text;
  unsigned minor; // of the version, 1.x
  std::vector<uint32_t> input;
  std::vector<uint64_t> output;
  std::vector<SampleImage> images;
  std::optional<test::SamplerModel> sampler;
};

inline constexpr size_t kItems = 40;

Sample generate(Random &random);

} // namespace lanecl::modules

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/accept/validate.h"

#include <spirv-tools/libspirv.hpp>

#include <array>

namespace lanecl::frontend::spirv {
namespace {

// The validator's environment for each minor version of SPIR-V 1. These are not its OpenCL environments, which end with
// SPIR-V 1.2 and reject half precision, which is an extension. checkEnvironment() checks OpenCL's own rules.
constexpr std::array<spv_target_env, 7> kEnvironments{
    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};

} // namespace

bool validate(const Module &module, std::string &error) {
  spvtools::SpirvTools tools(kEnvironments.at(module.minorVersion()));
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char *, const spv_position_t &position, const char *message) {
        if (level <= SPV_MSG_ERROR)
          error += "error: invalid SPIR-V, instruction " + std::to_string(position.index) + ": " + message + "\n";
      });
  const std::vector<uint32_t> words = module.binary();
  if (tools.Validate(words.data(), words.size()))
    return true;
  if (error.empty())
    error = "error: invalid SPIR-V\n";
  return false;
}

} // namespace lanecl::frontend::spirv

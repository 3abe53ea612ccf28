// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPIR-V modules as the host program passes them. No LLVM, no SPIR-V headers, no OpenCL here.
#pragma once

#include "frontend/frontend.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

// The versions that are read: 1.0 to this one.
inline constexpr unsigned kLastSpirvMinor = 6;

// What a device makes of a module. One that asks for what the device lacks can be kept, but not built.
enum class SpirvVerdict { Good, Unsupported, Invalid };

// The reason in `error` unless it is good.
SpirvVerdict examineSpirv(std::string_view module, const LanguageTraits &traits, std::string &error);

// The SPIR-V capabilities and extensions of a device with these traits, by their names in modules; with `only`, of
// these those that it names. The strings live as long as the process.
struct SpirvOffer {
  std::vector<const char *> instruction_sets, extensions;
  std::vector<uint32_t> capabilities;
};
SpirvOffer spirvOffer(const LanguageTraits &traits, std::span<const std::string_view> only = {});

// What stands for the source of a module that was compiled without debug information: its disassembly. Empty when it
// has some, or is no SPIR-V.
std::string textOfSpirv(std::string_view module);
inline constexpr const char *kSpirvTextName = "program.spvasm"; // its name where it is no file

// The bytes of the module's specialization constant of that number, 1 for a boolean one; nothing when there is none.
std::optional<size_t> specializationSize(std::string_view module, uint32_t number);

} // namespace lanecl::frontend

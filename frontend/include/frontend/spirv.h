// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Examines SPIR-V modules as the host program passes them. This header includes neither LLVM nor SPIR-V headers nor
// OpenCL.
#pragma once

#include "frontend/frontend.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

// The minor number of the last SPIR-V version that is read: 1.6. The first is 1.0.
inline constexpr unsigned kLastSpirvMinor = 6;

// Whether a module is valid, and whether the device can build it. A valid module that asks for more than the device has
// is kept, but cannot be built.
enum class SpirvVerdict { Good, Unsupported, Invalid };

// Validates a module and checks it against the device. Stores the reason in `error` unless the verdict is Good.
SpirvVerdict examineSpirv(std::string_view module, const LanguageTraits &traits, std::string &error);

// The extended instruction sets, extensions and capabilities that modules may use on a device with these traits. If
// `only` is given, entries whose names it does not contain are left out. The strings live as long as the process.
struct SpirvOffer {
  std::vector<const char *> instruction_sets, extensions;
  std::vector<uint32_t> capabilities;
};
SpirvOffer spirvOffer(const LanguageTraits &traits, std::span<const std::string_view> only = {});

// Returns the disassembly of a module that was compiled without debug information; it stands for the unknown source.
// Returns an empty text when the module has debug information, or is no SPIR-V.
std::string textOfSpirv(std::string_view module);
inline constexpr const char *kSpirvTextName = "program.spvasm"; // the disassembly's name if it is not a file

// Returns the size in bytes of the module's specialization constant with this SpecId (1 for a boolean one), or nothing
// when the module has no such constant.
std::optional<size_t> specializationSize(std::string_view module, uint32_t number);

} // namespace lanecl::frontend

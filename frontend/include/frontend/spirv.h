// SPIR-V modules as a program hands them over. No LLVM, no SPIR-V headers, no OpenCL here.
#pragma once

#include "frontend/frontend.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanecl::frontend {

// The versions that are read: 1.0 to this one.
inline constexpr unsigned kLastSpirvMinor = 6;

// Whether `module` is valid and asks for nothing but what the device has; the reason in `error` when not.
bool acceptSpirv(std::string_view module, const LanguageTraits &traits, std::string &error);

// The bytes of the module's specialization constant of that number, 1 for a boolean one; nothing when there is none.
std::optional<size_t> specializationSize(std::string_view module, uint32_t number);

} // namespace lanecl::frontend

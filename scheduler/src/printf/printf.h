// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL C's printf on the host (OpenCL C 3.1, 6.15.14).
#pragma once

#include "vectorizer/contract/abi.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanecl::scheduler {

// abi::Services::printf: formats one work-item's output and adds it to the process's buffer as a whole.
int32_t printfService(const char *format, const std::byte *arguments, uint32_t bytes);

inline constexpr abi::Services kServices{printfService};

// Appends the text of one call. Missing and mismatched arguments are printed as far as possible; false for those, and
// for a format that is not OpenCL C's.
bool formatOutput(std::string_view format, const std::byte *arguments, size_t bytes, std::string &text);

void appendOutput(std::string_view text);
void flushOutput(); // to stdout, in order with the host program's own output there

} // namespace lanecl::scheduler

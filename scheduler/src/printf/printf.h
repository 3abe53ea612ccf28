// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL C's printf, on the host (OpenCL C 3.1, 6.15.14).
#pragma once

#include "vectorizer/contract/abi.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanecl::scheduler {

// Implements abi::Services::printf: formats the output of one call by one work-item, and adds it to the process's
// buffer as a whole. Returns 0, or -1 when formatOutput() fails.
int32_t printfService(const char *format, const std::byte *arguments, uint32_t bytes);

inline constexpr abi::Services kServices{printfService};

// Appends the text of one call to `text`. Prints missing and mismatched arguments as far as possible. Returns false
// when there were any, or when the format is not valid in OpenCL C.
bool formatOutput(std::string_view format, const std::byte *arguments, size_t bytes, std::string &text);

// Adds text to the process's buffer, which is written out when it gets long.
void appendOutput(std::string_view text);
void flushOutput(); // writes the buffer to stdout, in order with the host program's own output

} // namespace lanecl::scheduler

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Texts sent through pipes, each preceded by its length.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace lanecl::fuzz {

bool sendText(int descriptor, const std::string &text); // false if the other end is closed

enum class Received { Text, Closed, TooLate };
Received receiveText(int descriptor, std::string &text, std::optional<std::chrono::steady_clock::time_point> deadline);

} // namespace lanecl::fuzz

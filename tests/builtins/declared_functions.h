// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The overloadable functions that a program sees with the default headers, by mangled name.
#pragma once

#include <set>
#include <string>
#include <vector>

// Parses Clang's opencl-c.h and our lanecl-c.h for one language version. `options` are further -cc1 style options.
std::set<std::string> declaredFunctions(const std::string &language, const std::vector<std::string> &options);

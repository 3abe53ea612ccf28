// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mangles the names of OpenCL C's overloaded functions as Clang does (Itanium C++ ABI).
#pragma once

#include <string>
#include <vector>

namespace lanecl::frontend::spirv {

// Returns "_Z<length><name><parameters>", or an empty name when the type of a parameter is empty, which means that it
// has no name. Parameters are given in full. A vector type that occurs again is written as a substitution of the first
// one.
inline std::string mangle(const std::string &name, const std::vector<std::string> &parameters) {
  std::string mangled = "_Z" + std::to_string(name.size()) + name;
  std::vector<std::string> vectors;
  for (const std::string &parameter : parameters) {
    if (parameter.empty())
      return {};
    size_t known = 0;
    while (known < vectors.size() && vectors[known] != parameter)
      ++known;
    if (known < vectors.size())
      mangled += known == 0 ? "S_" : "S" + std::to_string(known - 1) + "_";
    else
      mangled += parameter;
    if (known == vectors.size() && parameter.starts_with("Dv"))
      vectors.push_back(parameter);
  }
  return mangled;
}

} // namespace lanecl::frontend::spirv

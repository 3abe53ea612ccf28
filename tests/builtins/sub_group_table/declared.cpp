// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "declared.hpp"

#include <fstream>
#include <regex>
#include <stdexcept>

namespace lanecl::test::table {
namespace {

bool isElsewhere(const std::string &line) {
  for (const char *word : {"clock_read", "image", "pipe", "ndrange", "_avc_", "_ime_", "_mce_", "_ref_", "_sic_"})
    if (line.find(word) != std::string::npos)
      return true;
  return false;
}

// "const __global uint* p" is "global uint*".
std::string typeOf(std::string parameter) {
  parameter = std::regex_replace(parameter, std::regex("\\bconst\\b|__(?=global|local)"), "");
  std::smatch parts;
  if (!std::regex_match(parameter, parts, std::regex("\\s*((?:global|local)\\s+)?(\\w*)\\s*(\\*?).*")))
    throw std::runtime_error("a parameter without a type: " + parameter);
  if (parts[2] == "void")
    return "";
  const std::string space = parts[1].matched ? std::regex_replace(parts[1].str(), std::regex("\\s+"), " ") : "";
  return space + parts[2].str() + parts[3].str();
}

} // namespace

std::set<std::string> declaredSubGroupFunctions(const std::string &header) {
  std::ifstream file(header);
  if (!file)
    throw std::runtime_error("cannot read " + header);
  const std::regex declaration("^\\w+\\s+__ovld.*?(\\w*sub_group\\w*)\\s*\\(([^,)]*).*");
  std::set<std::string> functions;
  std::smatch parts;
  for (std::string line; std::getline(file, line);)
    if (line.find("sub_group") != std::string::npos && !isElsewhere(line) && std::regex_match(line, parts, declaration))
      functions.insert(parts[1].str() + "(" + typeOf(parts[2]) + ")");
  return functions;
}

} // namespace lanecl::test::table

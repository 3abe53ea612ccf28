// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPIR-V modules of the tests. They are assembly text, which is assembled when a test needs it.
#pragma once

#include "support/session.hpp"

#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace lanecl::test {

using SpirvModule = std::vector<uint32_t>;

// Writes the beginning that modules share: capabilities, the memory model, and the types, constants and built-in
// variables that a module uses under the names that spirv-dis prints for them:
//
//   %uint, %v4float, %_ptr_CrossWorkgroup_uint, %uint_7, %GlobalInvocationId
class ModuleBeginning {
public:
  explicit ModuleBeginning(const std::string &text) : text(text) {
    for (const std::string &name : namesIn(text))
      if (text.find("%" + name + " =") == std::string::npos)
        define(name);
  }

  // Returns the module with its beginning.
  std::string completed() const {
    const size_t model = firstLineBesides({"OpCapability", "OpExtension", "OpExtInstImport"});
    const size_t types = firstLineBesides(
        {"OpCapability", "OpExtension", "OpExtInstImport", "OpEntryPoint", "OpExecutionMode", "OpString", "OpSource",
         "OpName", "OpMemberName", "OpDecorat", "OpMemberDecorate", "OpGroupDecorate", "OpGroupMemberDecorate"});
    return capabilities() + text.substr(0, model) + "OpMemoryModel Physical64 OpenCL\n" +
           text.substr(model, types - model) + decorations + definitions + text.substr(types);
  }

private:
  static std::vector<std::string> namesIn(const std::string &text) {
    std::vector<std::string> names;
    for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
      size_t end = at + 1;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
      names.push_back(text.substr(at + 1, end - at - 1));
    }
    return names;
  }

  // Returns where the first line begins that has none of these instructions and is neither empty nor a comment.
  size_t firstLineBesides(const std::vector<std::string> &instructions) const {
    std::istringstream lines(text);
    size_t begin = 0;
    for (std::string line; std::getline(lines, line); begin += line.size() + 1) {
      const std::string code = line.substr(0, line.find(';'));
      const bool is_empty = code.find_first_not_of(' ') == std::string::npos;
      if (!is_empty && std::none_of(instructions.begin(), instructions.end(), [&](const std::string &instruction) {
            return code.find(instruction) != std::string::npos;
          }))
        return begin;
    }
    return text.size();
  }

  // Defines a name of spirv-dis after the names that its definition uses.
  void define(const std::string &name) {
    const std::string definition = definitionOf(name);
    if (definition.empty() || !defined.insert(name).second)
      return;
    for (const std::string &used : namesIn(definition))
      define(used);
    definitions += "%" + name + " = " + definition + "\n";
    if (definition.starts_with("OpVariable"))
      decorations += "OpDecorate %" + name + " BuiltIn " + name + "\nOpDecorate %" + name + " Constant\n";
  }

  // Returns what a name of spirv-dis stands for, or an empty text for other names.
  static std::string definitionOf(const std::string &name) {
    static const std::map<std::string, std::string> kFixed{{"void", "OpTypeVoid"},
                                                           {"bool", "OpTypeBool"},
                                                           {"true", "OpConstantTrue %bool"},
                                                           {"uchar", "OpTypeInt 8 0"},
                                                           {"ushort", "OpTypeInt 16 0"},
                                                           {"uint", "OpTypeInt 32 0"},
                                                           {"ulong", "OpTypeInt 64 0"},
                                                           {"half", "OpTypeFloat 16"},
                                                           {"float", "OpTypeFloat 32"},
                                                           {"double", "OpTypeFloat 64"},
                                                           {"GlobalInvocationId", kThree},
                                                           {"LocalInvocationId", kThree},
                                                           {"GlobalSize", kThree},
                                                           {"WorkgroupSize", kThree},
                                                           {"GlobalLinearId", kUlong},
                                                           {"LocalInvocationIndex", kUlong},
                                                           {"SubgroupId", kUint},
                                                           {"SubgroupMaxSize", kUint},
                                                           {"NumSubgroups", kUint},
                                                           {"SubgroupLocalInvocationId", kUint}};
    if (const auto found = kFixed.find(name); found != kFixed.end())
      return found->second;
    const size_t bar = name.rfind('_');
    if (name.starts_with("_ptr_"))
      return "OpTypePointer " + name.substr(5, bar - 5) + " %" + name.substr(bar + 1);
    if (bar != std::string::npos && kFixed.contains(name.substr(0, bar)) &&
        name.find_first_not_of("0123456789", bar + 1) == std::string::npos)
      return "OpConstant %" + name.substr(0, bar) + " " + name.substr(bar + 1);
    const size_t element = name.find_first_not_of("0123456789", 1);
    if (name.starts_with('v') && element != 1 && element != std::string::npos && kFixed.contains(name.substr(element)))
      return "OpTypeVector %" + name.substr(element) + " " + name.substr(1, element - 1);
    return "";
  }

  // Returns the capabilities that all modules need, and those of the types.
  std::string capabilities() const {
    std::string lines = "OpCapability Addresses\nOpCapability Kernel\n";
    for (const auto &[type, capability] : {std::pair{"OpTypeInt 8 ", "Int8"},
                                           {"OpTypeInt 16 ", "Int16"},
                                           {"OpTypeInt 64 ", "Int64"},
                                           {"OpTypeFloat 16", "Float16"},
                                           {"OpTypeFloat 64", "Float64"}})
      if ((text + definitions).find(type) != std::string::npos)
        lines += std::string("OpCapability ") + capability + "\n";
    return lines;
  }

  static constexpr const char *kThree = "OpVariable %_ptr_Input_v3ulong Input",
                              *kUlong = "OpVariable %_ptr_Input_ulong Input",
                              *kUint = "OpVariable %_ptr_Input_uint Input";
  const std::string &text;
  std::set<std::string> defined;
  std::string decorations, definitions;
};

// Assembles a module for SPIR-V version 1.`minor`. A module without a memory model gets the beginning that modules
// share.
inline SpirvModule assemble(const std::string &text, unsigned minor = 3) {
  constexpr spv_target_env kEnvironments[] = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
                                              SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
                                              SPV_ENV_UNIVERSAL_1_6};
  spvtools::SpirvTools tools(kEnvironments[minor]);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &position, const char *what) {
    message += std::to_string(position.line + 1) + ": " + what + "\n";
  });
  SpirvModule module;
  const bool is_complete = text.find("OpMemoryModel") != std::string::npos;
  if (!tools.Assemble(is_complete ? text : ModuleBeginning(text).completed(), &module))
    throw std::runtime_error("the test's SPIR-V cannot be assembled: " + message);
  return module;
}

// Returns the text of a test module.
inline std::string textOfFile(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!(text << file.rdbuf()))
    throw std::runtime_error("there is no test module " + path);
  return text.str();
}

// Replaces each occurrence of some names in a text, such as placeholders in a module.
inline std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>> &names) {
  for (const auto &[from, to] : names)
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

// Creates a program from a module, without building it.
inline Program createWithIl(const Session &cl, const SpirvModule &module) {
  cl_int code = 1;
  Program program(clCreateProgramWithIL(cl.context, module.data(), module.size() * sizeof(uint32_t), &code));
  check(code, "clCreateProgramWithIL");
  return program;
}

// Builds a program and returns it. Throws BuildError, with the log, if that fails.
inline Program buildIl(const Session &cl, const Program &program, const std::string &options = "") {
  if (cl_int code = clBuildProgram(program, 1, &cl.device, options.c_str(), nullptr, nullptr); code != CL_SUCCESS)
    throw BuildError(code, buildLog(program, cl.device));
  return program;
}

} // namespace lanecl::test

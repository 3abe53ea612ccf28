// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPIR-V modules of the tests. They are assembly text, which is assembled when a test needs it.
#pragma once

#include "support/session.hpp"

#include <spirv-tools/libspirv.hpp>

#include <fstream>
#include <sstream>

namespace lanecl::test {

using SpirvModule = std::vector<uint32_t>;

// Assembles a module for SPIR-V version 1.`minor`.
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
  if (!tools.Assemble(text, &module))
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

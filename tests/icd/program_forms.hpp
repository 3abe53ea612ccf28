// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs that are made in other ways than from one source.
#pragma once

#include "support/session.hpp"

namespace lanecl::test {

inline Program fromBinary(const Session &cl, const Program &program) {
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "clGetProgramInfo");
  std::vector<unsigned char> bytes(size);
  unsigned char *target = bytes.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof target, &target, nullptr), "clGetProgramInfo");
  const unsigned char *source = target;
  cl_int code = CL_SUCCESS;
  Program loaded(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &source, nullptr, &code));
  check(code, "clCreateProgramWithBinary");
  check(clBuildProgram(loaded, 1, &cl.device, "", nullptr, nullptr), "clBuildProgram");
  return loaded;
}

inline Program linked(const Session &cl, const std::vector<std::string> &sources, const char *options) {
  std::vector<Program> programs;
  std::vector<cl_program> inputs;
  for (const std::string &source : sources) {
    programs.push_back(cl.source(source));
    inputs.push_back(programs.back());
    check(clCompileProgram(inputs.back(), 1, &cl.device, options, 0, nullptr, nullptr, nullptr, nullptr),
          "clCompileProgram");
  }
  cl_int code = CL_SUCCESS;
  Program program(
      clLinkProgram(cl.context, 1, &cl.device, "", cl_uint(inputs.size()), inputs.data(), nullptr, nullptr, &code));
  check(code, "clLinkProgram");
  return program;
}

} // namespace lanecl::test

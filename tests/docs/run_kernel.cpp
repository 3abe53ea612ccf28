// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// run_kernel FILE GLOBAL LOCAL [BUILD OPTIONS]: runs the only kernel of a file, which has one argument, `global TYPE
// *out` with one element for each work-item, and prints the elements. What fails is printed with its error's name.
// Sizes are one to three numbers, such as 64 or 16x4; the elements are printed sixteen per line, or one row of
// GLOBAL per line.
#include "support/session.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

using namespace lanecl::test;

namespace {

const std::map<cl_int, const char *> kNames = {
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
};

std::string nameOf(cl_int code) {
  const auto found = kNames.find(code);
  return found == kNames.end() ? "error " + std::to_string(code) : found->second;
}

std::vector<size_t> sizes(const std::string &text) {
  std::vector<size_t> result;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, 'x');)
    result.push_back(std::stoul(part));
  return result;
}

Kernel onlyKernel(const Program &program) {
  Kernel kernel;
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 1, kernel.out(), &count), "clCreateKernelsInProgram");
  return kernel;
}

std::string typeOfArgument(const Kernel &kernel) {
  char name[64] = {};
  check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr), "clGetKernelArgInfo");
  return name;
}

template <class T> void printAll(const std::vector<T> &values, size_t row) {
  for (size_t i = 0; i < values.size(); ++i) {
    std::ostringstream text;
    text << values[i];
    std::printf("%s%s", text.str().c_str(), (i + 1) % row == 0 || i + 1 == values.size() ? "\n" : " ");
  }
}

template <class T>
void runAs(const Session &cl, const Kernel &kernel, const std::vector<size_t> &global,
           const std::vector<size_t> &local) {
  size_t count = 1;
  for (size_t size : global)
    count *= size;
  Memory out = cl.buffer(std::vector<T>(count));
  cl.setArguments(kernel, out);
  const cl_int code = clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(global.size()), nullptr, global.data(),
                                             local.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS)
    throw std::runtime_error("clEnqueueNDRangeKernel: " + nameOf(code));
  printAll(cl.read<T>(out), global.size() > 1 ? global[0] : 16);
}

void run(const std::string &text, const std::vector<size_t> &global, const std::vector<size_t> &local,
         const std::string &options) {
  const Session cl;
  const Program program = cl.build(text, options);
  const Kernel kernel = onlyKernel(program);
  const std::string type = typeOfArgument(kernel);
  if (type == "float*")
    runAs<float>(cl, kernel, global, local);
  else if (type == "uint*")
    runAs<cl_uint>(cl, kernel, global, local);
  else
    runAs<cl_int>(cl, kernel, global, local);
}

} // namespace

int main(int count, char **arguments) {
  if (count != 4 && count != 5)
    return 2;
  std::ifstream file(arguments[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    run(text, sizes(arguments[2]), sizes(arguments[3]), count == 5 ? arguments[4] : "-cl-std=CL3.0");
  } catch (const BuildError &failure) {
    std::printf("clBuildProgram: %s\n%s", nameOf(failure.code).c_str(), failure.log.c_str());
    return 1;
  } catch (const std::exception &failure) {
    std::printf("%s\n", failure.what());
    return 1;
  }
  return 0;
}

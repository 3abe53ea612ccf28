#include "print/printer.h"

namespace lanecl::fuzz {

using Role = MemoryObject::Role;

bool isArgument(const MemoryObject &object) {
  return object.role != Role::Table && object.role != Role::Local;
}

Printer::Printer(const Kernel &kernel_, bool constants_at_build_, Helpers &helpers_)
    : kernel(kernel_), constants_at_build(constants_at_build_), helpers(helpers_) {}

std::string Printer::run() {
  tables();
  for (size_t i = 0; i + 1 < kernel.functions.size(); ++i)
    helper(kernel.functions[i]);
  entry(kernel.functions.back());
  return text.str();
}

std::string Printer::options() const {
  std::string result;
  for (size_t i = 0; constants_at_build && i < kernel.parameters.size(); ++i)
    result += " -D" + parameterName(i) + "=" + literal(kernel.parameters[i].type, int64_t(kernel.parameters[i].bits));
  return result;
}

std::string Printer::parameterName(size_t number) const {
  return constants_at_build ? "P" + std::to_string(number) + "_" + kernel.name : "p" + std::to_string(number);
}

void Printer::tables() {
  const Contents contents = initialContents(kernel, kernel.launches[0]);
  for (size_t i = 0; i < kernel.memories.size(); ++i) {
    const MemoryObject &object = kernel.memories[i];
    if (object.role != Role::Table)
      continue;
    text << "constant " << nameOf(object.type) << " " << object.name << "_" << kernel.name << "[] = {";
    for (size_t k = 0; k < contents[i].size(); ++k)
      text << (k ? ", " : "") << literal(object.type, int64_t(contents[i][k]));
    text << "};\n";
  }
}

// What every function takes: memory and, where they are no constants, parameters.
std::string Printer::sharedParameters(bool of_kernel) const {
  std::string result;
  const auto add = [&](const std::string &parameter) { result += (result.empty() ? "" : ", ") + parameter; };
  for (const MemoryObject &object : kernel.memories)
    if (isArgument(object) || (object.role == Role::Local && !of_kernel))
      add((object.isInLocalMemory()                   ? "local "
           : object.isWritten() || object.isScratch() ? "global "
                                                      : "global const ") +
          nameOf(object.type) + " *" + object.name);
  for (size_t i = 0; !constants_at_build && i < kernel.parameters.size(); ++i)
    add(nameOf(kernel.parameters[i].type) + " " + parameterName(i));
  return result;
}

std::string Printer::passed() const {
  std::string result;
  const auto add = [&](const std::string &name) { result += (result.empty() ? "" : ", ") + name; };
  for (const MemoryObject &object : kernel.memories)
    if (object.role != Role::Table)
      add(object.name);
  for (size_t i = 0; !constants_at_build && i < kernel.parameters.size(); ++i)
    add(parameterName(i));
  return result;
}

void Printer::helper(const Function &f) {
  function = &f;
  text << nameOf(f.result) << " " << functionName(f) << "(" << sharedParameters(false);
  for (unsigned i = 0; i < f.parameters; ++i) {
    const Variable &v = f.variables[i];
    text << ", " << nameOf(v.type) << (v.pointer ? " *" : " ") << v.name;
  }
  text << ") {\n";
  block(f.body);
  text << "}\n";
}

void Printer::entry(const Function &f) {
  function = &f;
  const NDRange &range = kernel.launches[0];
  if (kernel.required_width)
    text << "__attribute__((intel_reqd_sub_group_size(" << kernel.required_width << "))) ";
  if (kernel.required_local)
    text << "__attribute__((reqd_work_group_size(" << range.localSize(0) << ", " << range.localSize(1) << ", "
         << range.localSize(2) << "))) ";
  text << "kernel void " << kernel.name << "(" << sharedParameters(true) << ") {\n";
  for (size_t i = 0; i < kernel.memories.size(); ++i)
    if (kernel.memories[i].role == Role::Local)
      text << "  local " << nameOf(kernel.memories[i].type) << " " << kernel.memories[i].name << "["
           << kernel.elements(unsigned(i), range) << "];\n";
  block(f.body);
  text << "}\n";
}

Text print(const std::vector<const Kernel *> &kernels, bool constants_at_build) {
  Helpers helpers;
  std::string functions;
  Text result;
  for (const Kernel *kernel : kernels) {
    Printer printer(*kernel, constants_at_build, helpers);
    functions += printer.run();
    result.options += printer.options();
  }
  result.source = "#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const std::string &helper : helpers)
    result.source += helper;
  result.source += functions;
  return result;
}

} // namespace lanecl::fuzz

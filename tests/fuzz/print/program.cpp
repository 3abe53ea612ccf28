// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints what a program consists of: records, variables at program scope, helper functions and the kernel itself.
#include "print/printer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

namespace lanecl::fuzz {

using Role = MemoryObject::Role;

bool isArgument(const MemoryObject &object) {
  return object.role != Role::Table && object.role != Role::Program && object.role != Role::Local &&
         !object.isDeclaredForAll();
}

namespace {

// Returns a literal of the value with these bits. Numbers are printed in hexadecimal, which is exact.
std::string literalOfBits(Base base, uint64_t bits) {
  if (isInteger(base))
    return literal({base, 1}, int64_t(bits));
  const double value = toNumber(base, bits);
  char text[32];
  std::snprintf(text, sizeof text, "%a", value);
  return "((" + nameOf({base, 1}) + ")(" + (std::isfinite(value) ? text : value < 0 ? "-INFINITY" : "INFINITY") + "))";
}

// Returns whether the kernel declares the object itself, in local memory.
bool isDeclaredLocal(const MemoryObject &object) {
  return object.role == Role::Local || object.isDeclaredForAll();
}

// Prints a union of a value with arrays of the parts that it can be accessed by, see Printer::part().
std::string unionOf(Type type) {
  std::string result = "union { " + nameOf(type) + " whole;";
  for (Type part : partTypes(type.base))
    result += " " + nameOf(part) + " in_" + nameOf(part) + "[" + std::to_string(partsOf(type, part)) + "];";
  return result + " }";
}

std::string imageType(const ImageShape &image) {
  constexpr const char *kAccess[] = {"read_only", "write_only", "read_write"};
  return std::string(kAccess[unsigned(image.access)]) + " image" + std::to_string(image.dims) + "d_t ";
}

} // namespace

Printer::Printer(const Kernel &kernel_, bool constants_at_build_, Helpers &helpers_)
    : kernel(kernel_), constants_at_build(constants_at_build_), helpers(helpers_) {}

std::string Printer::run() {
  records();
  programVariables();
  for (size_t i = 0; i + 1 < kernel.functions.size(); ++i)
    helper(kernel.functions[i]);
  entry(kernel.functions.back());
  return text.str();
}

// Returns the build options that define the parameters as macros, if they are constants.
std::string Printer::options() const {
  std::string result;
  for (size_t i = 0; constants_at_build && i < kernel.parameters.size(); ++i)
    result += " -D" + parameterName(i) + "=" + literal(kernel.parameters[i].type, int64_t(kernel.parameters[i].bits));
  return result;
}

std::string Printer::parameterName(size_t number) const {
  return constants_at_build ? "P" + std::to_string(number) + "_" + kernel.name : "p" + std::to_string(number);
}

std::string Printer::typeName(Type type) const {
  return isRecord(type) ? kernel.records[type.record - 1].name + "_" + kernel.name : nameOf(type);
}

// Returns the name that the text uses. At program scope, it ends in the kernel's name.
std::string Printer::nameOfMemory(const MemoryObject &object) const {
  const bool shared = object.role == Role::Table || object.role == Role::Program;
  return shared ? object.name + "_" + kernel.name : object.name;
}

std::string Printer::declaration(const Variable &v) const {
  if (v.pointer)
    return (v.constant && v.space != Space::Constant ? "const " : "") + spelled(v.space) + typeName(v.type) + " *" +
           (v.restrict_ ? "restrict " : "") + v.name;
  return (v.size_t_ ? "size_t" : typeName(v.type)) + " " + v.name;
}

// Returns the records that the text names, and those that they contain.
std::set<unsigned> Printer::usedRecords() const {
  std::set<unsigned> result;
  const std::function<void(Type)> add = [&](Type type) {
    if (!isRecord(type) || !result.insert(type.record - 1u).second)
      return;
    for (const Field &field : kernel.records[type.record - 1u].fields)
      add(field.type);
  };
  for (const MemoryObject &object : kernel.memories)
    add(object.type);
  for (const Function &f : kernel.functions) {
    add(f.result);
    for (unsigned i = 0; i < f.parameters; ++i)
      add(f.variables[i].type);
    forEachStatement(f.body, [&](const Stmt &s) {
      if (s.kind == Stmt::Kind::Declare)
        add(f.variables[s.target.variable].type);
    });
  }
  return result;
}

void Printer::records() {
  for (unsigned number : usedRecords()) {
    const Record &record = kernel.records[number];
    text << "typedef struct " << (record.packed ? "__attribute__((packed)) " : "") << "{";
    for (const Field &field : record.fields)
      text << " " << (field.overlaid ? unionOf(field.type) : typeName(field.type)) << " " << field.name
           << (field.array ? "[" + std::to_string(field.count) + "]" : "") << ";";
    text << " } " << record.name << "_" << kernel.name << ";\n";
  }
}

// Prints program-scope variables: buffers in global memory, and tables of constants with their contents.
void Printer::programVariables() {
  const Contents contents = initialContents(kernel, kernel.launches[0]);
  for (size_t i = 0; i < kernel.memories.size(); ++i) {
    const MemoryObject &object = kernel.memories[i];
    const std::string declared = typeName(object.type) + " " + nameOfMemory(object);
    if (object.role == Role::Program)
      text << "global " << declared << "[" << kernel.elements(unsigned(i), kernel.launches[0]) << "];\n";
    if (object.role != Role::Table)
      continue;
    const std::vector<Type> leaves = leavesOf(object.type, kernel.records);
    text << "constant " << declared << "[] = {";
    for (size_t cell = 0, leaf = 0; cell < contents[i].size(); ++leaf) {
      const Type type = leaves[leaf % leaves.size()];
      text << (cell ? ", " : "") << (isVector(type) ? "(" + nameOf(type) + ")(" : "");
      for (unsigned k = 0; k < type.lanes; ++k, ++cell)
        text << (k ? ", " : "") << literalOfBits(type.base, contents[i][cell]);
      text << (isVector(type) ? ")" : "");
    }
    text << "};\n";
  }
}

// Returns the parameters that every function takes: memory and, unless they are constants, the kernel's parameters.
std::string Printer::sharedParameters(bool of_kernel, bool restricted) const {
  std::string result;
  const auto add = [&](const std::string &parameter) { result += (result.empty() ? "" : ", ") + parameter; };
  for (const MemoryObject &object : kernel.memories)
    if (isArgument(object) || (isDeclaredLocal(object) && !of_kernel))
      add(object.role == Role::Image ? imageType(object.image) + object.name
                                     : (object.isInLocalMemory() ? "local "
                                        : object.isRead()        ? "global const "
                                                                 : "global ") +
                                           typeName(object.type) + (restricted ? " *restrict " : " *") + object.name);
  for (const MemoryObject &object : kernel.memories)
    if (object.isOfTurns() && !of_kernel)
      add("uint *" + turnCounter(object));
  for (size_t i = 0; !constants_at_build && i < kernel.parameters.size(); ++i)
    add(nameOf(kernel.parameters[i].type) + " " + parameterName(i));
  return result;
}

// Returns the arguments for the parameters that sharedParameters() declares.
std::string Printer::passed() const {
  std::string result;
  const auto add = [&](const std::string &name) { result += (result.empty() ? "" : ", ") + name; };
  for (const MemoryObject &object : kernel.memories)
    if (isArgument(object) || isDeclaredLocal(object))
      add(object.name);
  for (const MemoryObject &object : kernel.memories)
    if (object.isOfTurns())
      add(turnCounter(object));
  for (size_t i = 0; !constants_at_build && i < kernel.parameters.size(); ++i)
    add(parameterName(i));
  return result;
}

// Prints a helper function.
void Printer::helper(const Function &f) {
  function = &f;
  text << typeName(f.result) << " " << functionName(f) << "(" << sharedParameters(false, f.restrict_);
  for (unsigned i = 0; i < f.parameters; ++i)
    text << ", " << declaration(f.variables[i]);
  text << ") {\n";
  block(f.body);
  text << "}\n";
}

// Prints the kernel function with its attributes and its arrays in local memory.
void Printer::entry(const Function &f) {
  function = &f;
  const NDRange &range = kernel.launches[0];
  if (kernel.required_width)
    text << "__attribute__((intel_reqd_sub_group_size(" << kernel.required_width << "))) ";
  if (kernel.required_local)
    text << "__attribute__((reqd_work_group_size(" << range.localSize(0) << ", " << range.localSize(1) << ", "
         << range.localSize(2) << "))) ";
  text << "kernel void " << kernel.name << "(" << sharedParameters(true, f.restrict_) << ") {\n";
  for (size_t i = 0; i < kernel.memories.size(); ++i)
    if (isDeclaredLocal(kernel.memories[i]))
      text << "  local " << typeName(kernel.memories[i].type) << " " << kernel.memories[i].name << "["
           << kernel.elements(unsigned(i), range) << "];\n";
  startTurns();
  startLocks();
  block(f.body);
  text << "}\n";
}

// Prints the kernels as one program. The lines of the statements are those of the whole text, helper functions
// included.
Text print(const std::vector<const Kernel *> &kernels, bool constants_at_build) {
  const auto linesOf = [](const std::string &text) { return unsigned(std::count(text.begin(), text.end(), '\n')); };
  Helpers helpers;
  std::string functions;
  Text result;
  for (const Kernel *kernel : kernels) {
    Printer printer(*kernel, constants_at_build, helpers);
    const unsigned before = linesOf(functions);
    functions += printer.run();
    result.options += printer.options();
    for (const auto &[statement, line] : printer.statementLines())
      result.lines[statement] = before + line;
  }
  const bool relaxed =
      std::any_of(kernels.begin(), kernels.end(), [](const Kernel *kernel) { return kernel->relaxed; });
  result.options += relaxed ? " -cl-unsafe-math-optimizations" : " -cl-fp32-correctly-rounded-divide-sqrt";
  if (!relaxed)
    result.source = "#pragma OPENCL FP_CONTRACT OFF\n";
  result.source += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const std::string &helper : helpers)
    result.source += helper;
  for (auto &[statement, line] : result.lines)
    line += linesOf(result.source);
  result.source += functions;
  return result;
}

} // namespace lanecl::fuzz

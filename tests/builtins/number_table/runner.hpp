// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What computes a table's functions: this device's lanes, or the library's code on the host, one item after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanecl::test {

using Bytes = std::vector<uint8_t>;

// OpenCL C that reads item i of in0, in1, ... and writes item i of out; `count` is how many items there are.
struct TableFunction {
  std::string name;
  std::vector<std::string> inputs; // their element types
  std::string output;
  std::string body;
};

class Runner {
public:
  virtual ~Runner() = default;
  virtual void build(const std::vector<TableFunction> &functions) = 0;
  virtual Bytes run(const std::string &name, size_t items, const std::vector<Bytes> &inputs, size_t output_bytes) = 0;

  // The components of vectors that are worth trying here, 1 for scalars.
  virtual std::vector<unsigned> widths() const = 0;
  // And for the function of this number in a table of so many that neighbors may take turns.
  virtual std::vector<unsigned> widthsOf(size_t) const { return widths(); }
};

// Each program that contains the tables has one of its own.
std::unique_ptr<Runner> makeRunner();

// "(global const int *in0, ..., global int *out", without the end.
inline std::string parametersOf(const TableFunction &function) {
  std::string text = "(";
  for (size_t i = 0; i < function.inputs.size(); ++i)
    text += "global const " + function.inputs[i] + " *in" + std::to_string(i) + ", ";
  return text + "global " + function.output + " *out";
}

// Item i of an array as a scalar or vector, and its store.
inline std::string loaded(unsigned width, const std::string &array) {
  return width == 1 ? array + "[i]" : "vload" + std::to_string(width) + "(i, " + array + ")";
}
inline std::string stored(unsigned width, const std::string &value, const std::string &item) {
  return (width == 1 ? "out[" + item + "] = " + value
                     : "vstore" + std::to_string(width) + "(" + value + ", " + item + ", out)") +
         ";\n";
}

} // namespace lanecl::test

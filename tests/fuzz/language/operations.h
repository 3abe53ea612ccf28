// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The operations of expressions, and what is known about each.
#pragma once

#include <string_view>

namespace lanecl::fuzz {

// Operators and built-in functions without side effects.
enum class Op {
#define OPERATION(name, operands, form, text) name,
#include "language/operations.def"
};

enum class Form { Infix, Prefix, Comparison, Logical, Function };

// How an operation is printed, and how many operands it takes.
struct OpInfo {
  std::string_view text; // in OpenCL C
  unsigned operands;
  Form form;
};

inline constexpr OpInfo kOps[] = {
#define OPERATION(name, operands, form, text) {text, operands, Form::form},
#include "language/operations.def"
};

constexpr const OpInfo &infoOf(Op op) {
  return kOps[unsigned(op)];
}

} // namespace lanecl::fuzz

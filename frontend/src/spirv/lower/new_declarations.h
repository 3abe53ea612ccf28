// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The declarations of built-in functions, types and constants that the replacements of instructions need. They are
// collected, and inserted into their sections of the module at the end.
#pragma once

#include "spirv/module/module.h"
#include "spirv/module/types.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanecl::frontend::spirv {

class NewDeclarations {
public:
  using Code = std::vector<uint32_t>; // an encoded instruction, or words that go into one

  // A declared function: its id, and the types of its result and its parameters.
  struct Function {
    uint32_t id = 0;
    Code signature;
  };

  NewDeclarations(Module &module, const Types &types) : module(module), types(types) {}

  // Notes where the module's sections start. Called for each instruction of the module, in order, with its position in
  // the new code.
  void note(const Instruction &instruction, size_t position);
  // Inserts the declarations into the new code of the whole module.
  void insertInto(std::vector<Code> &code) const;

  // Returns the function with this name. It is declared with `signature` at its first call.
  const Function &function(const std::string &name, const Code &signature);
  // Returns a new type. Types are kept by their descriptions, because a module must not declare a type twice.
  uint32_t type(spv::Op op, const Code &description);
  // Returns a new constant. The module's own constants are not searched, since constants may be declared twice.
  uint32_t value(spv::Op op, uint32_t type, const Code &literals);
  // These return the module's own type if it has one.
  uint32_t voidType();
  uint32_t uintType();

private:
  uint32_t functionType(const Code &signature);

  Module &module;
  const Types &types;
  // Where these sections start in the new code: names before decorations, types before functions.
  size_t annotations = SIZE_MAX, type_section = SIZE_MAX, functions = SIZE_MAX;
  bool has_linkage = false; // whether the module declares that capability
  std::map<std::string, Function> declared;
  std::map<std::pair<spv::Op, Code>, uint32_t> new_types, new_values;
  std::vector<Code> names, decorations, type_declarations, declarations;
};

} // namespace lanecl::frontend::spirv

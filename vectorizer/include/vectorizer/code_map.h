// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where loaded code lies, and which functions and lines of the source it came from. No LLVM in this header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

struct CodeLine {
  uint64_t offset = 0; // of its first instruction from the code's begin
  uint32_t line = 0;   // 0: of no line
  uint32_t file = 0;   // in CodeMap::files
};

struct CodeFunction {
  uint64_t begin = 0, end = 0; // offsets from the code's begin
  std::string name;
};

struct CodeMap {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  std::vector<CodeLine> lines; // function by function, in the order of the code; empty where it was built without -g
  std::vector<std::string> files;
  std::vector<CodeFunction> functions; // that the source defines; empty where it was built without -g

  // All may be called in a signal handler.
  bool contains(uintptr_t address) const { return address - begin < bytes; }
  // The line that an instruction in the code belongs to; null: not known.
  const CodeLine *lineAt(uintptr_t address) const {
    const CodeLine *found = nullptr;
    for (const CodeLine &line : lines)
      if (line.offset <= address - begin && (!found || isNearer(line, *found)))
        found = &line;
    return found && found->line != 0 ? found : nullptr;
  }

  // The function that an instruction in the code belongs to; null: not one of the source.
  const CodeFunction *functionAt(uintptr_t address) const {
    for (const CodeFunction &function : functions)
      if (function.begin <= address - begin && address - begin < function.end)
        return &function;
    return nullptr;
  }

private:
  // Where one function ends the next one begins.
  static bool isNearer(const CodeLine &line, const CodeLine &other) {
    return line.offset > other.offset || (line.offset == other.offset && line.line != 0);
  }
};

struct CompiledKernel;

// Of a kernel that Vectorizer::compile() has made.
const CodeMap &codeMapOf(const CompiledKernel &kernel);

} // namespace lanecl::vectorizer

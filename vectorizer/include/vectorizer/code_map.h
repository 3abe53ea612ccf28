// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Maps addresses of loaded code to the functions and lines of the source. This header includes no LLVM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// The first instruction that belongs to a source line.
struct CodeLine {
  uint64_t offset = 0; // from the start of the code, in bytes
  uint32_t line = 0;   // 0: the code belongs to no line
  uint32_t file = 0;   // index in CodeMap::files
};

// A function of the source, as the code contains it.
struct CodeFunction {
  uint64_t begin = 0, end = 0; // from the start of the code, in bytes; `end` is past the end
  std::string name;
};

// A piece of code in memory.
struct CodeRange {
  uintptr_t begin = 0; // its address
  uint64_t bytes = 0;
  bool contains(uintptr_t address) const { return address - begin < bytes; }
};

// The map of one kernel's code.
struct CodeMap {
  uintptr_t begin = 0; // the address of the code
  uint64_t bytes = 0;
  std::vector<CodeRange> functions_apart; // the code of functions that have no lines
  std::vector<CodeLine> lines; // in the order of the code, function by function; empty if there are no lines (no -g)
  std::vector<std::string> files;
  std::vector<CodeFunction> functions; // the functions that the source defines; empty without -g

  // The following functions may be called in a signal handler, as they neither allocate nor lock.
  bool contains(uintptr_t address) const {
    bool is_apart = false;
    for (const CodeRange &range : functions_apart)
      is_apart |= range.contains(address);
    return is_apart || CodeRange{begin, bytes}.contains(address);
  }
  // Returns the line of an instruction of this code; null if it is unknown.
  const CodeLine *lineAt(uintptr_t address) const {
    const CodeLine *found = nullptr;
    for (const CodeLine &line : lines)
      if (line.offset <= address - begin && (!found || isNearer(line, *found)))
        found = &line;
    return found && found->line != 0 ? found : nullptr;
  }

  // Returns the source function that an instruction of this code belongs to; null if there is none.
  const CodeFunction *functionAt(uintptr_t address) const {
    for (const CodeFunction &function : functions)
      if (function.begin <= address - begin && address - begin < function.end)
        return &function;
    return nullptr;
  }

private:
  // Whether `line` is closer to an address after both than `other` is. At the end of a function both may have the same
  // offset: the line 0 that ends the function, and the first line of the next function, which is the nearer one.
  static bool isNearer(const CodeLine &line, const CodeLine &other) {
    return line.offset > other.offset || (line.offset == other.offset && line.line != 0);
  }
};

struct CompiledKernel;

// Returns the map of a kernel that Vectorizer::compile() has returned.
const CodeMap &codeMapOf(const CompiledKernel &kernel);

} // namespace lanecl::vectorizer

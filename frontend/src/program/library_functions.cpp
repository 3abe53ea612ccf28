// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/library_functions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

struct RevealingFunction {
  llvm::StringLiteral name;
  Reveals tells;
};

// The functions that tell something, sorted by name.
constexpr RevealingFunction kRevealingFunctions[] = {
#define TELLING_FUNCTION(name, Kind) {name, Reveals::Kind},
#include "builtins/revealing_functions.def"
};

} // namespace

llvm::StringRef plainName(llvm::StringRef name) {
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length))
    return {};
  return name.substr(0, length);
}

Reveals revealedBy(llvm::StringRef name) {
  const llvm::StringRef mangled = plainName(name), plain = mangled.empty() ? name : mangled;
  // The lane primitives and the library's own functions, which only SPIR-V modules call. Few of them tell anything, but
  // they are not in the list.
  if (plain.starts_with("__lanecl") || plain.starts_with("__spirv"))
    return Reveals::SubGroups;
  const auto *found = llvm::lower_bound(
      kRevealingFunctions, plain, [](const RevealingFunction &row, llvm::StringRef key) { return row.name < key; });
  return found != std::end(kRevealingFunctions) && found->name == plain ? found->tells : Reveals::Nothing;
}

} // namespace lanecl::frontend

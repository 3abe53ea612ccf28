// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_support/diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lanecl::vectorizer {

static void printLocation(raw_ostream &out, const DILocation &location) {
  out << location.getFilename() << ':' << location.getLine() << ':' << location.getColumn() << ": ";
}

void Diagnostics::error(const Function &in, const DebugLoc &location, const Twine &message) {
  std::string text;
  raw_string_ostream out(text);
  // Line 0 means that the compiler made the instruction. Then the function's own line is reported.
  if (location && location->getLine() != 0) {
    printLocation(out, *location.get());
    out << "error: " << message;
    for (const DILocation *call = location->getInlinedAt(); call; call = call->getInlinedAt()) {
      out << '\n';
      printLocation(out, *call);
      out << "note: called here";
    }
  } else if (const DISubprogram *subprogram = in.getSubprogram()) {
    out << subprogram->getFilename() << ':' << subprogram->getLine() << ":1: error: " << message;
  } else {
    out << "error: in '" << in.getName() << "': " << message;
  }
  if (!is_contained(errors, text))
    errors.push_back(std::move(text));
}

void Diagnostics::error(const Instruction &at, const Twine &message) {
  error(*at.getFunction(), at.getDebugLoc(), message);
}

void Diagnostics::error(const Twine &message) {
  errors.push_back(("error: " + message).str());
}

std::string Diagnostics::text() const {
  return join(errors, "\n");
}

} // namespace lanecl::vectorizer

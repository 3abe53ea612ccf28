// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/relaxed_functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns whether the list has a function of this name.
static bool hasRelaxedForm(StringRef name) {
  return StringSwitch<bool>(name)
#define RELAXED_FUNCTION(name) .Case(#name, true)
#include "vectorizer/contract/relaxed_functions.def"
      .Default(false);
}

// Returns the mangled name of the relaxed function, "_Z27__lanecl_relaxed_sinDv4_f" for "_Z3sinDv4_f", or an empty
// string. Only functions of float have a relaxed form. Their mangled types start with f, or for vectors with
// Dv<length>_f.
static std::string relaxedName(StringRef name) {
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length) || length >= name.size())
    return {};
  const StringRef base = name.take_front(length), types = name.drop_front(length);
  StringRef element = types;
  if (element.consume_front("Dv"))
    element = element.drop_until([](char c) { return c == '_'; }).drop_front();
  if (!element.starts_with("f") || !hasRelaxedForm(base))
    return {};
  const std::string relaxed = "__lanecl_relaxed_" + base.str();
  return "_Z" + std::to_string(relaxed.size()) + relaxed + types.str();
}

// Returns whether the user is a call of the function whose flags permit an approximate result.
static bool mayBeApproximate(const User &user, const Function &callee) {
  const auto *call = dyn_cast<CallBase>(&user);
  return call && call->getCalledFunction() == &callee && isa<FPMathOperator>(call) && call->hasApproxFunc();
}

void callRelaxedFunctions(Module &program) {
  for (Function &function : make_early_inc_range(program)) {
    const std::string name = function.isDeclaration() ? relaxedName(function.getName()) : std::string();
    if (name.empty())
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (mayBeApproximate(*user, function)) {
        FunctionCallee relaxed =
            program.getOrInsertFunction(name, function.getFunctionType(), function.getAttributes());
        auto *callee = cast<Function>(relaxed.getCallee());
        callee->setCallingConv(function.getCallingConv());
        cast<CallBase>(user)->setCalledFunction(callee);
      }
  }
}

} // namespace lanecl::vectorizer

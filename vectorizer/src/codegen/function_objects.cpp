// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/function_objects.h"

#include "analysis/functions/kept_functions.h"
#include "vectorizer/content_hash.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Whether each module that uses the variable may have a copy of it. A program can compare or subtract addresses of a
// table that it names, so such a table must exist once.
bool isCopied(const GlobalVariable &variable) {
  return variable.hasLocalLinkage() && variable.isConstant() && variable.hasGlobalUnnamedAddr();
}

// Erases declarations and constants that nothing uses, so that they are not part of the key.
void eraseUnused(Module &module, const Function &kept) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      variable.eraseFromParent();
  }
  for (Function &function : make_early_inc_range(module))
    if (&function != &kept && function.use_empty())
      function.eraseFromParent();
}

// Orders declarations by name. In a kernel they come in the order in which its code first needed them.
void orderDeclarations(Module &module) {
  std::map<std::string, Function *> functions;
  for (Function &function : make_early_inc_range(module)) {
    function.removeFromParent();
    functions[function.getName().str()] = &function;
  }
  for (const auto &[name, function] : functions)
    module.getFunctionList().push_back(function);
}

void eraseNamedMetadata(Module &module) {
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    if (node.getName() != "llvm.module.flags")
      module.eraseNamedMetadata(&node);
}

// Lets other objects refer to the function or variable by its name.
void publish(GlobalValue &value) {
  if (!value.hasName())
    value.setName("published");
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::DefaultVisibility);
}

void publishVariables(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage() && !isCopied(variable))
      publish(variable);
}

// Lets the code reach variables of other objects at any distance: their addresses come from a table.
void reachVariables(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.isDeclaration())
      variable.setDSOLocal(false);
}

// Moves one function into a module of its own.
std::unique_ptr<Module> moveOut(Function &function) {
  Module &module = *function.getParent();
  const auto is_moved = [&](const GlobalValue *value) {
    const auto *variable = dyn_cast<GlobalVariable>(value);
    return value == &function || (variable != nullptr && isCopied(*variable));
  };
  ValueToValueMapTy values;
  std::unique_ptr<Module> own = CloneModule(module, values, is_moved);
  function.deleteBody();
  publish(*own->getFunction(function.getName()));
  eraseUnused(*own, *own->getFunction(function.getName()));
  eraseNamedMetadata(*own);
  reachVariables(*own);
  orderDeclarations(*own);
  own->setModuleIdentifier(function.getName());
  own->setSourceFileName(function.getName());
  return own;
}

} // namespace

std::vector<std::unique_ptr<Module>> moveFunctionsOut(Module &module, uint64_t least) {
  SmallVector<Function *> kept, moved;
  for (Function &function : module)
    if (!function.isDeclaration() && isKept(function))
      kept.push_back(&function);
  copy_if(kept, std::back_inserter(moved),
          [&](const Function *function) { return function->getInstructionCount() >= least; });
  std::vector<std::unique_ptr<Module>> modules;
  if (moved.empty())
    return modules;
  for (Function *function : kept)
    publish(*function);
  publishVariables(module);
  for (Function *function : moved)
    modules.push_back(moveOut(*function));
  return modules;
}

std::string keyOf(Module &module) {
  for (Function &function : module) {
    for (Argument &argument : function.args())
      argument.setName("");
    for (BasicBlock &block : function)
      block.setName("");
    for (Instruction &instruction : instructions(function))
      if (instruction.hasName())
        instruction.setName("");
  }
  SmallString<0> bitcode;
  raw_svector_ostream out(bitcode);
  WriteBitcodeToFile(module, out);
  return hashOf(bitcode.str());
}

std::shared_ptr<const FunctionObject> FunctionObjects::find(const std::string &key) const {
  const std::lock_guard lock(mutex);
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

// Forgets the oldest objects if there is no room.
void FunctionObjects::keep(const std::string &key, std::shared_ptr<const FunctionObject> object) {
  const std::lock_guard lock(mutex);
  const uint64_t size = object->code.bytes.size();
  if (!objects.try_emplace(key, std::move(object)).second)
    return;
  order.push_back(key);
  bytes += size;
  while (bytes > most_bytes) {
    const auto oldest = objects.find(order.front());
    assert(oldest != objects.end() && "each key in the order has an object");
    bytes -= oldest->second->code.bytes.size();
    objects.erase(oldest);
    order.pop_front();
  }
}

std::shared_ptr<const FunctionObject> FunctionObjects::get(const std::string &key,
                                                           function_ref<FunctionObject()> make) {
  if (std::shared_ptr<const FunctionObject> known = find(key))
    return known;
  auto made = std::make_shared<const FunctionObject>(make());
  if (made->code.error.empty())
    keep(key, made);
  return made;
}

uint64_t FunctionObjects::count() const {
  const std::lock_guard lock(mutex);
  return objects.size();
}

} // namespace lanecl::vectorizer

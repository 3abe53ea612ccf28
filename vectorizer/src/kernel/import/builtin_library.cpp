// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/builtin_library.h"

#include "analysis/functions/primitives.h"
#include "vectorizer/content_hash.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <chrono>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Copies definitions, and everything that they refer to, into a new module of the same context.
class Extractor {
public:
  explicit Extractor(Module &library)
      : library(library), result(std::make_unique<Module>("builtins", library.getContext())) {
    result->setDataLayout(library.getDataLayout());
    result->setTargetTriple(library.getTargetTriple());
  }

  // Returns null and a reason if a function's body cannot be read.
  std::unique_ptr<Module> run(ArrayRef<std::string> names, std::string &error);

private:
  bool collect(std::string &error);
  void collectFrom(const Value &value);
  void declare(GlobalValue &global);
  void define(GlobalValue &global);

  Module &library;
  std::unique_ptr<Module> result;
  SmallSetVector<GlobalValue *, 32> globals; // grows while it is being walked
  SmallPtrSet<const Value *, 32> seen;
  ValueToValueMapTy values;
};

// Adds the globals that a value refers to.
void Extractor::collectFrom(const Value &value) {
  if (auto *global = dyn_cast<GlobalValue>(&value)) {
    globals.insert(const_cast<GlobalValue *>(global));
    return;
  }
  if (!isa<Constant>(value) || !seen.insert(&value).second)
    return;
  for (const Use &operand : cast<Constant>(value).operands())
    collectFrom(*operand);
}

// Reads the bodies of all globals and adds everything that they refer to.
bool Extractor::collect(std::string &error) {
  for (size_t next = 0; next < globals.size(); ++next) {
    if (Error failed = globals[next]->materialize()) {
      error = toString(std::move(failed));
      return false;
    }
    if (auto *variable = dyn_cast<GlobalVariable>(globals[next]); variable && variable->hasInitializer())
      collectFrom(*variable->getInitializer());
    else if (auto *function = dyn_cast<Function>(globals[next]))
      for (Instruction &instruction : instructions(*function))
        for (const Use &operand : instruction.operands())
          collectFrom(*operand);
  }
  return true;
}

// Creates the global in the new module, without its contents.
void Extractor::declare(GlobalValue &global) {
  if (auto *variable = dyn_cast<GlobalVariable>(&global)) {
    auto *copy =
        new GlobalVariable(*result, variable->getValueType(), variable->isConstant(), variable->getLinkage(), nullptr,
                           variable->getName(), nullptr, variable->getThreadLocalMode(), variable->getAddressSpace());
    copy->copyAttributesFrom(variable);
    values[variable] = copy;
  } else if (auto *function = dyn_cast<Function>(&global)) {
    Function *copy = Function::Create(function->getFunctionType(), function->getLinkage(), function->getAddressSpace(),
                                      function->getName(), result.get());
    copy->copyAttributesFrom(function);
    values[function] = copy;
  }
}

// Copies the global's initializer or body. All globals have been declared before.
void Extractor::define(GlobalValue &global) {
  if (auto *variable = dyn_cast<GlobalVariable>(&global); variable && variable->hasInitializer()) {
    cast<GlobalVariable>(values[variable])->setInitializer(MapValue(variable->getInitializer(), values));
    return;
  }
  auto *function = dyn_cast<Function>(&global);
  if (!function || function->isDeclaration())
    return;
  auto *copy = cast<Function>(values[function]);
  for (auto [from, to] : zip(function->args(), copy->args()))
    values[&from] = &to;
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, function, values, CloneFunctionChangeType::DifferentModule, returns);
}

std::unique_ptr<Module> Extractor::run(ArrayRef<std::string> names, std::string &error) {
  for (const std::string &name : names)
    globals.insert(library.getFunction(name));
  if (!collect(error))
    return nullptr;
  for (GlobalValue *global : globals)
    declare(*global);
  for (GlobalValue *global : globals)
    define(*global);
  StripDebugInfo(*result); // cloning leaves an empty list of compile units, which bitcode readers complain about
  return std::move(result);
}

// Returns the sorted names of the functions that the program calls but does not define.
std::vector<std::string> undefinedFunctions(const Module &program) {
  std::vector<std::string> names;
  for (const Function &function : program)
    if (function.isDeclaration() && !function.isIntrinsic() && !primitiveOf(function))
      names.push_back(function.getName().str());
  sort(names);
  return names;
}

} // namespace

// Opens the library lazily, once.
bool BuiltinLibrary::open(std::string &error) {
  if (library)
    return true;
  library_context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> opened = getLazyBitcodeModule(bitcode->getMemBufferRef(), *library_context);
  if (!opened) {
    error = toString(opened.takeError());
    return false;
  }
  library = std::move(*opened);
  return true;
}

// Reads the functions from the library and returns them as a module's bitcode.
std::string BuiltinLibrary::extractAnew(const std::vector<std::string> &names, std::string &error) {
  if (!open(error))
    return {};
  std::vector<std::string> known;
  for (const std::string &name : names)
    if (library->getFunction(name))
      known.push_back(name);
  std::string bytes;
  if (std::unique_ptr<Module> module = Extractor(*library).run(known, error)) {
    raw_string_ostream out(bytes);
    WriteBitcodeToFile(*module, out);
  }
  return bytes;
}

// Returns the same from this process's extracts or from the cache, if they have it.
std::string BuiltinLibrary::extract(const std::vector<std::string> &names, std::string &error) {
  auto [at, is_new] = extracts.try_emplace(names);
  std::string &bytes = at->second;
  if (!is_new)
    return bytes;
  std::string key;
  if (cache && !names.empty()) {
    key = "builtins:" + ContentHash().add(hash).add(join(names, " ")).hex();
    bytes = cache->load(key).value_or("");
  }
  if (bytes.empty()) {
    bytes = extractAnew(names, error);
    if (!key.empty() && !bytes.empty())
      cache->store(key, bytes);
  }
  if (!bytes.empty())
    return bytes;
  extracts.erase(at);
  return {};
}

std::unique_ptr<Module> BuiltinLibrary::needed(const Module &program, LLVMContext &context, Diagnostics &diagnostics) {
  std::string error, bytes;
  {
    const std::unique_lock lock(mutex, std::chrono::seconds(5));
    if (lock)
      bytes = extract(undefinedFunctions(program), error);
  }
  if (error.empty() && !bytes.empty()) {
    // The module is parsed as a whole, because `bytes` ends with this function.
    if (Expected<std::unique_ptr<Module>> module = parseBitcodeFile(MemoryBufferRef(bytes, "builtins"), context))
      return std::move(*module);
    else
      consumeError(module.takeError()); // the cache entry is damaged: read the whole library below
  }
  if (error.empty()) {
    Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(bitcode->getMemBufferRef(), context);
    if (module)
      return std::move(*module);
    error = toString(module.takeError());
  }
  diagnostics.error("cannot read the built-in library: " + error);
  return nullptr;
}

} // namespace lanecl::vectorizer

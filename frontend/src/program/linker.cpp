// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Links objects with LLVM's linker, then lowers, checks and describes the result. Everything that can be wrong with a
// program is reported before LLVM's linker would stop at it.
#include "program/linker.h"

#include "program/constructors.h"
#include "program/destructors.h"
#include "program/device_functions.h"
#include "program/program_info.h"
#include "program/program_variables.h"
#include "program/recursion.h"
#include "program/static_guards.h"
#include "vectorizer/crash_guard.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/IRSymtab.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace lanecl::frontend {
namespace {

// Returns the name that the source has. Clang emits the body of a kernel that other functions call as a function of its
// own, with this prefix.
std::string plainName(llvm::StringRef name) {
  name.consume_front("__clang_ocl_kern_imp_");
  return llvm::demangle(name);
}

// Links the inputs of one program in a context of its own.
class Joiner {
public:
  Joiner(const std::vector<Module> &inputs, const LinkOptions &options, const LanguageTraits &traits,
         BuiltinNames &builtins, std::string &log)
      : inputs(inputs), options(options), traits(traits), builtins(builtins), log(log) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) { static_cast<Joiner *>(self)->report(*info); }, this);
  }

  // Links, lowers, checks and writes the program. Returns false, with a message in the log, if the program has errors.
  bool run(std::string &bitcode, ProgramInfo &info) {
    auto program = std::make_unique<llvm::Module>("program", context);
    llvm::Linker linker(*program);
    for (const Module &input : inputs)
      if (!addInput(linker, *program, input))
        return false;
    if (!options.create_library)
      lowerObjects(*program);
    const bool complete = options.create_library || checkComplete(*program);
    if (!rejectRecursion(*program, options.create_library ? Extent::Part : Extent::Program, log) || !complete)
      return false;
    if (!options.create_library && !finishProgram(*program, info))
      return false;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*program, stream);
    return true;
  }

private:
  // Lowers C++ constructors, guards of static variables and destructors. The guards come before the destructors,
  // because the guarded code registers destructors.
  static void lowerObjects(llvm::Module &program) {
    lowerConstructors(program);
    lowerStaticGuards(program);
    lowerDestructors(program);
  }

  // Gives the variables their places, and describes the program.
  bool finishProgram(llvm::Module &program, ProgramInfo &info) {
    return placeVariables(program, log) && describeProgram(program, info, log);
  }

  // Passes LLVM's own errors and warnings on to the log.
  void report(const llvm::DiagnosticInfo &info) {
    if (info.getSeverity() != llvm::DS_Error && info.getSeverity() != llvm::DS_Warning)
      return;
    llvm::raw_string_ostream stream(log);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ");
    info.print(printer);
    stream << "\n";
  }

  // Links one input into the program. The first one determines the target triple and the data layout.
  bool addInput(llvm::Linker &linker, llvm::Module &program, const Module &input) {
    if (!input) {
      log += "error: a program to link has not been compiled\n";
      return false;
    }
    auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*input.bitcode, "program"), context);
    if (!parsed) {
      log += "error: a program to link is damaged: " + llvm::toString(parsed.takeError()) + "\n";
      return false;
    }
    if (program.getTargetTriple().empty()) {
      program.setTargetTriple((*parsed)->getTargetTriple());
      program.setDataLayout((*parsed)->getDataLayout());
    }
    // Symbols are compared before linking, because LLVM reports only the first duplicate.
    if (!checkDuplicates(program, **parsed))
      return false;
    if (linker.linkInModule(std::move(*parsed))) {
      log += "error: the programs cannot be linked together\n";
      return false;
    }
    return true;
  }

  // Reports every symbol that is defined twice. LLVM would stop at the first one, and would name internal symbols.
  bool checkDuplicates(const llvm::Module &program, const llvm::Module &next) {
    std::set<std::string> duplicates;
    for (const llvm::GlobalValue &value : next.global_values()) {
      const llvm::GlobalValue *existing = program.getNamedValue(value.getName());
      if (existing && isStrong(value) && isStrong(*existing))
        duplicates.insert(plainName(value.getName()));
    }
    for (const std::string &name : duplicates)
      log += "error: '" + name + "' is defined in more than one program\n";
    return duplicates.empty();
  }

  // Whether the symbol is a definition of which a program may have only one.
  static bool isStrong(const llvm::GlobalValue &value) {
    return !value.isDeclaration() && !value.hasLocalLinkage() && !value.isWeakForLinker() &&
           !value.hasAppendingLinkage();
  }

  // Reports every undefined symbol that is no built-in function of the device.
  bool checkComplete(const llvm::Module &program) {
    bool complete = true;
    for (const llvm::GlobalValue &value : program.global_values()) {
      if (!value.isDeclaration() || value.use_empty() || value.getName().starts_with("llvm."))
        continue;
      const bool is_known = builtins.provides(value.getName().str());
      const std::string why = is_known ? whyLacking(traits, value.getName()) : "";
      if (is_known && why.empty())
        continue;
      complete = false;
      const std::string name = "'" + plainName(value.getName()) + "'" + usedBy(value);
      log +=
          is_known ? "error: built-in function " + name + ", " + why + "\n" : "error: undefined symbol " + name + "\n";
    }
    return complete;
  }

  // Returns the name of a function that uses the symbol, as the end of a message, or an empty text.
  static std::string usedBy(const llvm::GlobalValue &value) {
    for (const llvm::User *user : value.users())
      if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
        return ", used by '" + plainName(instruction->getFunction()->getName()) + "'";
    return {};
  }

  const std::vector<Module> &inputs;
  const LinkOptions &options;
  const LanguageTraits &traits;
  BuiltinNames &builtins;
  std::string &log;
  llvm::LLVMContext context;
};

} // namespace

// Reads the names from the symbol table in the file. Parsing its module, even lazily, takes ten times as long.
void BuiltinNames::read() {
  if (path.empty())
    return;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return;
  library = std::move(*file);
  auto contents = llvm::getBitcodeFileContents(*library);
  if (!contents)
    return llvm::consumeError(contents.takeError());
  auto table = llvm::irsymtab::readBitcode(*contents);
  if (!table)
    return llvm::consumeError(table.takeError());
  for (const auto &symbol : table->TheReader.symbols())
    if (symbol.isGlobal() && !symbol.isUndefined())
      names.insert(llvm::CachedHashStringRef(symbol.getIRName()));
  known = true;
}

// `printf` and samplers are lowered by the vectorizer, and so are primitives, whose names contain "__lanecl_".
bool BuiltinNames::provides(const std::string &name) {
  std::call_once(once, [this] { read(); });
  if (name == "printf" || name == "__translate_sampler_initializer" || name.find("__lanecl_") != std::string::npos)
    return true;
  // Without the library only mangling identifies a built-in function: these are overloadable, and functions of a
  // program are not.
  return known ? names.contains(llvm::CachedHashStringRef(name)) : name.starts_with("_Z") || name.starts_with("__");
}

// The linker runs guarded, because LLVM may crash on the damaged bitcode of a binary.
LinkedProgram linkModules(const std::vector<Module> &inputs, const LinkOptions &options, const LanguageTraits &traits,
                          BuiltinNames &builtins) {
  LinkedProgram program;
  if (inputs.empty()) {
    program.log = "error: there is no program to link\n";
    return program;
  }
  std::string reason;
  const bool ended = vectorizer::runGuarded(
      [&] {
        Joiner joiner(inputs, options, traits, builtins, program.log);
        program.success = joiner.run(program.bitcode, program.info);
      },
      reason);
  if (!ended) {
    program.log += "error: the linker gave up: " + reason + "\n";
    program.success = false;
  }
  return program;
}

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/compile.h"

#include "clang_access/clang_calls.h"
#include "clang_access/clang_loader.h"
#include "clang_access/source_tree.h"
#include "opencl_c/jump_statements.h"
#include "program/finish_module.h"
#include "program/recursion.h"
#include "program/source_file.h"
#include "vectorizer/crash_guard.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>

namespace lanecl::frontend {
namespace {

constexpr const char *kDefaultName = "program.cl";
// These paths exist in the SourceTree only. They hold the macros of versionMacros() and the headers given to
// clCompileProgram.
constexpr const char *kVersionPath = "/lanecl/lanecl-version.h";
constexpr const char *kHeaderDirectory = "/lanecl/headers";

// Translates the options of floating-point arithmetic (OpenCL C, "Math Intrinsics Options") into those of -cc1.
void addMathArguments(const CompileOptions &options, std::vector<std::string> &arguments) {
  const bool unsafe = options.unsafe_math || options.fast_relaxed_math;
  // -cl-finite-math-only is not passed on, because programs that give this option use infinities all the same.
  arguments.push_back(unsafe || options.mad_enable ? "-ffp-contract=fast" : "-ffp-contract=on");
  // With correctly rounded divisions, -cl-unsafe-math-optimizations must not allow reciprocals and approximations, so
  // only reassociation is left of it.
  if (unsafe && options.correctly_rounded_divide_sqrt)
    arguments.push_back("-mreassociate");
  else if (unsafe)
    arguments.push_back("-cl-unsafe-math-optimizations");
  if (options.fast_relaxed_math)
    arguments.insert(arguments.end(), {"-D", "__FAST_RELAXED_MATH__=1"});
  if (options.no_signed_zeros || unsafe)
    arguments.push_back("-cl-no-signed-zeros");
  if (options.single_precision_constant)
    arguments.push_back("-cl-single-precision-constant");
  if (options.correctly_rounded_divide_sqrt)
    arguments.push_back("-cl-fp32-correctly-rounded-divide-sqrt");
  if (options.uniform_work_group_size)
    arguments.push_back("-cl-uniform-work-group-size");
}

// Line tables are always generated, for reports. In strict DWARF 4 Clang names the language C99, which debuggers
// support, instead of OpenCL.
void addDebugArguments(const CompileOptions &options, const std::string &directory,
                       std::vector<std::string> &arguments) {
  arguments.insert(arguments.end(), {"-dwarf-version=4", "-gstrict-dwarf", "-debugger-tuning=gdb"});
  arguments.push_back(options.debug ? "-debug-info-kind=standalone" : "-debug-info-kind=line-tables-only");
  if (options.debug)
    arguments.push_back("-gkey-instructions"); // the vectorizer chooses which instructions get breakpoints
  arguments.push_back("-fdebug-compilation-dir=" + (options.debug ? directory : std::string(".")));
}

// Returns NAME of "NAME=value", "NAME(arguments)=value" or "NAME".
std::string macroName(const std::string &macro) {
  return macro.substr(0, macro.find_first_of("=("));
}

// Whether the program redefines a macro of the device. The headers must then be parsed with its definition, so no
// precompiled header is used.
bool redefinesPrefix(const CompileRequest &request) {
  const auto &names = request.prefix.setup().macro_names;
  return std::any_of(request.options.macros.begin(), request.options.macros.end(), [&](const std::string &macro) {
    return std::find(names.begin(), names.end(), macroName(macro)) != names.end();
  });
}

// Clang 22 takes these mistakes for errors. They stay warnings, because programs written for older versions of Clang
// and for other compilers make them.
constexpr std::array kStillWarnings{"-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion",
                                    "-Wno-error=implicit-int"};

// Translates the options of warnings. The program's own choices come last. Names of warnings that Clang does not know
// are meant for other compilers and are ignored.
void addWarningArguments(const CompileOptions &options, std::vector<std::string> &arguments) {
  arguments.push_back("-Wno-unknown-warning-option");
  if (options.no_warnings)
    arguments.push_back("-w");
  if (options.warnings_are_errors)
    arguments.push_back("-Werror");
  else
    arguments.insert(arguments.end(), kStillWarnings.begin(), kStillWarnings.end());
  arguments.insert(arguments.end(), options.warnings.begin(), options.warnings.end());
  arguments.push_back(options.all_overloads ? "-fshow-overloads=all" : "-fshow-overloads=best");
}

// Returns the arguments of `clang -cc1` for this program.
std::vector<std::string> makeArguments(const CompileRequest &request, const std::string &name, const SourceTree &files,
                                       bool use_precompiled) {
  const CompileOptions &options = request.options;
  std::vector<std::string> arguments = request.prefix.setup().arguments;
  arguments.insert(arguments.end(), {"-emit-llvm-only", "-cl-kernel-arg-info", "-ferror-limit", "20"});
  addMathArguments(options, arguments);
  addDebugArguments(options, files.workingDirectory(), arguments);
  addWarningArguments(options, arguments);
  for (const std::string &macro : options.macros)
    arguments.insert(arguments.end(), {"-D", macro});
  arguments.insert(arguments.end(), {"-I", kHeaderDirectory});
  for (const std::string &directory : options.include_directories)
    arguments.insert(arguments.end(), {"-I", directory});
  arguments.insert(arguments.end(), {"-I", "."}); // programs include files relative to the working directory
  // No option of a program changes the declarations in the precompiled header, so Clang's comparison of all options is
  // switched off. The header's checksum has been verified when it was read.
  if (use_precompiled)
    arguments.insert(arguments.end(), {"-include-pch", kPrecompiledPath, "-fno-validate-pch"});
  else
    arguments.insert(arguments.end(), {"-include", kPrefixPath});
  if (!versionMacros(options.language).empty())
    arguments.insert(arguments.end(), {"-include", kVersionPath});
  arguments.insert(arguments.end(), {"-main-file-name", llvm::sys::path::filename(name).str(), name});
  return arguments;
}

// Adds the headers of clCompileProgram to the files in memory, in a folder that is searched for includes.
void addHeaders(const std::vector<Header> &headers, SourceTree &files) {
  for (const Header &header : headers) {
    if (llvm::sys::path::is_absolute(header.name)) {
      files.add(header.name, header.source);
      continue;
    }
    llvm::SmallString<256> path(kHeaderDirectory);
    llvm::sys::path::append(path, header.name);
    files.add(path, header.source);
  }
}

// Records which files the program depends on. The declarations of the built-ins are left out, because they are part of
// the cache's key already.
void keepDiskUse(const CompileRequest &request, const SourceTree &files, ObjectCode &object) {
  object.working_directory = files.workingDirectory();
  object.disk_use = files.diskUse();
  for (const std::string &path : prefixHeaders(request.traits))
    object.disk_use.files.erase(path);
}

// Compiles the program with Clang, then does what the linker expects of every module (program/finish_module.h).
void runCompile(const ClangCalls &clang, const CompileRequest &request, const std::string &name, ObjectCode &object) {
  const PrefixHeaders prefix_headers(request.traits);
  SourceTree files;
  const auto precompiled = redefinesPrefix(request) ? nullptr : request.prefix.precompiled();
  files.add(kPrefixPath, request.prefix.setup().prefix);
  files.add(kVersionPath, versionMacros(request.options.language));
  if (precompiled) {
    files.add(kPrecompiledPath, *precompiled);
    prefix_headers.addTo(files);
  }
  addHeaders(request.headers, files);
  files.add(name, request.source);

  llvm::LLVMContext context;
  const std::vector<std::string> arguments = makeArguments(request, name, files, precompiled != nullptr);
  EmittedProgram program = clang.emit({.arguments = arguments,
                                       .files = files,
                                       .extensions = request.traits.extensions,
                                       .sub_group_sizes = request.traits.sub_group_sizes,
                                       .wants_jumps = request.options.debug},
                                      context);
  object.log = std::move(program.log);
  prefix_headers.showPlace(object.log);
  if (!program.module)
    return;
  if (program.looked_at_disk)
    keepDiskUse(request, files, object);
  llvm::Module &module = *program.module;
  finishModule(module, program.attributes);
  usePlainConversions(module);
  markJumps(module, program.jumps);
  markSourceOrder(module);
  object.success = rejectRecursion(module, Extent::Part, object.log);
  llvm::raw_string_ostream stream(object.bitcode);
  llvm::WriteBitcodeToFile(module, stream);
}

} // namespace

std::string nameSource(const CompileRequest &request) {
  if (!request.options.source_file.empty())
    return request.options.source_file;
  if (!request.options.debug)
    return kDefaultName;
  const std::string path = writeSourceFile(request.traits.cache.get(), request.source, ".cl");
  return path.empty() ? kDefaultName : path;
}

// Loads Clang before the guarded part, because loadClang() must not be interrupted.
ObjectCode compileSource(const CompileRequest &request, const std::string &source_name) {
  ObjectCode object;
  std::string reason;
  const ClangCalls *clang = loadClang(request.traits, reason);
  if (!clang) {
    object.log = "error: " + reason + "\n";
    return object;
  }
  if (!vectorizer::runGuarded([&] { runCompile(*clang, request, source_name, object); }, reason)) {
    object.success = false;
    object.log += "error: the compiler gave up: " + reason + "\n";
  }
  return object;
}

} // namespace lanecl::frontend

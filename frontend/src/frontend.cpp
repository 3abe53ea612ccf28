// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/frontend.h"

#include "frontend/file_hash.h"
#include "opencl_c/compile.h"
#include "opencl_c/compile_cache.h"
#include "program/build_options.h"
#include "program/device_functions.h"
#include "program/link_cache.h"
#include "program/program_info.h"
#include "spirv/compile_spirv.h"

#include <cassert>
#include <map>
#include <mutex>

namespace lanecl::frontend {

// The state of a Frontend: the device's traits, and what is computed from them once.
struct Frontend::Impl {
  explicit Impl(LanguageTraits given) : traits(std::move(given)), builtins(traits.builtins_path) {}

  // Returns the declarations for a language, which are parsed once and shared by all programs of this device.
  LanguagePrefix &prefixOf(Language language) {
    std::lock_guard lock(mutex);
    std::unique_ptr<LanguagePrefix> &prefix = prefixes[compiledAs(language)];
    if (!prefix)
      prefix = std::make_unique<LanguagePrefix>(traits, compiledAs(language));
    return *prefix;
  }

  CompileOutput link(const std::vector<Module> &inputs, const LinkOptions &options);

  // Links one object to an executable. The log starts with the object's, and the options stay the object's.
  CompileOutput linkOne(CompileOutput object) {
    if (object.status != Status::Success)
      return object;
    assert(object.module && object.module.kind == ModuleKind::Object && "only objects are linked");
    CompileOutput program = link({object.module}, LinkOptions());
    program.log = object.log + program.log;
    program.module.options = object.module.options;
    return program;
  }

  const LanguageTraits traits;
  BuiltinNames builtins;
  std::mutex mutex;
  std::map<Language, std::unique_ptr<LanguagePrefix>> prefixes;
};

namespace {

// Non-uniform work-groups came with OpenCL C 2.0, and -cl-uniform-work-group-size forbids them.
bool allowsNonUniform(const CompileOptions &options) {
  const bool is_old =
      options.language == Language::CL10 || options.language == Language::CL11 || options.language == Language::CL12;
  return !is_old && !options.uniform_work_group_size;
}

// Makes the output of a compilation: the log, and a module if there were no errors.
CompileOutput finish(ObjectCode object, const CompileOptions &parsed, const std::string &options, bool non_uniform) {
  CompileOutput output;
  output.log = std::move(object.log);
  if (!object.success)
    return output;
  assert(!object.bitcode.empty() && "a compilation without errors has made no code");
  output.status = Status::Success;
  output.module.bitcode = std::make_shared<const std::string>(std::move(object.bitcode));
  output.module.options = options;
  output.module.debug = parsed.debug;
  output.module.optimize = parsed.optimize;
  output.module.non_uniform_work_groups = non_uniform;
  return output;
}

// Makes the output of a link. The program may have non-uniform work-groups only if all inputs may, and is optimized
// only if all inputs are. One input with debug information makes the whole program one with debug information.
CompileOutput linkedModule(LinkedProgram program, const std::vector<Module> &inputs, const LinkOptions &options) {
  CompileOutput output;
  output.log = std::move(program.log);
  if (!program.success)
    return output;
  assert(!inputs.empty() && !program.bitcode.empty() && "a link without errors has made no code");
  output.status = Status::Success;
  output.module.kind = options.create_library ? ModuleKind::Library : ModuleKind::Executable;
  output.module.bitcode = std::make_shared<const std::string>(std::move(program.bitcode));
  if (!options.create_library)
    output.module.info = std::make_shared<const ProgramInfo>(std::move(program.info));
  output.module.non_uniform_work_groups = true;
  for (const Module &input : inputs) {
    output.module.non_uniform_work_groups &= input.non_uniform_work_groups;
    output.module.debug |= input.debug;
    output.module.optimize &= input.optimize;
  }
  return output;
}

} // namespace

// Links, or takes the result from the cache. The key contains the library's contents, because they decide which
// functions may stay undefined.
CompileOutput Frontend::Impl::link(const std::vector<Module> &inputs, const LinkOptions &options) {
  DiskCache *const cache = traits.cache.get();
  const auto library = [&] { return cache ? hashOfFile(traits.builtins_path, cache) : std::string(); };
  const std::string before = library();
  const CachedLink cached(inputs, options, before + identityOfFunctions(traits), cache);
  std::optional<LinkedProgram> program = cached.load();
  if (!program) {
    program = linkModules(inputs, options, traits, builtins);
    // Keeps the result only if it is certain which library the link has read: the file may have been replaced
    // meanwhile.
    if (library() == before)
      cached.store(*program);
  }
  return linkedModule(std::move(*program), inputs, options);
}

Frontend::Frontend(LanguageTraits traits) : impl(std::make_unique<Impl>(std::move(traits))) {}
Frontend::~Frontend() = default;

CompileOutput Frontend::compile(const std::string &source, const std::string &options,
                                const std::vector<Header> &headers) {
  CompileOutput output;
  CompileOptions parsed;
  const std::string all_options = options + impl->traits.added_options;
  if (!parseCompileOptions(all_options, impl->traits.newest_opencl_c, parsed, output.log)) {
    output.status = Status::InvalidOptions;
    return output;
  }
  const CompileRequest request{impl->traits, impl->prefixOf(parsed.language), parsed, source, headers};
  const std::string name = nameSource(request);
  const CachedCompile cached(request, all_options, name);
  std::optional<ObjectCode> object = cached.load();
  if (!object) {
    object = compileSource(request, name);
    cached.store(*object);
  }
  return finish(std::move(*object), parsed, options, allowsNonUniform(parsed));
}

CompileOutput Frontend::compileSpirv(const std::string &module, const std::string &options,
                                     const SpecializationValues &values) {
  CompileOutput output;
  CompileOptions parsed;
  const std::string all_options = options + impl->traits.added_options;
  if (!parseCompileOptions(all_options, impl->traits.newest_opencl_c, parsed, output.log)) {
    output.status = Status::InvalidOptions;
    return output;
  }
  // SPIR-V allows non-uniform work-groups unless the option forbids them: -cl-std does not apply to it.
  const std::string text_name = spirv::nameText(impl->traits, module, parsed.debug);
  return finish(spirv::compile(impl->traits, module, values, text_name), parsed, options,
                !parsed.uniform_work_group_size);
}

CompileOutput Frontend::link(const std::vector<Module> &inputs, const std::string &options) {
  CompileOutput output;
  LinkOptions parsed;
  if (!parseLinkOptions(options, parsed, output.log)) {
    output.status = Status::InvalidOptions;
    return output;
  }
  output = impl->link(inputs, parsed);
  output.module.options = options;
  return output;
}

CompileOutput Frontend::build(const std::string &source, const std::string &options) {
  return impl->linkOne(compile(source, options, {}));
}

CompileOutput Frontend::buildSpirv(const std::string &module, const std::string &options,
                                   const SpecializationValues &values) {
  return impl->linkOne(compileSpirv(module, options, values));
}

// Precompiles the declarations for CL1.2, the default without -cl-std, and for CL3.0, which CL3.1 shares. Other
// languages are rarely used, and the declarations of each would take megabytes, too.
bool Frontend::precompile(std::string &error) {
  for (const Language language : {Language::CL12, Language::CL30})
    if (!impl->prefixOf(language).makeReady(error))
      return false;
  return true;
}

std::shared_ptr<const ProgramInfo> Frontend::describe(const Module &module, std::string &error) {
  return module.info ? module.info : readProgramInfo(module, error);
}

} // namespace lanecl::frontend

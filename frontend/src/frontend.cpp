#include "frontend/frontend.h"

#include "build_options.h"
#include "compile.h"
#include "compile_cache.h"
#include "kernel_info.h"
#include "linker.h"

#include <map>
#include <mutex>

namespace lanecl::frontend {

struct Frontend::Impl {
  explicit Impl(LanguageTraits given) : traits(std::move(given)), builtins(traits.builtins_path) {}

  LanguagePrefix &prefixOf(Language language) {
    std::lock_guard lock(mutex);
    std::unique_ptr<LanguagePrefix> &prefix = prefixes[language];
    if (!prefix)
      prefix = std::make_unique<LanguagePrefix>(traits, language);
    return *prefix;
  }

  const LanguageTraits traits;
  BuiltinNames builtins;
  std::mutex mutex;
  std::map<Language, std::unique_ptr<LanguagePrefix>> prefixes;
};

Frontend::Frontend(LanguageTraits traits) : impl(std::make_unique<Impl>(std::move(traits))) {}
Frontend::~Frontend() = default;

CompileOutput Frontend::compile(const std::string &source, const std::string &options,
                                const std::vector<Header> &headers) {
  CompileOutput output;
  CompileOptions parsed;
  if (!parseCompileOptions(options, parsed, output.log)) {
    output.status = Status::InvalidOptions;
    return output;
  }
  const CompileRequest request{impl->traits, impl->prefixOf(parsed.language), parsed, source, headers};
  const std::string name = nameSource(request);
  const CachedCompile cached(request, options, name);
  std::optional<ObjectCode> object = cached.load();
  if (!object) {
    object = compileSource(request, name);
    cached.store(*object);
  }
  output.log = std::move(object->log);
  if (!object->success)
    return output;
  output.status = Status::Success;
  output.module.bitcode = std::make_shared<const std::string>(std::move(object->bitcode));
  output.module.options = options;
  output.module.debug = parsed.debug;
  output.module.optimize = parsed.optimize;
  return output;
}

CompileOutput Frontend::link(const std::vector<Module> &inputs, const std::string &options) {
  CompileOutput output;
  LinkOptions parsed;
  if (!parseLinkOptions(options, parsed, output.log)) {
    output.status = Status::InvalidOptions;
    return output;
  }
  output = linkModules(inputs, parsed, impl->builtins);
  output.module.options = options;
  return output;
}

CompileOutput Frontend::build(const std::string &source, const std::string &options) {
  CompileOutput object = compile(source, options, {});
  if (object.status != Status::Success)
    return object;
  CompileOutput program = linkModules({object.module}, LinkOptions(), impl->builtins);
  program.log = object.log + program.log;
  program.module.options = options;
  return program;
}

std::vector<KernelInfo> Frontend::kernels(const Module &module, std::string &error) {
  return readKernels(module, error);
}

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads lanecl-clang.so and, through it, Clang's shared library.
//
// An identity of the compiler that has once been returned may be part of cache keys. If the files are updated before
// they are loaded, the loaded Clang is another one, and the module is refused.
#include "clang_access/clang_loader.h"

#include "cache/build_id.h"
#include "clang_access/clang_calls.h"
#include "clang_access/clang_library.h"

#include <dlfcn.h>
#include <mutex>
#include <string_view>

namespace lanecl::frontend {
namespace {

// The state of a module. `tried`: it has been loaded, or that has failed. `announced`: LanguageTraits::clang_loaded has
// been called.
struct Loaded {
  bool tried = false, announced = false;
  const ClangCalls *calls = nullptr;
  std::string error;
  std::string told; // the identity that identityOfClang() has returned
};

std::mutex mutex;
// Returns the modules by their paths. The map is never destroyed, because compilations may run until the process ends.
std::map<std::string, Loaded> &loadedModules() {
  static std::map<std::string, Loaded> &modules = *new std::map<std::string, Loaded>;
  return modules;
}

std::string identityText(const std::string &module, const std::string &clang) {
  return clang + " called by " + module;
}

// Returns the identity without loading anything, or an empty text when files alone cannot tell.
std::string identityOfFiles(const std::string &module) {
  const void *loaded = loadedClangLibrary();
  const std::string clang = loaded ? identityOfLoaded(loaded) : buildIdOfFile(clangLibraryFile());
  const std::string calls = buildIdOfFile(module);
  return clang.empty() || calls.empty() ? std::string() : identityText(calls, clang);
}

std::string identityOf(const ClangCalls &calls) {
  return identityText(identityOfLoaded(calls.in_module), identityOfLoaded(calls.in_clang));
}

// Loads Clang and the module. Returns null with the reason in `error` when that fails, or when the module is from
// another build.
const ClangCalls *open(const std::string &module, std::string &error) {
  // Load Clang by the path whose identity may have been returned. The loader then takes it for the library that the
  // module needs.
  if (const std::string file = clangLibraryFile(); !file.empty())
    dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void *handle = dlopen(module.c_str(), RTLD_LAZY | RTLD_LOCAL);
  auto *get = handle ? reinterpret_cast<decltype(&laneclClangCalls)>(dlsym(handle, kClangCallsName)) : nullptr;
  if (!get) {
    error = "Clang cannot be loaded: " + std::string(dlerror()) + "; reinstall LaneCL";
    return nullptr;
  }
  const ClangCalls *calls = get();
  if (std::string_view(calls->interface) == kClangInterface)
    return calls;
  error = module + " belongs to another version of LaneCL; reinstall LaneCL";
  return nullptr;
}

// Refuses a Clang that is not the one whose identity has been returned, because results of both must not be mixed up in
// the cache.
void refuseIfUpdated(Loaded &loaded) {
  if (!loaded.calls || loaded.told.empty() || loaded.told == identityOf(*loaded.calls))
    return;
  loaded.calls = nullptr;
  loaded.error = "Clang or LaneCL was updated while this program was running; start it again";
}

// Returns the state of the module. Loads the module at the first call.
Loaded &load(const std::string &module) {
  Loaded &loaded = loadedModules()[module];
  if (!std::exchange(loaded.tried, true)) {
    loaded.calls = open(module, loaded.error);
    refuseIfUpdated(loaded);
  }
  return loaded;
}

} // namespace

const ClangCalls *loadClang(const LanguageTraits &traits, std::string &error) {
  std::lock_guard lock(mutex);
  Loaded &loaded = load(traits.clang_module);
  error = loaded.error;
  if (!std::exchange(loaded.announced, true) && traits.clang_loaded)
    traits.clang_loaded();
  return loaded.calls;
}

std::string identityOfClang(const std::string &clang_module) {
  std::lock_guard lock(mutex);
  Loaded &loaded = loadedModules()[clang_module];
  if (loaded.told.empty() && !loaded.tried)
    loaded.told = identityOfFiles(clang_module);
  if (loaded.told.empty() && load(clang_module).calls)
    loaded.told = identityOf(*loaded.calls);
  return loaded.told;
}

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Searches LaneCL's files, starting from the file that contains this code.
#include "icd/resources.h"
#include "icd/settings.h"
#include "settings/made_once.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace lanecl::icd {
namespace {

constexpr const char *kBuiltinsFile = "lanecl-builtins.bc";
constexpr const char *kClangFile = "lanecl-clang.so";
constexpr int kStepsUp = 5; // enough from lib/, lib/<triple>/lanecl/ or bin/ to the root of a tree

// Whether the directory contains the built-in library.
bool holdsResources(const fs::path &directory) {
  std::error_code ignored;
  return fs::exists(directory / kBuiltinsFile, ignored);
}

// Returns the path of the file that contains this code: liblanecl.so, or a program that is linked with it.
fs::path ownFile() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void *>(&resourceDirectory), &info) || !info.dli_fname)
    return {};
  std::error_code error;
  // In a program, dli_fname is the name that was typed to start it, which need not be a path; /proc has the real one.
  fs::path path = fs::canonical(info.dli_fname, error);
  return error ? fs::read_symlink("/proc/self/exe", error) : path;
}

} // namespace

std::string resourceDirectory(std::string &error) {
  if (const std::string &chosen = settings().resources; !chosen.empty()) {
    if (holdsResources(chosen))
      return chosen;
    error = "LANECL_RESOURCES=" + chosen + " does not contain " + kBuiltinsFile +
            "; unset it, or set it to share/lanecl of a build";
    return {};
  }
  const fs::path own = ownFile();
  fs::path step = own.parent_path();
  for (int up = 0; up < kStepsUp && !step.empty(); ++up, step = step.parent_path())
    if (holdsResources(step / "share" / "lanecl"))
      return (step / "share" / "lanecl").string();
  error = "cannot find share/lanecl/" + std::string(kBuiltinsFile) + " above " + own.string() +
          "; reinstall LaneCL, or set LANECL_RESOURCES to that folder";
  return {};
}

std::string builtinsPath(const std::string &resource_directory) {
  return (fs::path(resource_directory) / kBuiltinsFile).string();
}

std::string clangModule() {
  const fs::path beside = ownFile().parent_path() / kClangFile;
  std::error_code ignored;
  fs::path step = beside.parent_path();
  for (int up = 0; up < kStepsUp && !step.empty() && !fs::exists(beside, ignored); ++up, step = step.parent_path())
    if (const fs::path in_tree = step / "lib" / kClangFile; fs::exists(in_tree, ignored))
      return in_tree;
  return beside;
}

std::string spirvTranslator() {
  const std::string &chosen = settings().spirv_translator;
  return chosen.empty() ? LANECL_SPIRV_TRANSLATOR : chosen;
}

bool readsSpirv() {
  static constinit MadeOnce<bool> made; // asked once, so that all queries agree
  return made.get([] { return access(spirvTranslator().c_str(), X_OK) == 0; });
}

std::string cacheDirectory() {
  if (!settings().cache)
    return {};
  if (!settings().cache_dir.empty())
    return settings().cache_dir;
  if (const char *xdg = secure_getenv("XDG_CACHE_HOME"); xdg && *xdg == '/')
    return (fs::path(xdg) / "lanecl").string();
  if (const char *home = secure_getenv("HOME"); home && *home == '/')
    return (fs::path(home) / ".cache" / "lanecl").string();
  return {};
}

std::string sharedCacheDirectory() {
  return settings().cache ? settings().cache_shared : std::string();
}

} // namespace lanecl::icd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_access/clang_library.h"

#include "llvm/TargetParser/Host.h"

#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <memory>
#include <vector>

namespace fs = std::filesystem;

namespace lanecl::frontend {
namespace {

// The SONAME of Clang's library, by which the module asks for it.
constexpr const char *kName = LANECL_CLANG_LIBRARY;

// Returns the path of the loaded file that holds this code.
fs::path fileOf(const void *code) {
  Dl_info info{};
  return dladdr(code, &info) && info.dli_fname ? info.dli_fname : fs::path();
}

// Returns the folders that the system's loader searches for the libraries this file needs. The loader's cache
// (/etc/ld.so.cache) is searched, too, but is not among them.
std::vector<fs::path> searchedFolders() {
  void *own = dlopen(fileOf(reinterpret_cast<const void *>(&clangLibraryFile)).c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!own) // `own` is null in a program, where this code is not in a library
    own = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size{};
  if (!own || dlinfo(own, RTLD_DI_SERINFOSIZE, &size) != 0)
    return {};
  const auto bytes = std::make_unique<char[]>(size.dls_size);
  auto *info = new (bytes.get()) Dl_serinfo(size);
  std::vector<fs::path> folders;
  if (dlinfo(own, RTLD_DI_SERINFO, info) == 0)
    for (unsigned i = 0; i < info->dls_cnt; ++i)
      folders.emplace_back(info->dls_serpath[i].dls_name);
  return folders;
}

} // namespace

const void *loadedClangLibrary() {
  void *handle = dlopen(kName, RTLD_LAZY | RTLD_NOLOAD);
  const link_map *found = nullptr;
  return handle && dlinfo(handle, RTLD_DI_LINKMAP, &found) == 0 ? found->l_ld : nullptr;
}

std::string clangLibraryFile() {
  std::vector<fs::path> folders = searchedFolders();
  // Clang's library lies beside LLVM's, which the loader may have found through its cache.
  folders.push_back(fileOf(reinterpret_cast<const void *>(&llvm::sys::getHostCPUName)).parent_path());
  for (const fs::path &folder : folders) {
    std::error_code ignored;
    if (fs::path file = folder / kName; fs::exists(file, ignored))
      return file;
  }
  return {};
}

} // namespace lanecl::frontend

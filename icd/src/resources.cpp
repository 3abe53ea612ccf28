#include "icd/resources.h"
#include "icd/settings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include <dlfcn.h>
#include <link.h>

namespace fs = std::filesystem;

namespace lanecl::icd {
namespace {

constexpr const char *kBuiltinsFile = "lanecl-builtins.bc";

bool holdsResources(const fs::path &directory) {
  std::error_code ignored;
  return fs::exists(directory / kBuiltinsFile, ignored);
}

// The file that holds this code: liblanecl.so, or a program linked with it.
fs::path ownFile() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void *>(&resourceDirectory), &info) || !info.dli_fname)
    return {};
  std::error_code error;
  // A program's dli_fname is what was typed to start it; /proc knows the file.
  fs::path path = fs::canonical(info.dli_fname, error);
  return error ? fs::read_symlink("/proc/self/exe", error) : path;
}

// The contents of the note that the linker made of the whole file.
std::string_view buildIdNote(const char *notes, size_t size) {
  const auto padded = [](size_t bytes) { return (bytes + 3) & ~size_t(3); };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const size_t name = sizeof header, content = name + padded(header.n_namesz);
    const size_t end = content + padded(header.n_descsz);
    if (end > size)
      break;
    if (header.n_type == NT_GNU_BUILD_ID &&
        std::string_view(notes + name, header.n_namesz) == std::string_view("GNU\0", 4))
      return {notes + content, header.n_descsz};
    notes += end;
    size -= end;
  }
  return {};
}

struct BuildIdSearch {
  ElfW(Addr) address; // in the file that is looked for
  std::string found;
};

int searchBuildId(dl_phdr_info *file, size_t, void *state) {
  auto &search = *static_cast<BuildIdSearch *>(state);
  const std::span segments(file->dlpi_phdr, file->dlpi_phnum);
  const auto holds = [&](const ElfW(Phdr) & segment) {
    return segment.p_type == PT_LOAD && search.address - file->dlpi_addr - segment.p_vaddr < segment.p_memsz;
  };
  if (std::none_of(segments.begin(), segments.end(), holds))
    return 0;
  for (const ElfW(Phdr) &segment : segments)
    if (segment.p_type == PT_NOTE && search.found.empty())
      search.found = buildIdNote(reinterpret_cast<const char *>(file->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  return 1;
}

// Of the file that holds this code; empty: it was linked without one.
std::string buildId() {
  BuildIdSearch search{reinterpret_cast<ElfW(Addr)>(&resourceDirectory), {}};
  dl_iterate_phdr(searchBuildId, &search);
  return search.found;
}

} // namespace

std::string resourceDirectory(std::string &error) {
  if (const std::string &chosen = settings().resources; !chosen.empty()) {
    if (holdsResources(chosen))
      return chosen;
    error = "LANECL_RESOURCES=" + chosen + " holds no " + kBuiltinsFile + "; unset it, or name share/lanecl of a build";
    return {};
  }
  // lib/, lib/<triple>/lanecl/ or bin/ of a tree: share/lanecl is a few steps up, never far.
  const fs::path own = ownFile();
  fs::path step = own.parent_path();
  for (int up = 0; up < 5 && !step.empty(); ++up, step = step.parent_path())
    if (holdsResources(step / "share" / "lanecl"))
      return (step / "share" / "lanecl").string();
  error = "no share/lanecl/" + std::string(kBuiltinsFile) + " above " + own.string() +
          "; reinstall LaneCL, or set LANECL_RESOURCES to that folder";
  return {};
}

std::string builtinsPath(const std::string &resource_directory) {
  return (fs::path(resource_directory) / kBuiltinsFile).string();
}

std::string buildIdentity() {
  if (std::string id = buildId(); !id.empty())
    return id;
  std::error_code ignored;
  const fs::path own = ownFile();
  return std::to_string(fs::file_size(own, ignored)) + "." +
         std::to_string(fs::last_write_time(own, ignored).time_since_epoch().count());
}

std::string spirvTranslator() {
  const std::string &chosen = settings().spirv_translator;
  return chosen.empty() ? LANECL_SPIRV_TRANSLATOR : chosen;
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the build ids of ELF files: in memory for files that this process has loaded, and on the disk for others.
#include "cache/build_id.h"
#include "vectorizer/content_hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <span>
#include <string_view>
#include <sys/stat.h>

namespace lanecl::frontend {
namespace {

// Returns the linker's build id from a PT_NOTE segment, or an empty view. The id is the contents of the note that has
// the type NT_GNU_BUILD_ID and the name "GNU"; names and contents are padded to four bytes.
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

// The bytes at the start of a file in which linkers put notes. The whole file would be too big to read.
constexpr uint64_t kNotesWithin = 4096;

// Returns the build id of a program or library, given the file's first bytes. The result is empty if they hold none, or
// if the file is no 64-bit ELF file.
std::string_view buildIdOfImage(std::string_view bytes) {
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof header || !bytes.starts_with(ELFMAG))
    return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  for (size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    const size_t at = header.e_phoff + i * sizeof segment;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || at > bytes.size() - sizeof segment)
      return {};
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type != PT_NOTE || segment.p_offset > bytes.size() ||
        segment.p_filesz > bytes.size() - segment.p_offset)
      continue;
    if (const auto id = buildIdNote(bytes.data() + segment.p_offset, segment.p_filesz); !id.empty())
      return id;
  }
  return {};
}

struct BuildIdSearch {
  ElfW(Addr) address; // an address in the file whose build id is wanted
  std::string found;
};

// The callback of dl_iterate_phdr: reads the build id of the file whose segments hold the address of the search, and
// ends the iteration with 1 at that file.
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

// Returns path, size and time of modification of a loaded file, which identify it if it has no build id. A program
// started by a path that is no longer valid is found through /proc/self/exe.
std::string pathSizeAndTime(const void *code) {
  Dl_info info{};
  struct stat status{};
  if (!dladdr(code, &info) || !info.dli_fname ||
      (stat(info.dli_fname, &status) != 0 && stat("/proc/self/exe", &status) != 0))
    return {};
  return std::string(info.dli_fname) + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

} // namespace

std::string identityOfLoaded(const void *code) {
  // Read the note in memory, because the file may have been replaced since it was loaded.
  BuildIdSearch search{reinterpret_cast<ElfW(Addr)>(code), {}};
  dl_iterate_phdr(searchBuildId, &search);
  return search.found.empty() ? pathSizeAndTime(code) : llvm::toHex(search.found, /*LowerCase=*/true);
}

std::string buildIdOfFile(const std::string &path) {
  auto begin = llvm::MemoryBuffer::getFileSlice(path, kNotesWithin, 0);
  return begin ? llvm::toHex(buildIdOfImage((*begin)->getBuffer()), /*LowerCase=*/true) : std::string();
}

std::string identityOfFile(const std::string &path) {
  if (std::string id = buildIdOfFile(path); !id.empty())
    return id;
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? hashOf((*file)->getBuffer()) : std::string();
}

} // namespace lanecl::frontend

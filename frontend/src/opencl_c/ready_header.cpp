// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/ready_header.h"

#include "cache/byte_stream.h"
#include "frontend/compiler_identity.h"
#include "vectorizer/content_hash.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <fstream>

namespace lanecl::frontend {
namespace {

constexpr const char *kFormat = "lanecl-ready-2"; // changes with anything that changes the header of the same sources

// Returns the path of the language's file in the resource folder.
std::string fileOf(const LanguageTraits &traits, const LanguageSetup &setup) {
  return traits.resource_directory + "/opencl-c-" + setup.name + ".pch";
}

// Returns a path inside the resource folder relative to that folder, so that the key is the same wherever the folder
// lies.
std::string placeless(const LanguageTraits &traits, const std::string &path) {
  return path.starts_with(traits.resource_directory) ? "." + path.substr(traits.resource_directory.size()) : path;
}

// Returns the key that the file contains: it identifies the compiler, its arguments and the contents of all headers.
std::string keyOf(const LanguageTraits &traits, const LanguageSetup &setup) {
  ContentHash hasher;
  hasher.add(kFormat).add(clangIdentity(traits.clang_module)).add(setup.prefix);
  for (const std::string &argument : setup.arguments)
    hasher.add(placeless(traits, argument));
  for (const std::string &path : prefixHeaders(traits))
    if (const auto file = llvm::MemoryBuffer::getFile(path))
      hasher.add(placeless(traits, path)).add((*file)->getBuffer());
  return hasher.hex();
}

} // namespace

// The file contains its key, a checksum and the header.
std::optional<std::string> loadReadyHeader(const LanguageTraits &traits, const LanguageSetup &setup) {
  if (traits.resource_directory.empty())
    return std::nullopt;
  const auto file =
      llvm::MemoryBuffer::getFile(fileOf(traits, setup), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  ByteReader reader((*file)->getBuffer());
  std::string key, header;
  uint64_t checksum = 0;
  if (!reader.text(key) || key != keyOf(traits, setup) || !reader.number(checksum) || !reader.text(header) ||
      !reader.atEnd() || checksum != llvm::xxh3_64bits(header))
    return std::nullopt;
  return header;
}

bool storeReadyHeader(const LanguageTraits &traits, const LanguageSetup &setup, const std::string &header) {
  ByteWriter writer;
  writer.text(keyOf(traits, setup)).number(llvm::xxh3_64bits(header)).text(header);
  std::ofstream file(fileOf(traits, setup), std::ios::binary);
  file << writer.take();
  return bool(file.flush());
}

} // namespace lanecl::frontend

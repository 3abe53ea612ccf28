// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/link_cache.h"

#include "program/stored_info.h"
#include "vectorizer/content_hash.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

// A part of every key. It changes with the linked IR, with ProgramInfo and with its format on the disk.
constexpr const char *kFormat = "lanecl-link-1";

} // namespace

CachedLink::CachedLink(const std::vector<Module> &inputs, const LinkOptions &options, const std::string &builtins,
                       DiskCache *cache)
    : cache(cache) {
  const bool complete = std::all_of(inputs.begin(), inputs.end(), [](const Module &input) { return bool(input); });
  if (!cache || !complete)
    return;
  ContentHash hasher;
  hasher.add(kFormat).add(options.create_library ? "library" : "executable").add(builtins);
  for (const Module &input : inputs)
    hasher.add(*input.bitcode);
  key = "link:" + hasher.hex();
}

std::optional<LinkedProgram> CachedLink::load() const {
  const std::optional<std::string> bytes = key.empty() ? std::nullopt : cache->load(key);
  if (!bytes)
    return std::nullopt;
  ByteReader reader(*bytes);
  LinkedProgram program;
  if (!reader.text(program.log) || !reader.text(program.bitcode) || !readInfo(reader, program.info) || !reader.atEnd())
    return std::nullopt;
  program.success = true;
  return program;
}

void CachedLink::store(const LinkedProgram &program) const {
  if (key.empty() || !program.success)
    return;
  ByteWriter writer;
  writer.text(program.log).text(program.bitcode);
  writeInfo(program.info, writer);
  cache->store(key, writer.take());
}

} // namespace lanecl::frontend

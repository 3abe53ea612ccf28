// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps linked programs in the disk cache, so that they need neither be linked nor described again.
#pragma once

#include "frontend/disk_cache.h"
#include "program/linker.h"

#include <optional>

namespace lanecl::frontend {

// A link that may be answered from the cache. Only successful links are kept.
class CachedLink {
public:
  // `builtins` identifies the built-in functions of the device, which decide what may stay undefined. `cache` may be
  // null.
  CachedLink(const std::vector<Module> &inputs, const LinkOptions &options, const std::string &builtins,
             DiskCache *cache);

  // Returns the linked program and its description, or nothing when there is no entry.
  std::optional<LinkedProgram> load() const;
  void store(const LinkedProgram &program) const;

private:
  DiskCache *const cache;
  std::string key; // empty: there is no cache, or an input is missing
};

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs that were linked before, from the disk: they need neither be linked nor described again.
#pragma once

#include "frontend/disk_cache.h"
#include "program/linker.h"

#include <optional>

namespace lanecl::frontend {

class CachedLink {
public:
  // `builtins`: identifies the built-in functions of the device, which decide what may stay undefined. `cache` may be
  // null.
  CachedLink(const std::vector<Module> &inputs, const LinkOptions &options, const std::string &builtins,
             DiskCache *cache);

  std::optional<LinkedProgram> load() const;
  void store(const LinkedProgram &program) const;

private:
  DiskCache *const cache;
  std::string key; // empty: an input is missing
};

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finished compiles in the disk cache.
#pragma once

#include "opencl_c/compile.h"

#include <optional>

namespace lanecl::frontend {

// A compile that may be answered from the cache. Only successful ones are kept.
class CachedCompile {
public:
  // `source_name`: as nameSource() gave it.
  CachedCompile(const CompileRequest &request, const std::string &options, const std::string &source_name);

  // Nothing when there is no entry, or when a file that it depends on has changed.
  std::optional<ObjectCode> load() const;
  void store(const ObjectCode &object) const;

private:
  DiskCache *cache;
  std::string key; // empty: do not cache
};

} // namespace lanecl::frontend

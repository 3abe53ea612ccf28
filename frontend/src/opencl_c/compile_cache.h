// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps finished compiles in the disk cache.
#pragma once

#include "opencl_c/compile.h"

#include <optional>

namespace lanecl::frontend {

// A compile that may be answered from the cache. Only successful compiles are kept, and none whose text depends on the
// time.
class CachedCompile {
public:
  // `source_name` is the result of nameSource().
  CachedCompile(const CompileRequest &request, const std::string &options, const std::string &source_name);

  // Returns the cached result, or nothing when there is no entry or a file that it depends on has changed.
  std::optional<ObjectCode> load() const;
  void store(const ObjectCode &object) const;

private:
  DiskCache *cache;
  std::string key; // empty: do not cache
};

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hashes of contents, for the keys of caches and the names of the files in them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class BLAKE3;
}

namespace lanecl {

// A hash over several fields; each counts with its length, so that moving text between fields changes the result.
class ContentHash {
public:
  ContentHash();
  ~ContentHash();

  ContentHash &add(std::string_view field);
  std::string hex(); // 64 digits

private:
  std::unique_ptr<llvm::BLAKE3> hasher_;
};

inline std::string hashOf(std::string_view content) {
  return ContentHash().add(content).hex();
}

} // namespace lanecl

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hashes of contents, for the keys of caches and the names of cache files.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class BLAKE3;
}

namespace lanecl {

// A BLAKE3 hash over several fields. Each field is hashed with its length, so moving text from one field to another
// changes the result.
class ContentHash {
public:
  ContentHash();
  ~ContentHash();

  ContentHash &add(std::string_view field);
  std::string hex(); // returns the hash in 64 hexadecimal digits

private:
  std::unique_ptr<llvm::BLAKE3> hasher_;
};

// Returns the hash of a single field, in 64 hexadecimal digits.
inline std::string hashOf(std::string_view content) {
  return ContentHash().add(content).hex();
}

} // namespace lanecl

// Names for contents.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

#include <cstdint>
#include <string>

namespace lanecl::frontend {

// A hash over several fields; each counts with its length, so that moving text between fields changes the result.
class Hasher {
public:
  Hasher &add(llvm::StringRef field) {
    const uint64_t size = field.size();
    hasher.update(llvm::StringRef(reinterpret_cast<const char *>(&size), sizeof size));
    hasher.update(field);
    return *this;
  }
  std::string hex() {
    const auto digest = hasher.final<32>();
    return llvm::toHex(digest, /*LowerCase=*/true);
  }

private:
  llvm::BLAKE3 hasher;
};

inline std::string hashOf(llvm::StringRef content) {
  return Hasher().add(content).hex();
}

} // namespace lanecl::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hashes of contents, which name entries of the cache.
#include "vectorizer/content_hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

namespace lanecl {

ContentHash::ContentHash() : hasher_(std::make_unique<llvm::BLAKE3>()) {}

ContentHash::~ContentHash() = default;

ContentHash &ContentHash::add(std::string_view field) {
  // The length goes first, so that "ab" and "c" hash otherwise than "a" and "bc".
  const uint64_t size = field.size();
  hasher_->update(llvm::StringRef(reinterpret_cast<const char *>(&size), sizeof size));
  hasher_->update(llvm::StringRef(field));
  return *this;
}

std::string ContentHash::hex() {
  const auto digest = hasher_->final<32>();
  return llvm::toHex(digest, /*LowerCase=*/true);
}

} // namespace lanecl

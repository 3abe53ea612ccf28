// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Stores the vectorizer's object code in the front end's disk cache, so that the two rooms share one folder without
// including each other's cache.
#pragma once

#include "frontend/disk_cache.h"
#include "vectorizer/vectorizer.h"

#include <memory>

namespace lanecl::icd {

class DiskObjectCache final : public vectorizer::ObjectCache {
public:
  explicit DiskObjectCache(std::shared_ptr<frontend::DiskCache> disk) : disk_(std::move(disk)) {}
  std::optional<std::string> load(const std::string &key) override { return disk_->load(key); }
  void store(const std::string &key, std::string_view object) override { disk_->store(key, object); }

private:
  std::shared_ptr<frontend::DiskCache> disk_;
};

} // namespace lanecl::icd

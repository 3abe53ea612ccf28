// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the kernels of this process have broken so far, each place once.
#pragma once

#include "check/finding.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace lanecl::icd {

// Thread-safe. A new finding is printed to stderr and is in the report's file before the kernel goes on, so that it is
// there whatever happens next.
class Findings {
public:
  // `folder`: gets a file for this process, as tools/lanecl/check.cpp reads it; empty: none.
  explicit Findings(std::string folder);

  // What was found where, without the values; `complete` adds these where it is new.
  void add(const Finding &finding, const std::function<void(Finding &)> &complete);
  void countLaunch();
  void write(); // the file, with the numbers of now

private:
  using Key = std::tuple<abi::CheckRule, std::string, std::string, uint32_t, uint32_t>;

  void forgetParent(); // a forked process reports its own
  void writeLocked() const;

  std::mutex mutex;
  const std::string folder;
  std::map<Key, Finding> all;
  uint64_t launches = 0;
  int process = 0;
};

} // namespace lanecl::icd

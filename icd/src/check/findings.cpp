// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/findings.h"

#include <cstdio>
#include <utility>

#include <unistd.h>

namespace lanecl::icd {

Findings::Findings(std::string folder) : folder(std::move(folder)), process(getpid()) {}

void Findings::forgetParent() {
  if (std::exchange(process, getpid()) == process)
    return;
  all.clear();
  launches = 0;
}

void Findings::add(const Finding &finding, const std::function<void(Finding &)> &complete) {
  constexpr size_t kMost = 1000; // places; those behind them are counted with the first
  const std::lock_guard lock(mutex);
  forgetParent();
  const Key key{finding.rule, finding.kernel, finding.file, finding.line, finding.column};
  const auto known = all.find(key);
  if (known != all.end()) {
    ++known->second.times;
    return;
  }
  if (all.size() == kMost)
    return;
  Finding &added = all.emplace(key, finding).first->second;
  complete(added);
  std::fputs(asText(added).c_str(), stderr);
  writeLocked();
}

void Findings::countLaunch() {
  const std::lock_guard lock(mutex);
  forgetParent();
  ++launches;
}

void Findings::write() {
  const std::lock_guard lock(mutex);
  forgetParent();
  writeLocked();
}

// Written beside and renamed: who reads it finds a whole file, even when this process is killed.
void Findings::writeLocked() const {
  if (folder.empty())
    return;
  const std::string name = folder + "/" + std::to_string(getpid());
  std::FILE *file = std::fopen((name + ".new").c_str(), "w");
  if (!file)
    return;
  std::fprintf(file, "%llu\n", static_cast<unsigned long long>(launches));
  for (const auto &[key, finding] : all)
    std::fprintf(file, "%s\n", asJson(finding).c_str());
  if (std::fclose(file) == 0)
    std::rename((name + ".new").c_str(), (name + ".findings").c_str());
}

} // namespace lanecl::icd

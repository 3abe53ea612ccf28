// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/findings.h"

#include <cstdio>
#include <utility>

#include <unistd.h>

namespace lanecl::icd {

Findings::Findings(std::string folder, const std::string &sources) : folder(std::move(folder)), sources(sources) {}

void Findings::forgetParent() {
  if (std::exchange(process, getpid()) == process)
    return;
  all.clear();
  folder.beginProcess();
}

void Findings::add(const Finding &finding, const std::string *program, const std::function<void(Finding &)> &complete) {
  constexpr size_t kMost = 1000; // places; those behind them are counted with the first
  const std::lock_guard lock(mutex);
  forgetParent();
  const Key key{finding.rule->id, finding.kernel, finding.place.file, finding.place.line, finding.place.column};
  const auto known = all.find(key);
  if (known != all.end()) {
    ++known->second.times;
    return;
  }
  if (all.size() == kMost)
    return;
  Finding &added = all.emplace(key, finding).first->second;
  complete(added);
  added.source = sources.locate(program, added.place);
  for (InlinedCall &call : added.calls)
    sources.locate(program, call.place);
  print(added);
  writeLocked();
}

// Unless another process has printed the same.
void Findings::print(Finding &finding) {
  const auto &[file, line, column] = finding.place;
  finding.number = folder.claim(std::string(finding.rule->id) + '\n' + finding.kernel + '\n' + file + '\n' +
                                std::to_string(line) + ':' + std::to_string(column));
  if (finding.number != 0)
    std::fputs(asText(finding).c_str(), stderr);
}

void Findings::countLaunch() {
  const std::lock_guard lock(mutex);
  forgetParent();
  folder.countLaunch();
}

void Findings::write() {
  const std::lock_guard lock(mutex);
  forgetParent();
  if (!all.empty())
    writeLocked();
}

void Findings::writeLocked() const {
  std::string lines;
  for (const auto &[key, finding] : all)
    lines += asJson(finding) + "\n";
  folder.write(lines);
}

} // namespace lanecl::icd

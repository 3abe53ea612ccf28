// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects findings, prints the new ones, and keeps the report's file up to date.
#include "check/findings/findings.h"

#include <cstdio>
#include <limits>
#include <utility>

#include <unistd.h>

namespace lanecl::icd {

// Reads the suppressions, and prints errors in the file to stderr. `lanecl check` refuses a file with errors before the
// program starts, so errors appear here only if the user has set LANECL_CHECK_SUPPRESSIONS directly.
static std::vector<Suppression> suppressionsOf(const std::string &path) {
  std::string errors;
  std::vector<Suppression> all;
  if (!path.empty())
    all = readSuppressions(path, errors);
  std::fputs(errors.c_str(), stderr);
  return all;
}

Findings::Findings(const Options &options)
    : folder(options.folder), sources(options.sources), suppressions(suppressionsOf(options.suppressions)),
      severities(options.severities), limit(options.limit == 0 ? std::numeric_limits<uint64_t>::max() : options.limit),
      end_at_error(options.end_at_error) {}

// Returns the function if it is needed to tell findings apart: findings about the host program have no other place.
static std::string functionOf(const Finding &finding) {
  return finding.kernel.empty() ? finding.function : std::string();
}

Findings::Key Findings::keyOf(const Finding &finding) {
  const SourceLocation &at = finding.place;
  return {finding.rule->id, finding.kernel, functionOf(finding), at.file, at.line, at.column};
}

void Findings::forgetParent() {
  if (std::exchange(process, getpid()) == process)
    return;
  all.clear();
  folder.beginProcess();
}

bool Findings::add(const Finding &finding, const ProgramTexts *texts, const std::function<void(Finding &)> &complete) {
  const std::lock_guard lock(mutex);
  forgetParent();
  const Key key = keyOf(finding);
  if (const auto known = all.find(key); known != all.end()) {
    addAgain(known->second, finding, texts, complete);
    return false;
  }
  Finding &added = all.emplace(key, Known{finding}).first->second.finding;
  complete(added);
  added.source = sources.locate(texts, added.place);
  if (!added.other.file.empty())
    added.other_source = sources.locate(texts, added.other);
  for (SourceLocation &call : added.calls)
    sources.locate(texts, call);
  const Suppression *const suppression = findSuppression(suppressions, std::string(added.rule->id), added.kernel,
                                                         added.place.file + ":" + std::to_string(added.place.line));
  added.suppressed_by = suppression ? suppression->line : 0;
  added.severity = severityOf(*added.rule, severities);
  const bool shown = !suppression && added.severity != Severity::Ignored;
  if (shown)
    print(added);
  leave(added);
  // _exit() instead of exit(): other threads run kernels and the program may wait for this thread, so that its
  // destructors and exit handlers could hang.
  if (end_at_error && shown && added.severity == Severity::Error)
    _exit(kCheckErrorStatus);
  return shown;
}

// Counts a place that is known. The first occurrence since take() also replaces the description, because it may come
// from other work-items with other values.
void Findings::addAgain(Known &known, const Finding &again, const ProgramTexts *texts,
                        const std::function<void(Finding &)> &complete) {
  Finding &finding = known.finding;
  if (finding.times++ != known.taken)
    return;
  Finding now = again;
  complete(now);
  finding.what = now.what;
  finding.group = now.group;
  finding.global_id = now.global_id;
  finding.sub_group = now.sub_group;
  finding.lanes = now.lanes;
  if (!now.other.file.empty())
    finding.other_source = sources.locate(texts, now.other);
  finding.other = now.other;
}

std::vector<Finding> Findings::take() {
  const std::lock_guard lock(mutex);
  forgetParent();
  std::vector<Finding> found;
  for (auto &[key, known] : all) {
    const uint64_t before = std::exchange(known.taken, known.finding.times);
    if (before == known.taken || known.finding.suppressed_by != 0 || known.finding.severity == Severity::Ignored)
      continue;
    found.push_back(known.finding);
    found.back().times -= before;
  }
  return found;
}

// Prints the finding, unless another process has printed the same place or the limit is reached.
void Findings::print(Finding &finding) {
  const SourceLocation &at = finding.place;
  finding.number = folder.claim(std::string(finding.rule->id) + '\n' + finding.kernel + '\n' + at.file + '\n' +
                                std::to_string(at.line) + ':' + std::to_string(at.column) + functionOf(finding));
  if (finding.number != 0 && finding.number <= limit)
    std::fputs(asText(finding).c_str(), stderr);
}

void Findings::countLaunch() {
  const std::lock_guard lock(mutex);
  forgetParent();
  folder.countLaunch();
}

void Findings::countUnchecked(size_t why) {
  const std::lock_guard lock(mutex);
  forgetParent();
  folder.countUnchecked(why);
}

void Findings::write() {
  const std::lock_guard lock(mutex);
  forgetParent();
  if (!all.empty())
    writeLocked();
}

// Writes all findings while there are few, so that the file has the counts of the earlier ones as they are now. When
// there are many this would take long, so the new one is appended, and write() brings the counts up to date.
void Findings::leave(const Finding &added) const {
  constexpr size_t kFew = 200;
  if (all.size() <= kFew)
    writeLocked();
  else
    folder.append(asJson(added) + "\n");
}

void Findings::writeLocked() const {
  std::string lines;
  for (const auto &[key, known] : all)
    lines += asJson(known.finding) + "\n";
  folder.write(lines);
}

} // namespace lanecl::icd

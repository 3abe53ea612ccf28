// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a report from the remarks of the vectorizer.
#include "icd/describe_code.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace lanecl::icd {
namespace {

using Kind = vectorizer::Remark::Kind;

// Returns KernelReport::Line::kind.
const char *title(Kind kind) {
  switch (kind) {
  case Kind::Loop: return "loop";
  case Kind::Spill: return "spill";
  case Kind::Barrier: return "barrier";
  case Kind::DivergentBranch: return "divergent";
  case Kind::Gather: return "gather";
  case Kind::Scatter: return "scatter";
  case Kind::LaneLoop: return "lane by lane";
  case Kind::SubGroupOperation: return "sub-group";
  case Kind::Call: return "call";
  }
  return "";
}

// Whether the remark is about lanes, so that it says something about the kernel on a GPU, too.
bool isAboutLanes(Kind kind) {
  return kind != Kind::Loop && kind != Kind::Spill && kind != Kind::Barrier && kind != Kind::Call;
}

// Makes the lines of a report. A remark that inlining or unrolling has repeated is one line with a count.
std::vector<KernelReport::Line> linesOf(const std::vector<vectorizer::Remark> &remarks) {
  std::map<std::tuple<std::string, unsigned, unsigned, Kind, std::string>, KernelReport::Line> by_place;
  for (const vectorizer::Remark &remark : remarks) {
    const auto [known, is_new] =
        by_place.try_emplace({remark.file, remark.line, remark.column, remark.kind, remark.text},
                             KernelReport::Line{remark.file, remark.line, remark.column, title(remark.kind),
                                                remark.text, 0, isAboutLanes(remark.kind), remark.cost});
    ++known->second.times;
  }
  std::vector<KernelReport::Line> lines;
  for (const auto &[place, line] : by_place)
    lines.push_back(line);
  std::ranges::stable_sort(lines, std::ranges::greater(), &KernelReport::Line::cost);
  return lines;
}

// Returns KernelReport::local_size.
std::string localSizeText(const vectorizer::LaunchClass &launch) {
  const auto &size = launch.local_size;
  if (const std::optional<unsigned> axis = launch.rowAxis())
    return *axis == 0 ? "free" : std::string("free with lanes along ") + "xyz"[*axis];
  if (size[0] == 0)
    return "any";
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

} // namespace

vectorizer::LaunchClass chosenClass(vectorizer::LaunchClass asked, const vectorizer::CompiledKernel &kernel) {
  asked.width = kernel.width;
  asked.free_width = false;
  if (std::exchange(asked.row_axes, 0) != 0)
    asked.local_size = vectorizer::LaunchClass::rowAlong(kernel.row_axis);
  return asked;
}

KernelReport describeCode(const std::string &kernel, const vectorizer::LaunchClass &launch,
                          const vectorizer::CompileOutput &output, const vectorizer::TargetDescription &target) {
  return {.kernel = kernel,
          .lanes = launch.width,
          .isa = vectorizer::isaName(target.isa),
          .cpu = target.cpu,
          .local_size = localSizeText(launch),
          .local_bytes = output.kernel->local_bytes,
          .spill_bytes = output.kernel->spill_bytes,
          .lines = linesOf(output.remarks)};
}

} // namespace lanecl::icd

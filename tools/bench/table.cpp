// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "table.h"

#include <algorithm>
#include <fmt/format.h>

namespace bench {

namespace {

using Line = std::vector<std::string>;

std::string formatScore(const Score &score) {
  if (!score.failure.empty())
    return "FAILED";
  return score.seconds == 0 ? "-" : formatTime(score.seconds);
}

std::string formatRate(const Benchmark &benchmark, const Score &score) {
  if (benchmark.unit.empty() || score.seconds == 0)
    return "-";
  return fmt::format("{:.1f} {}/s", benchmark.amount / score.seconds, benchmark.unit);
}

std::string formatRatio(const Score &ours, const Score &other) {
  if (ours.seconds == 0 || other.seconds == 0)
    return "-";
  return fmt::format("{:.2f}", other.seconds / ours.seconds);
}

Line heading(const std::vector<std::string> &contestants) {
  Line line{"benchmark"};
  line.insert(line.end(), contestants.begin(), contestants.end());
  line.push_back(contestants.front() + " rate");
  for (size_t i = 1; i < contestants.size(); ++i)
    line.push_back("vs " + contestants[i]);
  return line;
}

Line lineOf(const Row &row) {
  Line line{row.benchmark.name};
  for (const Score &score : row.scores)
    line.push_back(formatScore(score));
  line.push_back(formatRate(row.benchmark, row.scores.front()));
  for (size_t i = 1; i < row.scores.size(); ++i)
    line.push_back(formatRatio(row.scores.front(), row.scores[i]));
  return line;
}

} // namespace

std::string formatTime(double seconds) {
  if (seconds < 1e-7)
    return fmt::format("{:.3f} ns", seconds * 1e9);
  if (seconds < 1e-3)
    return fmt::format("{:.2f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.3f} s", seconds);
}

std::string formatTable(const std::vector<std::string> &contestants, const std::vector<Row> &rows) {
  std::vector<Line> lines{heading(contestants)};
  std::transform(rows.begin(), rows.end(), std::back_inserter(lines), lineOf);
  std::vector<size_t> widths(lines.front().size());
  for (const Line &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const Line &line : lines) {
    text += fmt::format("{:<{}}", line.front(), widths.front());
    for (size_t i = 1; i < line.size(); ++i)
      text += fmt::format("  {:>{}}", line[i], widths[i]);
    text += "\n";
  }
  return text + fmt::format("Medians of one operation. \"vs\": time of the other divided by the time of {}; above 1 {} "
                            "is faster.\n",
                            contestants.front(), contestants.front());
}

} // namespace bench

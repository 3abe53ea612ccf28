// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Formats the results as a table.
#include "results.h"

#include <algorithm>
#include <cmath>
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

// Returns our time divided by the other contestant's, or 0 when one of them has no time.
double ratioOf(const Row &row, size_t other) {
  const double ours = row.scores.front().seconds, theirs = row.scores[other].seconds;
  return ours > 0 && theirs > 0 ? ours / theirs : 0;
}

std::string formatRatio(double ratio) {
  if (ratio == 0)
    return "-";
  return ratio < 0.1 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.2f}", ratio);
}

Line heading(const std::string &group, const std::vector<std::string> &contestants) {
  Line line{group};
  line.insert(line.end(), contestants.begin(), contestants.end());
  line.push_back(contestants.front() + " rate");
  for (size_t i = 1; i < contestants.size(); ++i)
    line.push_back(contestants.front() + "/" + contestants[i]);
  return line;
}

Line lineOf(const Row &row) {
  Line line{row.benchmark.name};
  for (const Score &score : row.scores)
    line.push_back(formatScore(score));
  line.push_back(formatRate(row.benchmark, row.scores.front()));
  for (size_t i = 1; i < row.scores.size(); ++i)
    line.push_back(formatRatio(ratioOf(row, i)));
  return line;
}

// Returns the geometric mean of a group's ratios to another contestant, or 0 when there are none.
double geometricMean(const std::vector<Row> &rows, const std::string &group, size_t other) {
  double logarithms = 0;
  size_t count = 0;
  for (const Row &row : rows)
    if (const double ratio = ratioOf(row, other); row.benchmark.group == group && ratio > 0) {
      logarithms += std::log(ratio);
      ++count;
    }
  return count ? std::exp(logarithms / double(count)) : 0;
}

Line meanLine(const Results &results, const std::string &group) {
  Line line{"geometric mean"};
  line.resize(results.contestants.size() + 2);
  for (size_t i = 1; i < results.contestants.size(); ++i)
    line.push_back(formatRatio(geometricMean(results.rows, group, i)));
  return line;
}

// Returns the table's lines. Each group has a heading, its benchmarks, the means, and an empty line.
std::vector<Line> linesOf(const Results &results) {
  std::vector<Line> lines;
  for (size_t i = 0; i < results.rows.size(); ++i) {
    const std::string &group = results.rows[i].benchmark.group;
    if (i == 0 || results.rows[i - 1].benchmark.group != group)
      lines.push_back(heading(group, results.contestants));
    lines.push_back(lineOf(results.rows[i]));
    if (i + 1 == results.rows.size() || results.rows[i + 1].benchmark.group != group) {
      if (results.contestants.size() > 1)
        lines.push_back(meanLine(results, group));
      lines.emplace_back();
    }
  }
  return lines;
}

} // namespace

std::string formatTime(double seconds) {
  if (seconds < 1e-7)
    return fmt::format("{:.3f} ns", seconds * 1e9);
  if (seconds < 1e-3)
    return fmt::format("{:.2f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.3f} s", seconds);
}

std::string formatTable(const Results &results) {
  const std::vector<Line> lines = linesOf(results);
  std::vector<size_t> widths;
  for (const Line &line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line &line : lines) {
    for (size_t i = 0; i < line.size(); ++i)
      text += i == 0 ? fmt::format("{:<{}}", line[i], widths[i]) : fmt::format("  {:>{}}", line[i], widths[i]);
    text += "\n";
  }
  return text +
         fmt::format("Medians of one operation. A ratio is the time of {0} divided by that of the other: below 1 "
                     "{0} is faster.\n",
                     results.contestants.front());
}

} // namespace bench

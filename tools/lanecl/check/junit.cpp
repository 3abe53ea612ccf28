// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes findings as JUnit XML. There is a test case for each place that broke a rule, for each group of checks without
// an error, and for the program itself.
#include "report.h"

#include "icd/counted.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include <sys/wait.h>

namespace lanecl::tool {
namespace {

// Returns the text as UTF-8: bytes that are none become U+FFFD. File names and arguments may hold any bytes.
std::string asUtf8(const std::string &text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

// Escapes a text for XML 1.0 and drops the control characters, most of which XML cannot represent.
std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : asUtf8(text))
    switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    case '\n': result += "&#10;"; break;
    case '\t': result += "&#9;"; break;
    default:
      if (static_cast<unsigned char>(c) >= 0x20)
        result += c;
    }
  return result;
}

// Starts the tag of a test case; the caller adds attributes and ends the tag.
std::string openCase(const std::string &group, const std::string &name) {
  return fmt::format("  <testcase classname=\"lanecl-check.{}\" name=\"{}\"", escaped(group), escaped(name));
}

// Returns the text of a failure: the place, the source line, the calls that lead there, and the rule's demand.
std::string detailsOf(const Finding &finding) {
  std::string text = finding.place() + (finding.place().empty() ? "" : " ") + finding.where() + "\n";
  if (!finding.text("source").empty())
    text += finding.text("source") + "\n";
  for (const Json &call : finding.json.value("calls", Json::array()))
    text += fmt::format("called from {} {}:{}\n", call.value("function", ""), call.value("file", ""),
                        call.value("line", uint64_t{0}));
  return text + finding.text("demand") + "\n";
}

// Returns the test case of a finding. An error is a failure; a warning passes and appears in the test case's output.
std::string caseOf(const Finding &finding) {
  const std::string rule = finding.text("rule"), message = escaped(finding.text("message"));
  const std::string kernel = finding.text("kernel");
  const std::string name = kernel.empty() ? finding.text("message") : "in kernel '" + kernel + "'";
  std::string text = openCase(rule, finding.place() + (finding.place().empty() ? "" : " ") + name);
  if (finding.number("line") != 0)
    text += fmt::format(" file=\"{}\" line=\"{}\"", escaped(finding.text("file")), finding.number("line"));
  text += ">\n";
  if (finding.isError())
    text += fmt::format("   <failure type=\"{}\" message=\"{}\">{}</failure>\n", escaped(rule), message,
                        escaped(detailsOf(finding)));
  else
    text += fmt::format("   <system-out>warning: {}&#10;{}</system-out>\n", message, escaped(detailsOf(finding)));
  return text + "  </testcase>\n";
}

bool hasError(const Report &report, const std::string &group) {
  return std::ranges::any_of(
      report.findings, [&](const Finding &finding) { return finding.isError() && finding.text("group") == group; });
}

std::string commandOf(const Report &report) {
  std::string command;
  for (const std::string &word : report.program)
    command += (command.empty() ? "" : " ") + word;
  return command;
}

// Returns whether the program itself failed or was ended by a signal.
bool failed(const Report &report) {
  return !WIFEXITED(report.status) || WEXITSTATUS(report.status) != 0;
}

// Returns the test case of the program itself, which is an error when the program failed.
std::string caseOfProgram(const Report &report) {
  const std::string begin = openCase("program", commandOf(report)) + fmt::format(" time=\"{:.3f}\"", report.seconds);
  if (!failed(report))
    return begin + "/>\n";
  const std::string reason = WIFSIGNALED(report.status) ? fmt::format("killed by signal {}", WTERMSIG(report.status))
                                                        : fmt::format("exit status {}", WEXITSTATUS(report.status));
  return begin + ">\n   <error type=\"program\" message=\"" + reason + "\"/>\n  </testcase>\n";
}

} // namespace

std::string asJunit(const Report &report) {
  std::string cases;
  size_t count = report.findings.size() + 1;
  for (const Finding &finding : report.findings)
    cases += caseOf(finding);
  for (const std::string &group : report.groups())
    if (!hasError(report, group)) {
      cases += openCase(group, "no error in " + icd::counted(report.launches, "launch")) + "/>\n";
      ++count;
    }
  cases += caseOfProgram(report);
  const std::string numbers = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", count,
                                          report.errors(), failed(report) ? 1 : 0, report.seconds);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lanecl check\" {0}>\n"
                     " <testsuite name=\"lanecl check\" {0} skipped=\"0\" timestamp=\"{1:%Y-%m-%dT%H:%M:%S}\">\n",
                     numbers, fmt::gmtime(static_cast<std::time_t>(report.began))) +
         cases + " </testsuite>\n</testsuites>\n";
}

} // namespace lanecl::tool

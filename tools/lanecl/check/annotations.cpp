// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes findings as CI services show them beside the code: GitHub and Azure look for certain lines in a job's output,
// and GitLab reads a report file.
#include "report.h"

#include <fmt/format.h>

namespace lanecl::tool {
namespace {

// Escapes the characters of `what` as %XX, where XX is the character's number.
std::string escaped(const std::string &text, std::string_view what) {
  std::string result;
  for (const char c : text)
    result += what.find(c) == std::string_view::npos ? std::string(1, c)
                                                     : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return result;
}

// Escapes a text for Azure, which reads %25 literally and has %AZP25 for the percent sign.
std::string escapedForAzure(const std::string &text, std::string_view what) {
  std::string result;
  for (const char c : text)
    result += c == '%' ? "%AZP25" : escaped(std::string(1, c), what);
  return result;
}

std::string messageOf(const Finding &finding) {
  return finding.sentence() + ". " + finding.text("demand");
}

// Returns a workflow command of GitHub Actions.
std::string forGithub(const Finding &finding) {
  constexpr std::string_view kInValue = "%\r\n:,", kInMessage = "%\r\n";
  std::string line = finding.isError() ? "::error " : "::warning ";
  if (finding.number("line") != 0)
    line += fmt::format("file={},line={},col={},", escaped(finding.text("file"), kInValue), finding.number("line"),
                        finding.number("column"));
  return line + "title=" + escaped("LaneCL check: " + finding.text("rule"), kInValue) +
         "::" + escaped(messageOf(finding), kInMessage);
}

// Returns a logging command of Azure Pipelines.
std::string forAzure(const Finding &finding) {
  const auto value = [](const std::string &text) { return escapedForAzure(text, "\r\n;]"); };
  std::string line = fmt::format("##vso[task.logissue type={};", finding.isError() ? "error" : "warning");
  if (finding.number("line") != 0)
    line += fmt::format("sourcepath={};linenumber={};columnnumber={};", value(finding.text("file")),
                        finding.number("line"), finding.number("column"));
  return line + "code=" + value(finding.text("rule")) + "]" + escapedForAzure(messageOf(finding), "\r\n");
}

// Returns a line like a compiler's message, which Jenkins, editors and other tools recognize.
std::string asCompiler(const Finding &finding) {
  const std::string place = finding.place();
  return (place.empty() ? "lanecl" : place) + (finding.isError() ? ": error: " : ": warning: ") + messageOf(finding) +
         " [" + finding.text("rule") + "]";
}

} // namespace

std::string asAnnotations(const Report &report, const std::string &form) {
  std::string lines;
  for (const Finding &finding : report.findings)
    lines += (form == "github" ? forGithub(finding) : form == "azure" ? forAzure(finding) : asCompiler(finding)) + "\n";
  return lines;
}

std::string asCodeQuality(const Report &report) {
  const std::vector<std::string> prints = fingerprints(report);
  auto issues = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const Finding &finding = report.findings[i];
    const std::string file = finding.text("file");
    issues.push_back({{"description", messageOf(finding)},
                      {"check_name", finding.text("rule")},
                      {"fingerprint", prints[i]},
                      {"severity", finding.isError() ? "major" : "minor"},
                      {"location",
                       // GitLab demands a path and a line, so a finding without a place gets arbitrary ones.
                       {{"path", file.empty() ? "program.cl" : file},
                        {"lines", {{"begin", std::max(uint64_t{1}, finding.number("line"))}}}}}});
  }
  return issues.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace lanecl::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text and the JSON of kernel reports.
#include "icd/kernel_report.h"

#include "icd/counted.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lanecl::icd {

using Json = nlohmann::ordered_json;

std::string asText(const KernelReport &report, bool lines) {
  std::string text =
      fmt::format("kernel {}: {}, {} ({}), local size {}, {} of local memory, {} spilled\n", report.kernel,
                  counted(report.lanes, "lane"), report.isa, report.cpu, report.local_size,
                  counted(report.local_bytes, "byte"), counted(report.spill_bytes, "byte"));
  if (report.launches != 0)
    text += fmt::format("  launched {}, about {:.3g} ms of processor time{}\n", counted(report.launches, "time"),
                        double(report.nanoseconds) / 1e6, report.options.empty() ? "" : "; options " + report.options);
  if (!lines)
    return text;
  if (std::ranges::none_of(report.lines, &KernelReport::Line::about_lanes))
    text += "  nothing diverges, gathers, scatters or crosses lanes\n";
  for (const KernelReport::Line &line : report.lines) {
    const char *const nowhere = line.about_lanes ? "(built-in)" : "(no line)";
    const std::string place = line.line == 0 ? nowhere : fmt::format("{}:{}:{}", line.file, line.line, line.column);
    text += fmt::format("  {:<28} {:<13}{}{}\n", place, line.kind, line.text,
                        line.times > 1 ? fmt::format("  (x{})", line.times) : "");
  }
  return text;
}

std::string asJson(const KernelReport &report) {
  Json lines = Json::array();
  for (const KernelReport::Line &line : report.lines)
    lines.push_back({{"file", line.file},
                     {"line", line.line},
                     {"column", line.column},
                     {"kind", line.kind},
                     {"text", line.text},
                     {"times", line.times},
                     {"about_lanes", line.about_lanes},
                     {"cost", line.cost}});
  const Json json{{"kernel", report.kernel},
                  {"lanes", report.lanes},
                  {"isa", report.isa},
                  {"cpu", report.cpu},
                  {"local_size", report.local_size},
                  {"local_bytes", report.local_bytes},
                  {"spill_bytes", report.spill_bytes},
                  {"options", report.options},
                  {"launches", report.launches},
                  {"nanoseconds", report.nanoseconds},
                  {"lines", lines}};
  // Names of files may be in any encoding, but JSON is UTF-8: invalid bytes are replaced.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string asJson(const char *tool, const std::vector<KernelReport> &reports) {
  std::string objects;
  for (const KernelReport &report : reports)
    objects += (objects.empty() ? "\n  " : ",\n  ") + asJson(report);
  return fmt::format("{{\"tool\": \"{}\", \"version\": \"" LANECL_VERSION "\", \"kernels\": [{}\n]}}\n", tool, objects);
}

bool fromJson(std::string_view json, KernelReport &report) {
  const Json object = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object())
    return false;
  try {
    object.at("kernel").get_to(report.kernel);
    object.at("lanes").get_to(report.lanes);
    object.at("isa").get_to(report.isa);
    object.at("cpu").get_to(report.cpu);
    object.at("local_size").get_to(report.local_size);
    object.at("local_bytes").get_to(report.local_bytes);
    object.at("spill_bytes").get_to(report.spill_bytes);
    object.at("options").get_to(report.options);
    object.at("launches").get_to(report.launches);
    object.at("nanoseconds").get_to(report.nanoseconds);
    for (const Json &line : object.at("lines"))
      report.lines.push_back({line.at("file"), line.at("line"), line.at("column"), line.at("kind"), line.at("text"),
                              line.at("times"), line.at("about_lanes"), line.at("cost")});
  } catch (const Json::exception &) { // a member is missing or has another type
    return false;
  }
  return true;
}

} // namespace lanecl::icd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The `lanecl` program: reads the command line and calls the subcommand. It runs OpenCL programs on our device, shows
// the device, and compiles kernel files.
#include "commands.h"

#include "icd/check_rules.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace {

using namespace lanecl::tool;

constexpr const char *kDescription = R"(LaneCL: OpenCL 3.1 on the CPU, Intel sub-groups as vector lanes.

  lanecl PROGRAM ARGS…    runs any OpenCL program on this device
  lanecl gdb PROGRAM …    debugs it and its kernels, lane by lane; lldb likewise
  lanecl check PROGRAM …  runs it and reports which rules its kernels break
  lanecl --device NAME …  does so on a device with the properties of an Intel GPU
  lanecl devices          lists the devices
  lanecl info             shows the device, the processor and the settings
  lanecl compile FILE.cl  builds kernels and shows how they were vectorized
  lanecl report PROGRAM … runs it and shows how its kernels were vectorized)";

// Reads one to three numbers such as 64 or 16x4; missing ones are 1. The library checks later whether the device has
// work-groups of that size.
std::array<uint32_t, 3> parseLocalSize(const std::string &text) {
  std::array<uint32_t, 3> size{1, 1, 1};
  const char *next = text.data(), *const end = next + text.size();
  for (uint32_t &number : size) {
    const auto [behind, trouble] = std::from_chars(next, end, number);
    if (trouble != std::errc{} || number == 0)
      break;
    if (behind == end)
      return size;
    if (*behind != 'x' && *behind != ',')
      break;
    next = behind + 1;
  }
  throw CLI::ValidationError("--local-size", "'" + text +
                                                 "' is not a work-group size; write one to three positive numbers, "
                                                 "such as 64 or 16x4");
}

// Returns whether the first word names a program and not a subcommand or an option. All words after it, options
// included, then belong to that program.
bool isProgram(int argc, char **argv) {
  constexpr std::string_view kCommands[] = {"check", "info", "devices", "compile", "report"};
  return argc > 1 && argv[1][0] != '-' && std::ranges::find(kCommands, argv[1]) == std::end(kCommands);
}

// Adds an option whose value is a list of rules. Several rules are separated by commas, or the option is given again.
void addRules(CLI::App &command, const char *name, const char *text, std::string &rules) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [&rules](const std::vector<std::string> &words) {
            for (const std::string &word : words)
              rules += (rules.empty() ? "" : ",") + word;
          },
          text)
      ->check(
          [](const std::string &words) {
            const std::string_view unknown = lanecl::icd::unknownRule(words);
            return unknown.empty()
                       ? std::string()
                       : "unknown rule '" + std::string(unknown) + "'; the rules are " + lanecl::icd::knownRules();
          },
          "RULE")
      ->allow_extra_args(false);
}

void addCheckOptions(CLI::App &command, CheckOptions &options) {
  command
      .add_option(
          "--checks", options.checks,
          "groups of checks, separated by commas: memory, sub-groups, work-groups, races, initialization, arithmetic, "
          "widths, commands, api, failures; full for all of them; by default all, which is the cheap ones: memory, "
          "sub-groups, work-groups, api, and races and initialization of local and private memory")
      ->check(
          [](const std::string &groups) {
            const std::string_view unknown = lanecl::icd::unknownGroup(groups);
            return unknown.empty() ? std::string() : "unknown group of checks '" + std::string(unknown) + "'";
          },
          "GROUPS");
  command.add_option("--json", options.json, "write the report to this file, as JSON");
  command.add_option("--sarif", options.sarif, "write it as SARIF 2.1.0, for code scanning services");
  command.add_option("--junit", options.junit, "write it as JUnit XML, for test reports");
  command.add_option("--code-quality", options.code_quality, "write it as a GitLab code quality report");
  command
      .add_option("--annotations", options.annotations,
                  "print one line per finding at the end, in the form that a CI service shows next to the code: "
                  "github, azure or gcc")
      ->check(CLI::IsMember({"github", "azure", "gcc"}));
  command.add_option("--sources", options.sources,
                     "folder with the program's sources: findings are placed in its files, with paths relative to it");
  command.add_option(
      "--suppressions", options.suppressions,
      "file that lists findings not to report, one per line: RULE KERNEL FILE:LINE, where * matches anything");
  command.add_option("--limit", options.limit, "show at most this many findings")->check(CLI::Range(1, 1000000));
  command.add_flag("--stop-at-first", options.stop_at_first, "end a process at its first error");
  command
      .add_option_function<std::string>(
          "--fail-on", [&options](const std::string &least) { options.fail_on_warning = least == "warning"; },
          "what makes the run fail: error, or warning for both; by default error")
      ->check(CLI::IsMember({"error", "warning"}));
  addRules(command, "--error", "rule whose violation is an error; may be repeated", options.severities.errors);
  addRules(command, "--warning", "rule whose violation is a warning; may be repeated", options.severities.warnings);
  addRules(command, "--ignore", "rule whose violations are not reported, only counted in the summary; may be repeated",
           options.severities.ignored);
  command.add_flag("--require-launch", options.require_launch,
                   "fail if no kernel was launched on this device, for example because the program chose another one");
  command
      .add_option("--error-status", options.error_status,
                  "exit status if a rule was broken and the program itself succeeded; by default 86")
      ->check(CLI::Range(0, 255));
  // CLI11 leaves the first word that is no option, and every word after it, to the program.
  command.prefix_command();
}

int dispatch(int argc, char **argv) {
  // Runs what the command line asks for and returns the exit status. Words that belong to another program are split off
  // before CLI11 sees them.
  if (argc > 1 && std::string(argv[1]) == "--device") {
    if (argc == 2)
      throw std::runtime_error("--device needs a name, followed by a program; lanecl devices lists the names");
    useDevice(argv[2]);
    argv += 2;
    argc -= 2;
  }
  char help[] = "--help";
  char *help_words[] = {argv[0], help, nullptr};
  if (argc == 1) {
    argv = help_words;
    argc = 2;
  }
  const std::string first = argv[1];
  if (first == "gdb" || first == "lldb")
    return debugProgram(first == "gdb" ? Debugger::Gdb : Debugger::Lldb, {argv + 2, argv + argc});
  if (isProgram(argc, argv))
    return runProgram({argv + 1, argv + argc});

  // For `compile` and `info`, the words after `--` go to the kernel compiler unchanged. For `check` and `report`, a
  // `--` may be an argument of the program and is left alone.
  char **end = first == "check" || first == "report" ? argv + argc : std::find(argv, argv + argc, std::string("--"));
  const std::vector<std::string> behind(std::min(end + 1, argv + argc), argv + argc);

  CLI::App app(kDescription, "lanecl");
  app.set_version_flag("--version", "lanecl " LANECL_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  InfoOptions info;
  CLI::App *info_command = app.add_subcommand("info", "Show the device, what the processor offers, and the settings");
  info_command->add_flag("--short", info.brief, "show only the device, its instruction set and its threads");

  CLI::App *devices_command = app.add_subcommand("devices", "List the devices that LANECL_DEVICE may name");
  // These two only make the help list the commands; they were run above.
  app.add_subcommand("gdb", "Debug a program and its kernels, lane by lane, with gdb");
  app.add_subcommand("lldb", "Debug a program and its kernels with LLDB");
  CheckOptions check;
  CLI::App *check_command = app.add_subcommand("check", "Run a program and report which rules its kernels break");
  addCheckOptions(*check_command, check);
  ReportOptions report;
  CLI::App *report_command = app.add_subcommand("report", "Run a program and show how its kernels were vectorized");
  report_command->add_option("--json", report.json, "write the report to this file, as JSON");
  report_command->add_option("--kernel", report.kernel, "show only this kernel");
  report_command->add_flag("--brief", report.brief, "print two lines per kernel, without its source lines");
  report_command->prefix_command();
  CompileOptions compile;
  compile.build_options = behind;
  std::string local_size;
  CLI::App *compile_command = app.add_subcommand("compile", "Build a kernel file: lanecl compile FILE.cl [-- OPTIONS]");
  compile_command->add_option("file", compile.file, "OpenCL C source, or SPIR-V in a .spv file")
      ->required()
      ->check(CLI::ExistingFile);
  compile_command->add_option("-o", compile.output,
                              "write the program binary to this file, for clCreateProgramWithBinary");
  compile_command->add_flag("--spirv", compile.spirv, "treat the file as SPIR-V, whatever its name");
  compile_command->add_option("--kernel", compile.kernel, "show only this kernel");
  compile_command->add_option(
      "--cpu", compile.cpu,
      "compile for this processor, such as x86-64-v4 or sapphirerapids, instead of this machine's");
  compile_command->add_option("--local-size", local_size, "compile for this local size, such as 64 or 16x4");
  compile_command->add_option("--sub-group-size", compile.sub_group_size, "sub-group size of kernels that require none")
      ->check(CLI::IsMember({8, 16, 32}));
  compile_command->add_flag("--report", compile.report,
                            "show by source line what limits loops, the divergent branches, the gathers and scatters "
                            "with their reasons, and more");
  compile_command->add_flag("--json", compile.json, "print only the report, as JSON")
      ->excludes(compile_command->add_flag("--asm", compile.assembly, "print the assembly"))
      ->excludes(compile_command->add_flag("--ir", compile.ir, "print the optimized LLVM IR"));
  compile_command->add_flag("--time", compile.time, "print the time of each pass, for every lane count that is tried");

  try {
    app.parse(static_cast<int>(end - argv), argv);
    if (!local_size.empty())
      compile.local_size = parseLocalSize(local_size);
  } catch (const CLI::ParseError &error) {
    return app.exit(error);
  }
  if (check_command->parsed()) {
    check.program = check_command->remaining();
    if (check.program.empty())
      throw std::runtime_error("no program to check; usage: lanecl check [OPTIONS] PROGRAM ARGS…");
    return checkProgram(check);
  }
  if (report_command->parsed()) {
    report.program = report_command->remaining();
    if (report.program.empty())
      throw std::runtime_error("no program to run; usage: lanecl report [OPTIONS] PROGRAM ARGS…");
    return reportProgram(report);
  }
  if (devices_command->parsed())
    return showDevices();
  return info_command->parsed() ? showInfo(info) : compileFile(compile);
}

} // namespace

int main(int argc, char **argv) {
  try {
    return dispatch(argc, argv);
  } catch (const std::exception &error) {
    fmt::print(stderr, "lanecl: error: {}\n", error.what());
    return 1;
  }
}

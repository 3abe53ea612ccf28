// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl compile FILE`, of OpenCL C or SPIR-V; a part of the library.
#include "commands.h"

#include "frontend/frontend.h"
#include "frontend/spirv.h"
#include "icd/capabilities.h"
#include "icd/configuration.h"
#include "icd/launch_class.h"
#include "icd/resources.h"
#include "icd/settings.h"
#include "vectorizer/contract/width.h"
#include "vectorizer/vectorizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace lanecl::tool {
namespace {

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (!(content << file.rdbuf()) && !file.eof())
    throw std::runtime_error("cannot read " + path);
  return content.str();
}

// Words with blanks are quoted, so that they are not split again.
std::string joined(const std::vector<std::string> &words) {
  std::string result;
  for (const std::string &word : words)
    result += (result.empty() ? "" : " ") + (word.find(' ') == std::string::npos ? word : "\"" + word + "\"");
  return result;
}

const char *title(vectorizer::Remark::Kind kind) {
  switch (kind) {
  case vectorizer::Remark::Kind::Loop: return "loop";
  case vectorizer::Remark::Kind::Spill: return "spill";
  case vectorizer::Remark::Kind::Barrier: return "barrier";
  case vectorizer::Remark::Kind::DivergentBranch: return "divergent";
  case vectorizer::Remark::Kind::Gather: return "gather";
  case vectorizer::Remark::Kind::Scatter: return "scatter";
  case vectorizer::Remark::Kind::LaneLoop: return "lane by lane";
  case vectorizer::Remark::Kind::SubGroupOperation: return "sub-group";
  }
  return "";
}

bool isAboutLanes(vectorizer::Remark::Kind kind) {
  using Kind = vectorizer::Remark::Kind;
  return kind != Kind::Loop && kind != Kind::Spill && kind != Kind::Barrier;
}

// By source line; repetitions by inlining and unrolling are counted in one line.
void printReport(const std::vector<vectorizer::Remark> &remarks) {
  std::map<std::tuple<std::string, unsigned, unsigned, vectorizer::Remark::Kind, std::string>, unsigned> lines;
  for (const vectorizer::Remark &remark : remarks)
    ++lines[{remark.file, remark.line, remark.column, remark.kind, remark.text}];
  if (std::none_of(remarks.begin(), remarks.end(), [](const auto &remark) { return isAboutLanes(remark.kind); }))
    fmt::print("  nothing diverges, gathers, scatters or crosses lanes\n");
  for (const auto &[where, count] : lines) {
    const auto &[file, line, column, kind, text] = where;
    const char *nowhere = isAboutLanes(kind) ? "(built-in)" : "(no line)";
    const std::string place = line == 0 ? nowhere : fmt::format("{}:{}:{}", file, line, column);
    fmt::print("  {:<28} {:<13}{}{}\n", place, title(kind), text, count > 1 ? fmt::format("  (x{})", count) : "");
  }
}

void checkLocalSize(const std::array<uint32_t, 3> &size) {
  if (icd::isTooLargeWorkGroup(icd::profile(), {size[0], size[1], size[2]}))
    throw std::runtime_error(fmt::format("--local-size {}x{}x{}: a work-group of the device has at most {} work-items",
                                         size[0], size[1], size[2], icd::profile().max_work_group_size));
}

// The local size of the command line, else the one that the kernel requires, else zeros: any size.
std::array<uint32_t, 3> localSizeFor(const frontend::KernelInfo &kernel, const CompileOptions &options) {
  if (options.local_size[0] != 0)
    return options.local_size;
  std::array<uint32_t, 3> size{};
  std::copy(kernel.required_work_group_size.begin(), kernel.required_work_group_size.end(), size.begin());
  return size;
}

// As for a launch of that size without offset; free work-groups are those of a range that is long in every dimension.
vectorizer::LaunchClass classFor(const frontend::Module &module, const frontend::KernelInfo &kernel,
                                 const CompileOptions &options, const vectorizer::KernelOutlook &outlook) {
  vectorizer::LaunchClass launch{.local_size = localSizeFor(kernel, options), .no_offset = true};
  if (icd::hasFreeWorkGroups(module, kernel, outlook)) {
    const auto &asked = launch.local_size;
    launch.local_size = {icd::runsAlone(kernel, outlook, {asked[0], asked[1], asked[2]}) ? 1u : 0u, 1, 1};
    launch.row_axes = launch.isRow() ? 0b110 : 0; // y and z
  }
  const auto &known = launch.local_size;
  const std::array<uint64_t, 3> size =
      known[0] == 0 ? std::array<uint64_t, 3>{256, 1, 1} : std::array<uint64_t, 3>{known[0], known[1], known[2]};
  const unsigned forced = options.sub_group_size != 0 ? options.sub_group_size : icd::forcedSubGroupSize();
  launch.width = vectorizer::subGroupWidth({.required = kernel.required_sub_group_size,
                                            .forced = forced,
                                            .queries_sub_groups = kernel.queries_sub_groups,
                                            .narrowest = icd::profile().narrowest_sub_group},
                                           size);
  launch.free_width = icd::hasFreeWidth(module, kernel, outlook, forced);
  return launch;
}

std::string localSizeText(const vectorizer::LaunchClass &launch) {
  const auto &size = launch.local_size;
  if (const std::optional<unsigned> axis = launch.rowAxis())
    return *axis == 0 ? "free" : fmt::format("free with lanes along {}", "xyz"[*axis]);
  return size[0] == 0 ? "any" : fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

bool compileKernel(vectorizer::Vectorizer &compiler, const frontend::Module &module, const frontend::KernelInfo &kernel,
                   const CompileOptions &options) {
  std::vector<vectorizer::KernelOutlook> outlooks;
  compiler.check(*module.bitcode, {{kernel.name}}, &outlooks); // errors are reported below
  vectorizer::LaunchClass launch = classFor(module, kernel, options, outlooks.at(0));
  const vectorizer::KernelSource source{*module.bitcode, kernel.name, module.debug, module.optimize};
  const vectorizer::CompileOutput output = compiler.compile(source, launch, options.report);
  if (output.kernel == nullptr) {
    fmt::print(stderr, "{}\n", output.error);
    return false;
  }
  if (!output.warning.empty())
    fmt::print(stderr, "LaneCL: {}\n", output.warning);
  // What is printed below has the width and the row that were chosen.
  launch.width = output.kernel->width;
  launch.free_width = false;
  if (std::exchange(launch.row_axes, 0) != 0)
    launch.local_size = vectorizer::LaunchClass::rowAlong(output.kernel->row_axis);
  const vectorizer::TargetDescription target = compiler.target();
  fmt::print("kernel {}: {} {}, {} ({}), local size {}, {} bytes of local memory, {} bytes spilled\n", kernel.name,
             launch.width, launch.width == 1 ? "lane" : "lanes", vectorizer::isaName(target.isa), target.cpu,
             localSizeText(launch), output.kernel->local_bytes, output.kernel->spill_bytes);
  if (options.report)
    printReport(output.remarks);
  using Text = vectorizer::Vectorizer::Text;
  std::string error;
  if (options.ir)
    fmt::print("{}\n", compiler.print(source, launch, Text::Ir, error));
  if (options.assembly)
    fmt::print("{}\n", compiler.print(source, launch, Text::Assembly, error));
  if (!error.empty())
    fmt::print(stderr, "{}\n", error);
  return error.empty();
}

vectorizer::Config configFor(const std::string &cpu) {
  if (cpu.empty())
    return icd::vectorizerConfig();
  const std::vector<std::string> known = vectorizer::knownProcessors();
  if (std::find(known.begin(), known.end(), cpu) == known.end())
    throw std::runtime_error(fmt::format("unknown processor '{}'; known are {}", cpu, icd::listed(known)));
  icd::Settings settings = icd::settings();
  settings.cpu = cpu;
  std::string messages;
  vectorizer::Config config = icd::vectorizerConfig(settings, messages);
  fmt::print(stderr, "{}", messages);
  return config;
}

frontend::CompileOutput build(frontend::Frontend &frontend, const CompileOptions &options) {
  const std::string content = readFile(options.file);
  if (!options.file.ends_with(".spv"))
    // -s makes the compiler use the file's name in its messages.
    return frontend.build(content, "-s \"" + options.file + "\" " + joined(options.build_options));
  frontend::CompileOutput output;
  if (frontend::examineSpirv(content, icd::languageTraits({}), output.log) != frontend::SpirvVerdict::Good)
    return output;
  return frontend.buildSpirv(content, joined(options.build_options), {});
}

} // namespace
} // namespace lanecl::tool

int laneclCompileFile(const lanecl::tool::CompileOptions &options) {
  using namespace lanecl;
  using namespace lanecl::tool;
  checkLocalSize(options.local_size);
  std::string error;
  const std::string resources = icd::resourceDirectory(error);
  if (resources.empty())
    throw std::runtime_error(error);
  frontend::LanguageTraits traits = icd::languageTraits(resources);
  traits.builtins_path = icd::builtinsPath(resources);
  traits.spirv_translator = icd::spirvTranslator();
  traits.clang_module = icd::clangModule();
  frontend::Frontend frontend(traits);
  const frontend::CompileOutput built = build(frontend, options);
  fmt::print(stderr, "{}", built.log);
  if (built.status != frontend::Status::Success)
    return 1;

  const std::vector<frontend::KernelInfo> &kernels = built.module.info->kernels;
  if (kernels.empty())
    throw std::runtime_error(options.file + " has no kernel");
  vectorizer::Config config = configFor(options.cpu);
  config.builtins_path = traits.builtins_path;
  config.time_passes = options.time;
  vectorizer::Vectorizer compiler(config);
  bool good = true, found = false;
  for (const frontend::KernelInfo &kernel : kernels) {
    if (!options.kernel.empty() && kernel.name != options.kernel)
      continue;
    found = true;
    good &= compileKernel(compiler, built.module, kernel, options);
  }
  if (!found)
    throw std::runtime_error(options.file + " has no kernel '" + options.kernel + "'");
  return good ? 0 : 1;
}

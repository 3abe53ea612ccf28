// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl compile FILE`, of OpenCL C or SPIR-V; a part of the library.
#include "commands.h"

#include "frontend/frontend.h"
#include "frontend/spirv.h"
#include "icd/capabilities.h"
#include "icd/configuration.h"
#include "icd/describe_code.h"
#include "icd/launch_class.h"
#include "icd/program_binary_file.h"
#include "icd/resources.h"
#include "icd/settings.h"
#include "vectorizer/contract/width.h"
#include "vectorizer/vectorizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

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

bool compileKernel(vectorizer::Vectorizer &compiler, const frontend::Module &module, const frontend::KernelInfo &kernel,
                   const CompileOptions &options, std::vector<icd::KernelReport> &reports) {
  std::vector<vectorizer::KernelOutlook> outlooks;
  compiler.check(*module.bitcode, {{kernel.name}}, &outlooks); // errors are reported below
  vectorizer::LaunchClass launch = classFor(module, kernel, options, outlooks.at(0));
  const vectorizer::KernelSource source{*module.bitcode, kernel.name, module.debug, module.optimize};
  const vectorizer::CompileOutput output = compiler.compile(source, launch, options.report || options.json);
  if (output.kernel == nullptr) {
    fmt::print(stderr, "{}\n", output.error);
    return false;
  }
  if (!output.warning.empty())
    fmt::print(stderr, "LaneCL: {}\n", output.warning);
  launch = icd::chosenClass(launch, *output.kernel);
  reports.push_back(icd::describeCode(kernel.name, launch, output, compiler.target()));
  if (options.json) // all of them are one text
    return true;
  fmt::print("{}", icd::asText(reports.back(), options.report));
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

void write(const std::string &path, const std::string &content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
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

bool isSpirv(const CompileOptions &options) {
  return options.spirv || options.file.ends_with(".spv");
}

frontend::CompileOutput build(frontend::Frontend &frontend, const CompileOptions &options) {
  const std::string content = readFile(options.file);
  if (!isSpirv(options))
    // -s makes the compiler use the file's name in its messages.
    return frontend.build(content, "-s \"" + options.file + "\" " + joined(options.build_options));
  frontend::CompileOutput output;
  if (frontend::examineSpirv(content, icd::languageTraits({}), output.log) != frontend::SpirvVerdict::Good)
    return output;
  return frontend.buildSpirv(content, joined(options.build_options), {});
}

// With debug information it has the text, too: `lanecl check` shows lines of it.
std::string binaryOf(const frontend::Module &module, const CompileOptions &options) {
  const bool has_text = module.debug && !isSpirv(options);
  return icd::programBinary(module, options.file, has_text ? readFile(options.file) : "");
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
  if (kernels.empty() && options.output.empty())
    throw std::runtime_error(options.file + " has no kernel");
  vectorizer::Config config = configFor(options.cpu);
  config.builtins_path = traits.builtins_path;
  config.time_passes = options.time;
  vectorizer::Vectorizer compiler(config);
  bool good = true, found = options.kernel.empty();
  std::vector<icd::KernelReport> reports;
  for (const frontend::KernelInfo &kernel : kernels) {
    if (!options.kernel.empty() && kernel.name != options.kernel)
      continue;
    found = true;
    good &= compileKernel(compiler, built.module, kernel, options, reports);
  }
  if (!found)
    throw std::runtime_error(options.file + " has no kernel '" + options.kernel + "'");
  if (options.json)
    fmt::print("{}", icd::asJson("lanecl compile", reports));
  if (good && !options.output.empty())
    write(options.output, binaryOf(built.module, options));
  return good ? 0 : 1;
}

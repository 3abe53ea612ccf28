// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl compile FILE`: compiles the kernels of an OpenCL C or SPIR-V file without launching them. This file is part
// of the device's library, because it needs the compiler.
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
#include "icd/thread_count.h"
#include "vectorizer/contract/width.h"
#include "vectorizer/vectorizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
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

// Returns the word in quotes, so that the kernel compiler takes it as it is: with its blanks, quotes and backslashes.
std::string quoted(const std::string &word) {
  std::string result = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

// Returns the words as one line.
std::string joined(const std::vector<std::string> &words) {
  std::string result;
  for (const std::string &word : words)
    result += (result.empty() ? "" : " ") + quoted(word);
  return result;
}

void checkLocalSize(const std::array<uint32_t, 3> &size) {
  if (icd::isTooLargeWorkGroup(icd::deviceProfile(), {size[0], size[1], size[2]}))
    throw std::runtime_error(fmt::format("--local-size {}x{}x{}: a work-group on this device has at most {} work-items",
                                         size[0], size[1], size[2], icd::deviceProfile().max_work_group_size));
}

// Returns the local size of the command line, or the one that the kernel requires, or zeros for any size.
std::array<uint32_t, 3> localSizeFor(const frontend::KernelInfo &kernel, const CompileOptions &options) {
  if (options.local_size[0] != 0)
    return options.local_size;
  std::array<uint32_t, 3> size{};
  std::copy(kernel.required_work_group_size.begin(), kernel.required_work_group_size.end(), size.begin());
  return size;
}

// Returns what a launch with this local size and no global offset would let the code assume. Where the work-groups may
// be chosen freely, the range is taken to be long in every dimension.
vectorizer::LaunchClass classFor(const frontend::Module &module, const frontend::KernelInfo &kernel,
                                 const CompileOptions &options, const vectorizer::KernelTraits &traits) {
  vectorizer::LaunchClass launch{.local_size = localSizeFor(kernel, options), .no_offset = true};
  if (icd::hasFreeWorkGroups(module, kernel, traits)) {
    const auto &asked = launch.local_size;
    launch.local_size = {icd::runsAlone(kernel, traits, {asked[0], asked[1], asked[2]}) ? 1u : 0u, 1, 1};
    launch.row_axes = launch.isRow() ? 0b110 : 0; // the row may lie along y or z instead of x
  }
  const auto &known = launch.local_size;
  const std::array<uint64_t, 3> size =
      known[0] == 0 ? std::array<uint64_t, 3>{256, 1, 1} : std::array<uint64_t, 3>{known[0], known[1], known[2]};
  const unsigned forced = options.sub_group_size != 0 ? options.sub_group_size : icd::forcedSubGroupSize();
  launch.width = vectorizer::subGroupWidth({.required = kernel.required_sub_group_size,
                                            .forced = forced,
                                            .queries_sub_groups = kernel.queries_sub_groups,
                                            .narrowest = icd::deviceProfile().narrowest_sub_group},
                                           size);
  launch.free_width = icd::hasFreeWidth(module, kernel, traits, forced);
  return launch;
}

// The output for one kernel, kept until the kernels before it have been printed.
struct KernelResult {
  bool is_good = false;
  std::string text, messages; // the output for stdout and for stderr
  std::optional<icd::KernelReport> report;
};

// Appends the IR and the assembly to the result, as the options ask for them.
void addCode(vectorizer::Vectorizer &compiler, const vectorizer::KernelSource &source,
             const vectorizer::LaunchClass &launch, const CompileOptions &options, KernelResult &result) {
  const auto add = [&](vectorizer::Vectorizer::Text what) {
    std::string error;
    result.text += compiler.print(source, launch, what, error) + "\n";
    if (!error.empty())
      result.messages += error + "\n";
    result.is_good &= error.empty();
  };
  if (options.ir)
    add(vectorizer::Vectorizer::Text::Ir);
  if (options.assembly)
    add(vectorizer::Vectorizer::Text::Assembly);
}

// Compiles one kernel for the launch of the command line and describes the code. Errors become messages of the result.
KernelResult compileKernel(vectorizer::Vectorizer &compiler, const frontend::Module &module,
                           const frontend::KernelInfo &kernel, const CompileOptions &options) {
  std::vector<vectorizer::KernelTraits> outlooks;
  compiler.check(*module.bitcode, {{kernel.name}}, &outlooks); // errors are reported below
  vectorizer::LaunchClass launch = classFor(module, kernel, options, outlooks.at(0));
  const vectorizer::KernelSource source{*module.bitcode, kernel.name, module.debug, module.optimize};
  const vectorizer::CompileOutput output = compiler.compile(source, launch, options.report || options.json);
  KernelResult result;
  if (output.kernel == nullptr) {
    result.messages = output.error + "\n";
    return result;
  }
  if (!output.warning.empty())
    result.messages = fmt::format("LaneCL: {}\n", output.warning);
  launch = icd::chosenClass(launch, *output.kernel);
  result.report = icd::describeCode(kernel.name, launch, output, compiler.target());
  result.is_good = true;
  if (options.json) // the reports of all kernels are printed as one JSON text at the end
    return result;
  result.text = icd::asText(*result.report, options.report);
  addCode(compiler, source, launch, options, result);
  return result;
}

// Prints the results in the order of the kernels. Kernels are compiled by several threads; each result appears as soon
// as those of all earlier kernels are there.
class Printer {
public:
  explicit Printer(size_t kernels) : results(kernels) {}

  void add(size_t number, KernelResult result) {
    const std::lock_guard lock(mutex);
    results[number] = std::move(result);
    for (; printed < results.size() && results[printed]; ++printed) {
      fmt::print(stderr, "{}", results[printed]->messages);
      fmt::print("{}", results[printed]->text);
      std::fflush(stdout);
    }
  }
  bool areGood() const {
    return std::ranges::all_of(results, [](const auto &result) { return result->is_good; });
  }
  std::vector<icd::KernelReport> reports() const {
    std::vector<icd::KernelReport> reports;
    for (const auto &result : results)
      if (result->report)
        reports.push_back(*result->report);
    return reports;
  }

private:
  std::mutex mutex;
  std::vector<std::optional<KernelResult>> results;
  size_t printed = 0;
};

// Returns the kernel that the command line names, or all. Throws when the file has no kernel of that name.
std::vector<const frontend::KernelInfo *> chosenKernels(const std::vector<frontend::KernelInfo> &kernels,
                                                        const CompileOptions &options) {
  std::vector<const frontend::KernelInfo *> chosen;
  for (const frontend::KernelInfo &kernel : kernels)
    if (options.kernel.empty() || kernel.name == options.kernel)
      chosen.push_back(&kernel);
  if (chosen.empty() && !options.kernel.empty())
    throw std::runtime_error(options.file + " has no kernel '" + options.kernel + "'");
  return chosen;
}

void write(const std::string &path, const std::string &content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

// Returns the vectorizer's configuration for the processor `cpu`, or for that of the settings when it is empty. Throws
// when LLVM does not know the processor.
vectorizer::Settings configFor(const std::string &cpu) {
  if (cpu.empty())
    return icd::vectorizerConfig();
  const std::vector<std::string> known = vectorizer::knownProcessors();
  if (std::find(known.begin(), known.end(), cpu) == known.end())
    throw std::runtime_error(fmt::format("unknown processor '{}'; the known ones are {}", cpu, icd::listed(known)));
  icd::Settings settings = icd::settings();
  settings.cpu = cpu;
  std::string messages;
  vectorizer::Settings config = icd::vectorizerConfig(settings, messages);
  fmt::print(stderr, "{}", messages);
  return config;
}

bool isSpirv(const CompileOptions &options) {
  return options.spirv || options.file.ends_with(".spv");
}

// Compiles and links the file as one program.
frontend::CompileOutput build(frontend::Frontend &frontend, const CompileOptions &options) {
  const std::string content = readFile(options.file);
  if (!isSpirv(options))
    // -s makes the compiler use the file's name in its messages.
    return frontend.build(content, "-s " + quoted(options.file) + " " + joined(options.build_options));
  frontend::CompileOutput output;
  if (frontend::examineSpirv(content, icd::languageTraits({}), output.log) != frontend::SpirvVerdict::Good)
    return output;
  return frontend.buildSpirv(content, joined(options.build_options), {});
}

// Returns the program's binary. With debug information the binary also holds the source text, of which `lanecl check`
// shows lines.
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
  vectorizer::Settings config = configFor(options.cpu);
  config.builtins_path = traits.builtins_path;
  config.time_passes = options.time;
  // Timing runs on one thread, so that the passes do not compete for the processor; they print their times as they go.
  config.threads = options.time ? 1 : icd::threadCount();
  vectorizer::Vectorizer compiler(config);
  const std::vector<const frontend::KernelInfo *> chosen = chosenKernels(kernels, options);
  Printer printer(chosen.size());
  compiler.forEach(chosen.size(), [&](size_t number) {
    printer.add(number, compileKernel(compiler, built.module, *chosen[number], options));
  });
  const bool good = printer.areGood();
  if (options.json)
    fmt::print("{}", icd::asJson("lanecl compile", printer.reports()));
  if (good && !options.output.empty())
    write(options.output, binaryOf(built.module, options));
  return good ? 0 : 1;
}

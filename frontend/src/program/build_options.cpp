// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The parser of build and link options (OpenCL API, sections "Compiler Options" and "Linker Options").
#include "program/build_options.h"

#include "program/vector_compiler.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace lanecl::frontend {
namespace {

bool isSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

// The values of -cl-std. "CL" alone is OpenCL C 1.0, as Clang has it.
constexpr std::array<std::pair<std::string_view, Language>, 10> kLanguages{{
    {"CL1.0", Language::CL10},
    {"CL1.1", Language::CL11},
    {"CL1.2", Language::CL12},
    {"CL2.0", Language::CL20},
    {"CL3.0", Language::CL30},
    {"CL3.1", Language::CL31},
    {"CLC++", Language::ClcPlusPlus10},
    {"CLC++1.0", Language::ClcPlusPlus10},
    {"CLC++2021", Language::ClcPlusPlus2021},
    {"CL", Language::CL10},
}};

// The options without a value, each with the member that it sets.
constexpr std::array<std::pair<std::string_view, bool CompileOptions::*>, 13> kFlags{{
    {"-w", &CompileOptions::no_warnings},
    {"-Werror", &CompileOptions::warnings_are_errors},
    {"-g", &CompileOptions::debug},
    {"-cl-mad-enable", &CompileOptions::mad_enable},
    {"-cl-unsafe-math-optimizations", &CompileOptions::unsafe_math},
    {"-cl-fast-relaxed-math", &CompileOptions::fast_relaxed_math},
    {"-cl-finite-math-only", &CompileOptions::finite_math_only},
    {"-cl-no-signed-zeros", &CompileOptions::no_signed_zeros},
    {"-cl-denorms-are-zero", &CompileOptions::denorms_are_zero},
    {"-cl-single-precision-constant", &CompileOptions::single_precision_constant},
    {"-cl-fp32-correctly-rounded-divide-sqrt", &CompileOptions::correctly_rounded_divide_sqrt},
    {"-cl-uniform-work-group-size", &CompileOptions::uniform_work_group_size},
    {"-fshow-overloads=all", &CompileOptions::all_overloads},
}};

// Legal options without effect: argument information is always kept, sub-groups never depend on each other's progress,
// and no aliasing is assumed from types.
constexpr std::array<std::string_view, 3> kWithoutEffect{"-cl-kernel-arg-info", "-cl-no-subgroup-ifp",
                                                         "-cl-strict-aliasing"};

// The options of a link that are legal and have no effect, because each object has been compiled with its own options.
constexpr std::array<std::string_view, 6> kMathLinkOptions{"-cl-denorms-are-zero",          "-cl-no-signed-zeros",
                                                           "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
                                                           "-cl-fast-relaxed-math",         "-cl-no-subgroup-ifp"};

template <class List> bool contains(const List &list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether the option tunes Intel's code generator, possibly by the name that it has in Level Zero. Programs written for
// Intel's compiler pass such options; they have no meaning here.
bool isIntelOption(std::string_view word) {
  return word.starts_with("-cl-intel-") || word.starts_with("-ze-");
}

// Parses the options of a compilation word by word. `newest`: the latest version of OpenCL C that the device has.
class Parser {
public:
  Parser(std::vector<std::string> words, unsigned newest, CompileOptions &options, std::string &error)
      : words(std::move(words)), has_opencl_c_31(newest >= 310), options(options), error(error) {}

  bool run() {
    for (position = 0; position < words.size(); ++position)
      if (!parseWord(words[position]))
        return false;
    return true;
  }

private:
  // Parses one option. May consume the next word as its value.
  bool parseWord(const std::string &word) {
    if (parseFlag(word) || contains(kWithoutEffect, word) || isIntelOption(word))
      return true;
    if (word.starts_with("-cl-std="))
      return parseLanguage(std::string_view(word).substr(8));
    if (word == "-cl-opt-disable" || word == "-O0") {
      options.optimize = false;
      return true;
    }
    // There is only one level of optimization, so all levels but -O0 mean the same.
    if (word == "-O" || word == "-O1" || word == "-O2" || word == "-O3" || word == "-Os" || word == "-Ofast")
      return true;
    if (word.starts_with("-W")) {
      options.warnings.push_back(word);
      return true;
    }
    if (word.starts_with("-D"))
      return parseMacro(word);
    if (word.starts_with("-I"))
      return takeValue(word, 2, [this](std::string v) { options.include_directories.push_back(std::move(v)); });
    if (word == "-s")
      return takeValue(word, 2, [this](std::string v) { options.source_file = std::move(v); });
    if (word.starts_with("-vc-"))
      return fail("build option '" + word + "' is for the vector compiler of Intel's GPUs; " + kVectorCompilerAdvice);
    return fail("unknown build option '" + word + "'");
  }

  // Returns false, without a message, when the word is no such option.
  bool parseFlag(const std::string &word) {
    for (const auto &[name, field] : kFlags)
      if (word == name) {
        options.*field = true;
        return true;
      }
    return false;
  }

  bool parseLanguage(std::string_view version) {
    for (const auto &[name, language] : kLanguages)
      if (version == name && (language != Language::CL31 || has_opencl_c_31)) {
        options.language = language;
        return true;
      }
    return fail("'-cl-std=" + std::string(version) + "' is not supported; use CL1.0, CL1.1, CL1.2, CL2.0, CL3.0" +
                (has_opencl_c_31 ? ", CL3.1" : "") + " or CLC++");
  }

  // Parses `-D NAME`, `-D NAME=value` or `-D NAME(parameters)=value`.
  bool parseMacro(const std::string &word) {
    std::string macro;
    if (!takeValue(word, 2, [&](std::string v) { macro = std::move(v); }))
      return false;
    const std::string name = macro.substr(0, macro.find_first_of("=("));
    const bool starts_well = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_');
    if (!starts_well ||
        !std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }))
      return fail("'-D " + macro + "' does not start with a macro name");
    options.macros.push_back(std::move(macro));
    return true;
  }

  // Passes on the value of `-X value` or `-Xvalue`.
  template <class Use> bool takeValue(const std::string &word, size_t name_length, Use use) {
    if (word.size() > name_length) {
      use(word.substr(name_length));
      return true;
    }
    if (position + 1 == words.size())
      return fail("option '" + word + "' needs a value");
    use(words[++position]);
    return true;
  }

  // Stores the message and returns false.
  bool fail(std::string message) {
    error = "error: " + std::move(message) + "\n";
    return false;
  }

  std::vector<std::string> words;
  const bool has_opencl_c_31;
  CompileOptions &options;
  std::string &error;
  size_t position = 0;
};

} // namespace

std::optional<std::vector<std::string>> splitOptions(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    // Inside single quotes a backslash stands for itself, as in a shell.
    if (c == '\\' && quote != '\'' && (next == '"' || next == '\'' || next == '\\' || (!quote && next == ' '))) {
      word += next;
      in_word = true;
      ++i;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      in_word = true;
    } else if (!quote && isSpace(c)) {
      if (in_word)
        words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote)
    return std::nullopt;
  if (in_word)
    words.push_back(std::move(word));
  return words;
}

bool parseCompileOptions(std::string_view text, unsigned newest, CompileOptions &options, std::string &error) {
  auto words = splitOptions(text);
  if (!words) {
    error = "error: a quote in the build options is not closed\n";
    return false;
  }
  return Parser(std::move(*words), newest, options, error).run();
}

// -enable-link-options only makes sense for a library, as the specification says.
bool parseLinkOptions(std::string_view text, LinkOptions &options, std::string &error) {
  const auto words = splitOptions(text);
  if (!words) {
    error = "error: a quote in the link options is not closed\n";
    return false;
  }
  for (const std::string &word : *words) {
    if (word == "-create-library") {
      options.create_library = true;
    } else if (word == "-enable-link-options") {
      options.enable_link_options = true;
    } else if (!contains(kMathLinkOptions, word) && !isIntelOption(word)) {
      error = "error: unknown link option '" + word + "'\n";
      return false;
    }
  }
  if (options.enable_link_options && !options.create_library) {
    error = "error: -enable-link-options needs -create-library\n";
    return false;
  }
  return true;
}

} // namespace lanecl::frontend

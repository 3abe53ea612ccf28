// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the lines of a program's text in the source files of a folder. A file matches best if it has the most equal
// lines around the place, so that copies of a program, includes and edited parts do not confuse the search.
#include "check/findings/source_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <tuple>

namespace lanecl::icd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramName = "program.cl"; // the front end's name for text without a name

// The suffixes of files that may contain kernels. If several files match equally well, the earlier suffix wins.
constexpr std::array kSuffixes = {".cl", ".clcpp", ".clh", ".ocl", ".h",  ".hpp", ".inc", ".cpp", ".cc", ".cxx",
                                  ".c",  ".py",    ".rs",  ".jl",  ".go", ".m",   ".nim", ".js",  ".ts"};
constexpr size_t kMostFiles = 20000, kMostBytes = size_t(256) << 20, kLargestFile = size_t(4) << 20;

size_t rankOf(const fs::path &file) {
  return size_t(std::ranges::find(kSuffixes, file.extension().string()) - kSuffixes.begin());
}

std::string contentOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

// Compares the lines of a program with those of a file. A program that is a string literal in the file shares its first
// and its last line with the quotes, so these lines only have to be the end or the start of the file's line.
class Aligned {
public:
  Aligned(const std::vector<std::string_view> &program, const std::vector<std::string_view> &file)
      : program(program), file(file) {}

  // Returns how many consecutive lines around these two are equal, without counting blank ones; 0 if the two differ.
  size_t run(size_t in_program, size_t in_file) const {
    if (!equal(in_program, in_file))
      return 0;
    size_t count = 1;
    for (size_t i = 1; i <= in_program && i <= in_file && equal(in_program - i, in_file - i); ++i)
      count += !isBlank(program[in_program - i]);
    for (size_t i = 1; in_program + i < program.size() && in_file + i < file.size(); ++i) {
      if (!equal(in_program + i, in_file + i))
        break;
      count += !isBlank(program[in_program + i]);
    }
    return count;
  }

private:
  bool equal(size_t in_program, size_t in_file) const {
    const std::string_view ours = program[in_program], theirs = file[in_file];
    return ours == theirs || (in_program == 0 && theirs.ends_with(ours)) ||
           (in_program + 1 == program.size() && theirs.starts_with(ours));
  }

  const std::vector<std::string_view> &program, &file;
};

std::string lineOf(std::string_view text, uint32_t line) {
  const std::vector<std::string_view> lines = linesOf(text);
  return line == 0 || line > lines.size() ? std::string() : std::string(lines[line - 1]);
}

// Whether `name` stands in the line as a whole identifier.
bool hasName(std::string_view line, std::string_view name) {
  const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1))
    if ((at == 0 || !isPart(line[at - 1])) && (at + name.size() == line.size() || !isPart(line[at + name.size()])))
      return true;
  return false;
}

// Whether `file` is the program's text `name`. The front end writes included headers to a folder of its own, so only
// the end of their paths has to match. A program that is built with -g is a file, whose name may be relative to the
// current folder.
bool isNamed(const std::string &file, const std::string &name) {
  return file == name || file.ends_with("/" + name) || name.ends_with("/" + file);
}

// Returns the source text that the place is in, or null if it is not known. All programs that were linked are named
// `program.cl`: the right one has the name of the place's function on the function's line. If several remain, they must
// agree on the line of the place.
const ProgramText *textOf(const ProgramTexts &texts, const SourceLocation &place) {
  std::vector<const ProgramText *> named;
  for (const auto &text : texts)
    if (isNamed(place.file, text->name))
      named.push_back(text.get());
  if (named.size() > 1)
    std::erase_if(named, [&](const ProgramText *text) {
      return place.function.empty() || !hasName(lineOf(text->text, place.function_line), place.function);
    });
  if (named.empty())
    return nullptr;
  const auto lineIn = [&](const ProgramText *text) { return lineOf(text->text, place.line); };
  const std::string line = lineIn(named.front());
  return std::ranges::all_of(named, [&](auto *text) { return lineIn(text) == line; }) ? named.front() : nullptr;
}

// Returns the source text with the content of `copy`, or null. With -g the front end writes a copy of the text to a
// file, and the debug information names that file.
const ProgramText *originalOf(const ProgramTexts &texts, const std::string &copy) {
  const auto found = std::ranges::find(texts, copy, [](const auto &text) -> const std::string & { return text->text; });
  return found == texts.end() ? nullptr : found->get();
}

} // namespace

SourceFiles::SourceFiles(const std::string &folder) {
  std::error_code error;
  if (!folder.empty())
    folder_ = fs::canonical(folder, error);
}

void SourceFiles::load() {
  files_.emplace();
  std::error_code error;
  size_t bytes = 0;
  using Walk = fs::recursive_directory_iterator;
  for (Walk at(folder_, fs::directory_options::skip_permission_denied, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path &path = at->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.'))
      at.disable_recursion_pending();
    else if (rankOf(path) < kSuffixes.size() && at->is_regular_file(ignored) && at->file_size(ignored) <= kLargestFile)
      bytes += files_->emplace_back(path.lexically_relative(folder_).string(), contentOf(path)).text.size();
    if (files_->size() >= kMostFiles || bytes >= kMostBytes)
      break;
  }
  // bestMatch() takes the first of several equal matches: by suffix, then the one least deep in the folder.
  std::ranges::sort(*files_, {}, [](const File &file) {
    return std::tuple(rankOf(file.name), std::ranges::count(file.name, '/'), file.name);
  });
}

// Returns the place with the most equal lines around it. It must have at least three, or all of a shorter program.
SourceFiles::Match SourceFiles::bestMatch(const std::string &program, uint32_t line) {
  constexpr size_t kFewest = 3;
  const std::vector<std::string_view> ours = linesOf(program);
  if (line > ours.size() || isBlank(ours[line - 1]))
    return {};
  if (!files_)
    load();
  Match best;
  for (const File &file : *files_) {
    if (file.text.find(ours[line - 1]) == std::string::npos)
      continue;
    const std::vector<std::string_view> theirs = linesOf(file.text);
    const Aligned aligned(ours, theirs);
    for (size_t i = 0; i < theirs.size(); ++i)
      if (const size_t lines = aligned.run(line - 1, i); lines > best.lines)
        best = {&file, uint32_t(i + 1), lines};
  }
  const auto all = size_t(std::ranges::count_if(ours, [](std::string_view text) { return !isBlank(text); }));
  return best.lines >= std::min(kFewest, all) ? best : Match{};
}

// Returns the name of a file relative to the folder, or the name as it is if the file is not in the folder.
std::string SourceFiles::nameOf(const std::string &file) const {
  std::error_code error;
  const fs::path path = fs::canonical(file, error);
  if (folder_.empty() || error)
    return file;
  const fs::path relative = path.lexically_relative(folder_);
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

std::string SourceFiles::locate(const ProgramTexts *texts, SourceLocation &place) {
  if (place.line == 0)
    return {};
  std::error_code error;
  const bool is_file = place.file != kProgramName && fs::is_regular_file(place.file, error);
  const std::string content = is_file ? contentOf(place.file) : std::string();
  const ProgramText *const known = !texts ? nullptr : is_file ? originalOf(*texts, content) : textOf(*texts, place);
  if (!known) {
    place.file = nameOf(place.file);
    return lineOf(content, place.line);
  }
  if (!is_file)
    place.file = known->name;
  const std::string &text = known->text;
  std::string line = lineOf(text, place.line);
  const std::string own_name = nameOf(place.file);
  if (own_name != place.file) {
    place.file = own_name;
  } else if (!folder_.empty()) {
    if (const Match match = bestMatch(text, place.line); match.file) {
      place.file = match.file->name;
      place.line = match.line;
    }
  }
  return line;
}

} // namespace lanecl::icd

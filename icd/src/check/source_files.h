// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the text of a program stands on disk. A program hands over text without a name: it may have read it from a
// file, have put lines before it, or have it as a literal in its own source.
#pragma once

#include "check/finding.h"
#include "faults/program_text.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace lanecl::icd {

class SourceFiles {
public:
  // The folder is searched at the first finding; empty: nowhere, then places are named as the compiler does.
  explicit SourceFiles(const std::string &folder);

  // `texts`: of the program that the place is in, or of the one that includes the file; null: not known.
  // Completes the place with the file's name, relative to the folder if it is in there, and returns the line's text.
  std::string locate(const ProgramTexts *texts, SourcePlace &place);

private:
  struct File {
    std::string name, text;
  };
  struct Match {
    const File *file = nullptr;
    uint32_t line = 0;
    size_t lines = 0; // that are equal around it
  };

  void load();
  Match bestMatch(const std::string &program, uint32_t line);
  std::string nameOf(const std::string &file) const;

  std::filesystem::path folder_; // absolute; empty: none
  std::optional<std::vector<File>> files_;
};

} // namespace lanecl::icd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the source text of OpenCL programs on disk, so that reports can name files and lines. clCreateProgramWithSource
// takes text without a name: the host program may have read it from a file, put lines before it, or have it as a string
// literal in its own source. The lines around a place are therefore searched in all source files of a folder.
#pragma once

#include "check/findings/finding.h"
#include "faults/program_text.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace lanecl::icd {

class SourceFiles {
public:
  // The folder is read at the first place that has to be searched. If it is empty, places keep the compiler's names.
  explicit SourceFiles(const std::string &folder);

  // Replaces the file and the line of `place` by those on disk, with a name relative to the folder if the file is in
  // it. Returns the text of the line. `texts` are the sources of the program that the place is in, or null if they are
  // not known.
  std::string locate(const ProgramTexts *texts, SourceLocation &place);

private:
  struct File {
    std::string name, text;
  };
  struct Match {
    const File *file = nullptr; // null: no match
    uint32_t line = 0;
    size_t lines = 0; // how many lines around it are equal
  };

  void load();
  Match bestMatch(const std::string &program, uint32_t line);
  std::string nameOf(const std::string &file) const;

  std::filesystem::path folder_;           // absolute; empty: none
  std::optional<std::vector<File>> files_; // of the folder; unset until load()
};

} // namespace lanecl::icd

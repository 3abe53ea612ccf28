// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles one source text to one object.
#pragma once

#include "cache/disk_use.h"
#include "frontend/frontend.h"
#include "opencl_c/precompiled_header.h"
#include "program/build_options.h"

namespace lanecl::frontend {

// A source text with all that decides how it is compiled. The references must outlive the request.
struct CompileRequest {
  const LanguageTraits &traits;
  LanguagePrefix &prefix;
  const CompileOptions &options;
  const std::string &source;
  const std::vector<Header> &headers;
};

// The bitcode of an object, or the log of a failed compilation.
struct ObjectCode {
  bool success = false;
  std::string log;
  std::string bitcode;
  DiskUse disk_use;              // files that were read or looked for, apart from the declarations of the built-ins
  std::string working_directory; // the folder at which relative paths started
};

// Returns the name under which the source text appears in diagnostics and debug information: the path that the option
// -s gives, or else "program.cl". With -g it is a real file, which this function writes so that a debugger can show it.
std::string nameSource(const CompileRequest &request);

// Compiles the program. `source_name` is the result of nameSource().
ObjectCode compileSource(const CompileRequest &request, const std::string &source_name);

} // namespace lanecl::frontend

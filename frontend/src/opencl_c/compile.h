// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One source text to one object.
#pragma once

#include "cache/disk_use.h"
#include "frontend/frontend.h"
#include "opencl_c/precompiled_header.h"
#include "program/build_options.h"

namespace lanecl::frontend {

struct CompileRequest {
  const LanguageTraits &traits;
  LanguagePrefix &prefix;
  const CompileOptions &options;
  const std::string &source;
  const std::vector<Header> &headers;
};

struct ObjectCode {
  bool success = false;
  std::string log;
  std::string bitcode;
  DiskUse disk_use;              // apart from the declarations of the built-ins
  std::string working_directory; // from which relative paths counted
};

// The name under which the source text appears in diagnostics and debug information. With -g it is a real file, written
// here, so that a debugger can show it.
std::string nameSource(const CompileRequest &request);

ObjectCode compileSource(const CompileRequest &request, const std::string &source_name);

} // namespace lanecl::frontend

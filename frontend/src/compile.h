// One source text to one object.
#pragma once

#include "build_options.h"
#include "frontend/frontend.h"
#include "precompiled_header.h"

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
  std::vector<std::string> disk_files; // files read from disk, the built-ins' declarations excepted
};

// The name under which the source text appears in diagnostics and debug information. With -g it is a real file, written
// here, so that a debugger can show it.
std::string nameSource(const CompileRequest &request);

ObjectCode compileSource(const CompileRequest &request, const std::string &source_name);

} // namespace lanecl::frontend

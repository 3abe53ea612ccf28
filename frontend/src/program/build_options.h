// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parses the option strings of clBuildProgram, clCompileProgram and clLinkProgram.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

enum class Language { CL10, CL11, CL12, CL20, CL30, CL31, ClcPlusPlus10, ClcPlusPlus2021 };

// The options of a compilation. Each `bool` is the option of the like name.
struct CompileOptions {
  // Without -cl-std: the highest OpenCL C 1.x version, as the specification says.
  Language language = Language::CL12;
  std::vector<std::string> macros; // "name" or "name=definition", in order
  std::vector<std::string> include_directories;
  std::string source_file;           // -s
  std::vector<std::string> warnings; // -W…, in order
  bool no_warnings = false, warnings_are_errors = false;
  bool all_overloads = false; // all overloads are listed where none of them fits a call
  bool debug = false, optimize = true;
  bool mad_enable = false, unsafe_math = false, fast_relaxed_math = false, finite_math_only = false;
  bool no_signed_zeros = false, denorms_are_zero = false, single_precision_constant = false;
  bool correctly_rounded_divide_sqrt = false, uniform_work_group_size = false;
};

struct LinkOptions {
  bool create_library = false, enable_link_options = false;
};

// Splits `text` into words at white space. White space is kept inside quotes "…" and '…'. A backslash keeps the next
// character if that is a quote, a backslash or a space. Returns nothing when a quote is not closed.
std::optional<std::vector<std::string>> splitOptions(std::string_view text);

// Parse the options of a compilation or a link. Return false with a message in `error` when an option is unknown or its
// value is illegal. `newest` is the latest version of OpenCL C that the device has, as __OPENCL_C_VERSION__.
bool parseCompileOptions(std::string_view text, unsigned newest, CompileOptions &options, std::string &error);
bool parseLinkOptions(std::string_view text, LinkOptions &options, std::string &error);

} // namespace lanecl::frontend

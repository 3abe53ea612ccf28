// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shared by the frontend's tests: a device to compile for, temporary folders, and short functions that build programs.
#pragma once

#include "frontend/disk_cache.h"
#include "frontend/frontend.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace test {

namespace fs = std::filesystem;
using namespace lanecl::frontend;

// Returns the device that programs are compiled for. It has some of the extensions and features, and neither a cache
// nor a built-in library.
inline LanguageTraits traits() {
  LanguageTraits t;
  t.extensions = {"cl_khr_byte_addressable_store",
                  "cl_khr_fp64",
                  "cl_khr_subgroups",
                  "cl_intel_subgroups",
                  "cl_intel_subgroups_short",
                  "cl_intel_required_subgroup_size",
                  "cl_intel_spirv_subgroups"};
  t.features = {"__opencl_c_fp64",   "__opencl_c_subgroups",
                "__opencl_c_images", "__opencl_c_generic_address_space",
                "__opencl_c_int64",  "__opencl_c_program_scope_global_variables"};
  t.clang_module = LANECL_TEST_CLANG_MODULE;
  return t;
}

// Returns the frontend that all tests share which need no settings of their own.
inline Frontend &device() {
  static Frontend frontend(traits());
  return frontend;
}

// A new folder below the system's folder for temporary files, removed with its contents by the destructor.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "lanecl-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("no temporary directory");
    folder = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;

  const fs::path &path() const { return folder; }
  // Writes a file, with the folders that its name needs, and returns its path.
  fs::path write(const std::string &name, const std::string &text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }

private:
  fs::path folder;
};

// Returns whether the program compiles and links.
inline bool builds(const std::string &source, const std::string &options = "") {
  const CompileOutput output = device().build(source, options);
  INFO(output.log);
  return output.status == Status::Success;
}

// Builds a program, which must succeed, and returns the descriptions of its kernels.
inline std::vector<KernelInfo> kernelsOf(const std::string &source, const std::string &options = "") {
  const CompileOutput output = device().build(source, options);
  INFO(output.log);
  REQUIRE(output.status == Status::Success);
  return output.module.info->kernels;
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace test

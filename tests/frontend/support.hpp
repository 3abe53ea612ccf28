// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the frontend's tests share: a device to compile for, temporary folders, short ways to build.
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

// One device for all tests that need nothing special.
inline Frontend &device() {
  static Frontend frontend(traits());
  return frontend;
}

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
  fs::path write(const std::string &name, const std::string &text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }

private:
  fs::path folder;
};

inline bool builds(const std::string &source, const std::string &options = "") {
  const CompileOutput output = device().build(source, options);
  INFO(output.log);
  return output.status == Status::Success;
}

// Builds a program that must be right, and returns what is known of its kernels.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every function that the headers declare has a definition in the library, with the attributes that it should have.
#include "declared_functions.h"

#include <catch2/catch.hpp>
#include <iostream>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

namespace {

// Families that the device does not offer, so that the frontend does not let a program see them.
constexpr const char *kNotOffered[] = {"amd_",
                                       "intel_sub_group_avc",
                                       "intel_sub_group_ime",
                                       "intel_sub_group_mce",
                                       "intel_sub_group_ref",
                                       "intel_sub_group_sic",
                                       "arm_",
                                       "create_user_event",
                                       "enqueue",
                                       "get_default_queue",
                                       "ndrange_",
                                       "retain_event",
                                       "release_event",
                                       "set_user_event_status",
                                       "is_valid_event",
                                       "capture_event_profiling_info"};

std::set<std::string> definedFunctions() {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto library = llvm::getLazyIRFileModule(LANECL_BUILTINS_BC, diagnostic, context);
  REQUIRE(library);
  std::set<std::string> names;
  for (const llvm::Function &function : *library)
    if (!function.isDeclaration())
      names.insert(function.getName().str());
  return names;
}

// The header declares these writes for images that are only read; there is nothing they could do.
bool isMistake(const std::string &signature) {
  return signature.rfind("intel_sub_group_block_write_ui", 0) == 0 && signature.find("image2d_ro") != std::string::npos;
}

bool isOffered(const std::string &signature) {
  for (const char *prefix : kNotOffered)
    if (signature.rfind(prefix, 0) == 0)
      return false;
  return !isMistake(signature);
}

void checkComplete(const std::string &language, const std::vector<std::string> &options) {
  const std::set<std::string> defined = definedFunctions();
  const std::set<std::string> declared = declaredFunctions(language, options);
  CHECK(declared.size() > 10000);
  size_t missing = 0;
  for (const std::string &name : declared) {
    std::string signature = llvm::demangle(name);
    if (!defined.count(name) && isOffered(signature)) {
      ++missing;
      std::cout << "missing in " << language << ": " << signature << "  " << name << "\n";
    }
  }
  CHECK(missing == 0);
}

// For this target Clang itself offers all extensions it knows: the ones of images that we lack are taken away. It does
// not know those whose functions lanecl-c.h declares.
const std::vector<std::string> kExtensions{
    "-Xclang",
    "-cl-ext=-cl_khr_mipmap_image,-cl_khr_mipmap_image_writes,-cl_khr_gl_msaa_sharing",
    "-Dcl_intel_split_work_group_barrier",
    "-Dcl_intel_subgroup_matrix_multiply_accumulate",
    "-Dcl_intel_subgroup_matrix_multiply_accumulate_tf32",
    "-Dcl_intel_subgroup_split_matrix_multiply_accumulate",
    "-Dcl_intel_subgroup_2d_block_io",
    "-Dcl_intel_media_block_io",
    "-Dcl_intel_sigmoid"};

} // namespace

TEST_CASE("OpenCL C 3.0 with the generic address space is complete") {
  checkComplete("CL3.0", kExtensions);
}
TEST_CASE("OpenCL C 1.2 with named address spaces is complete") {
  checkComplete("CL1.2", kExtensions);
}

TEST_CASE("functions that only query the launch are not convergent") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto library = llvm::getLazyIRFileModule(LANECL_BUILTINS_BC, diagnostic, context);
  REQUIRE(library);
  const auto isConvergent = [&](const char *name) {
    const llvm::Function *const function = library->getFunction(name);
    INFO(name);
    REQUIRE(function);
    return function->isConvergent();
  };
  for (const char *query :
       {"_Z13get_global_idj", "_Z12get_local_idj", "_Z12get_group_idj", "_Z15get_global_sizej", "_Z14get_local_sizej",
        "_Z14get_num_groupsj", "_Z17get_global_offsetj", "_Z12get_work_dimv", "_Z22get_sub_group_local_idv",
        "_Z16get_sub_group_idv", "_Z18get_sub_group_sizev", "_Z18get_num_sub_groupsv"})
    CHECK_FALSE(isConvergent(query));
  for (const char *other : {"_Z7barrierj", "_Z13sub_group_anyi"})
    CHECK(isConvergent(other));
}

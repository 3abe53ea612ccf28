// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Device profiles, which say what extensions and features the device has, and their agreement with what LaneCL
// supports.
#include "icd/profile.h"

#include "icd/capabilities.h"
#include "icd/resources.h"
#include "vectorizer/contract/width.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl;
using namespace lanecl::icd;

namespace {

// Returns whether all names start with `start`.
bool isOnly(const std::vector<std::string> &names, std::string_view start) {
  return std::ranges::all_of(names, [&](const std::string &name) { return name.starts_with(start); });
}

} // namespace

TEST_CASE("profiles list only what LaneCL supports") {
  for (const DeviceProfile *profile : profiles()) {
    CAPTURE(profile->name);
    for (const NameLists &lists : {profile->extensions, profile->features})
      for (std::span<const std::string_view> list : lists)
        for (std::string_view name : list) {
          CAPTURE(name);
          CHECK((offers(*profile, name) || (!readsSpirv() && name.starts_with("cl_khr_"))));
        }
  }
}

TEST_CASE("profiles are found by name") {
  REQUIRE(profiles().size() == 9);
  CHECK(profiles().front()->name == "cpu");
  for (const DeviceProfile *profile : profiles())
    CHECK(findProfile(profile->name) == profile);
  CHECK(findProfile("gen7") == nullptr);
  CHECK(findProfile("") == nullptr);
}

TEST_CASE("the compiler knows what a profile has") {
  const frontend::LanguageTraits tgl = languageTraits({}, *findProfile("tgl"));
  CHECK(std::ranges::count(tgl.extensions, "cl_khr_fp16") == 1);
  CHECK(std::ranges::count(tgl.extensions, "cl_khr_fp64") == 0);
  CHECK(std::ranges::count(tgl.features, "__opencl_c_fp64") == 0);
  CHECK(tgl.declares_sub_groups);
  CHECK(isOnly(tgl.features, "__opencl_c_"));
  CHECK(languageTraits({}, *findProfile("dg2")).matrix_sub_group == 8);
  const frontend::LanguageTraits pvc = languageTraits({}, *findProfile("pvc"));
  CHECK(pvc.sub_group_sizes == std::vector<unsigned>{16, 32});
  const frontend::LanguageTraits cpu = languageTraits({}, *findProfile("cpu"));
  CHECK(cpu.macros.empty());
  CHECK(cpu.matrix_sub_group == 0);
  CHECK_FALSE(cpu.declares_sub_groups);
  CHECK(cpu.sub_group_sizes == std::vector<unsigned>{8, 16, 32});
}

TEST_CASE("no sub-group is narrower than the device's") {
  using vectorizer::subGroupWidth;
  for (uint64_t row = 1; row <= 64; ++row)
    for (uint64_t rows : {1, 3})
      for (bool queries : {false, true}) {
        CAPTURE(row, rows, queries);
        const unsigned any = subGroupWidth({.queries_sub_groups = queries}, {row, rows, 1});
        const unsigned wide = subGroupWidth({.queries_sub_groups = queries, .narrowest = 16}, {row, rows, 1});
        CHECK(wide == std::max(any, 16u));
      }
}

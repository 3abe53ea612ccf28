// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Knows which built-in functions belong to extensions that only some GPUs have.
#include "program/device_functions.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

// Functions that only some GPUs have. `part` is contained in the names of these functions and in no others. The first
// entry that fits counts, so the first two come before the third, which is a part of their names.
struct Family {
  std::string_view part, extension;
  bool multiplies; // multiplies matrices, and so exists for one sub-group size
};
constexpr Family kFamilies[] = {
    {"_split_matrix_mad_", "cl_intel_subgroup_split_matrix_multiply_accumulate", false},
    {"tf32_matrix_mad_", "cl_intel_subgroup_matrix_multiply_accumulate_tf32", true},
    {"_matrix_mad_", "cl_intel_subgroup_matrix_multiply_accumulate", true},
    {"sub_group_2d_block_", "cl_intel_subgroup_2d_block_io", false},
    {"sub_group_block_prefetch_", "cl_intel_subgroup_buffer_prefetch", false},
};

bool contains(const std::vector<std::string> &names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns the sub-group size that a function multiplying matrices is for. The rows of the first matrix are divided
// among the work-items: each has an int of a row in sub-groups of 8, and a short in sub-groups of 16. Matrices of tf32
// have two rows in the registers of 16 work-items. The type of the first parameter tells which, after "_matrix_mad_k"
// and a number: "i", "j" or a vector of them are ints.
unsigned subGroupOf(llvm::StringRef function) {
  const llvm::StringRef name =
      function.drop_front(function.find("_matrix_mad_k") + llvm::StringRef("_matrix_mad_k").size());
  const llvm::StringRef parameters = name.ltrim("0123456789");
  const size_t at = parameters.starts_with("Dv") ? parameters.find('_') + 1 : 0;
  return llvm::StringRef("ij").contains(parameters.drop_front(std::min(at, parameters.size())).take_front()) ? 8 : 16;
}

} // namespace

bool lists(const LanguageTraits &traits, std::string_view name) {
  return name.empty() || contains(traits.extensions, name) || contains(traits.features, name);
}

bool accepts(const LanguageTraits &traits, std::string_view name) {
  return lists(traits, name) || contains(traits.unlisted, name);
}

std::string whyLacking(const LanguageTraits &traits, std::string_view function) {
  const auto *family = std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const Family &one) {
    return function.find(one.part) != std::string_view::npos;
  });
  if (family == std::end(kFamilies))
    return {};
  if (!accepts(traits, family->extension))
    return "needs " + std::string(family->extension) + ", which the device does not support";
  if (!family->multiplies || traits.matrix_sub_group == 0 || subGroupOf(function) == traits.matrix_sub_group)
    return {};
  return "is for sub-groups of " + std::to_string(subGroupOf(function)) +
         ", but the device multiplies matrices only in sub-groups of " + std::to_string(traits.matrix_sub_group);
}

std::string identityOfFunctions(const LanguageTraits &traits) {
  std::string identity = std::to_string(traits.matrix_sub_group);
  for (const Family &family : kFamilies)
    identity += accepts(traits, family.extension) ? '+' : '-';
  return identity;
}

} // namespace lanecl::frontend

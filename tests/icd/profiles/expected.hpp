// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What each profile has to answer, in terms of OpenCL. It is written down independently of icd/src/profiles/.
#pragma once

#include "support/session.hpp"

#include <cstdlib>

namespace lanecl::test {

struct Expected {
  const char *profile, *name, *driver;
  cl_uint ip_version, device_id, slices, sub_slices, eus, threads;
  cl_device_feature_capabilities_intel features;
  std::vector<size_t> sub_group_sizes;
  size_t work_group_size, local_kibibytes;
  bool has_double, has_images, has_pipes, has_fine_grain_svm, is_card;
  unsigned matrix_size; // 0: there are no matrix functions
  bool has_blocks_2d;
  cl_device_unified_shared_memory_capabilities_intel host_usm, cross_device_usm, system_usm;
  cl_device_pci_bus_info_khr address; // domain, bus, device, function
};

constexpr cl_device_feature_capabilities_intel kDp4a = CL_DEVICE_FEATURE_FLAG_DP4A_INTEL;
constexpr cl_device_feature_capabilities_intel kDpas = kDp4a | CL_DEVICE_FEATURE_FLAG_DPAS_INTEL;
constexpr cl_device_unified_shared_memory_capabilities_intel kAccess = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL;
constexpr cl_device_unified_shared_memory_capabilities_intel kAtomic =
    kAccess | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
constexpr cl_device_unified_shared_memory_capabilities_intel kConcurrent =
    kAtomic | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

inline const Expected &expected() {
  static const Expected all[] = {
      {"gen9",
       "Intel(R) HD Graphics 530",
       "24.35.30872.45",
       0x02400009,
       0x1912,
       1,
       3,
       8,
       7,
       0,
       {8, 16, 32},
       256,
       64,
       true,
       true,
       true,
       true,
       false,
       0,
       false,
       kAtomic,
       0,
       0,
       {0, 0, 2, 0}},
      {"gen11",
       "Intel(R) Iris(R) Plus Graphics",
       "24.35.30872.45",
       0x02c00000,
       0x8a52,
       1,
       8,
       8,
       7,
       0,
       {8, 16, 32},
       256,
       64,
       false,
       true,
       true,
       false,
       false,
       0,
       false,
       kAtomic,
       0,
       0,
       {0, 0, 2, 0}},
      {"tgl",
       "Intel(R) Iris(R) Xe Graphics",
       "26.31.39395.13",
       0x03000000,
       0x9a49,
       1,
       6,
       16,
       7,
       kDp4a,
       {8, 16, 32},
       512,
       64,
       false,
       true,
       false,
       false,
       false,
       0,
       false,
       kAtomic,
       0,
       0,
       {0, 0, 2, 0}},
      {"dg2",
       "Intel(R) Arc(TM) A770 Graphics",
       "26.31.39395.13",
       0x030dc008,
       0x56a0,
       8,
       4,
       16,
       8,
       kDpas,
       {8, 16, 32},
       1024,
       64,
       false,
       true,
       false,
       false,
       true,
       8,
       false,
       kAccess,
       kAtomic,
       0,
       {0, 3, 0, 0}},
      {"mtl",
       "Intel(R) Arc(TM) Graphics",
       "26.31.39395.13",
       0x0311c004,
       0x7d55,
       2,
       4,
       16,
       8,
       kDp4a,
       {8, 16, 32},
       1024,
       64,
       true,
       true,
       false,
       false,
       false,
       0,
       false,
       kAtomic,
       kAtomic,
       0,
       {0, 0, 2, 0}},
      {"bmg",
       "Intel(R) Arc(TM) B580 Graphics",
       "26.31.39395.13",
       0x05004000,
       0xe20b,
       5,
       4,
       8,
       8,
       kDpas,
       {16, 32},
       1024,
       128,
       true,
       true,
       false,
       false,
       true,
       16,
       true,
       kAtomic,
       kAtomic,
       0,
       {0, 3, 0, 0}},
      {"pvc",
       "Intel(R) Data Center GPU Max 1100",
       "26.31.39395.13",
       0x030f0007,
       0x0bda,
       1,
       56,
       8,
       8,
       kDpas,
       {16, 32},
       1024,
       128,
       true,
       false,
       false,
       false,
       true,
       16,
       true,
       kAccess,
       kAtomic,
       kConcurrent,
       {0, 41, 0, 0}},
  };
  const char *wanted = std::getenv("LANECL_DEVICE");
  for (const Expected &one : all)
    if (wanted && std::string(wanted) == one.profile)
      return one;
  throw std::runtime_error("LANECL_DEVICE names no profile of a GPU");
}

template <class T> T answer(cl_device_info name) {
  T value{};
  size_t size = 0;
  check(clGetDeviceInfo(laneclDevice(), name, sizeof value, &value, &size), "clGetDeviceInfo");
  if (size != sizeof value)
    throw std::runtime_error("the query's answer has another size");
  return value;
}

inline std::string words(cl_device_info name) {
  const std::vector<char> text = deviceList<char>(name);
  return text.data();
}

inline bool isListed(const std::string &extension) {
  return (" " + words(CL_DEVICE_EXTENSIONS) + " ").find(" " + extension + " ") != std::string::npos;
}

} // namespace lanecl::test

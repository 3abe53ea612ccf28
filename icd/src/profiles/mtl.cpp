// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Meteor Lake's graphics (Xe-LPG) with 128 execution units, by the driver's release 26.31.39395.13.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kMtl = [] {
  DeviceProfile gpu = currentDriver();
  gpu.name = "mtl";
  gpu.summary = "Arc Graphics (Meteor Lake, 2023)";
  gpu.device_name = "Intel(R) Arc(TM) Graphics";  // shared/source/dll/devices/devices_base.inl: 0x7D55
  gpu.gpu.ip_version = 0x0311c004;                // third_party/aot_config_headers/platforms.h: MTL_H_B0
  gpu.gpu.device_id = 0x7d55;                     // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 2;                             // the kernel's answer
  gpu.gpu.sub_slices_per_slice = 4;               // the kernel's answer
  gpu.gpu.eus_per_sub_slice = 16;                 // the kernel's answer
  gpu.gpu.threads_per_eu = 8;                     // shared/source/xe_hpg_core/hw_info_mtl.cpp: NumThreadsPerEu
  gpu.compute_units = gpu.gpu.eus();              // opencl/source/cl_device/cl_device_caps.cpp
  gpu.max_work_group_size = 1024;                 // shared/source/device/device_caps.cpp: 16 · 8 threads of 8 lanes
  gpu.preferred_work_group_multiple = 64;         // shared/source/xe_hpg_core/hw_info_mtl.cpp: fusedEuEnabled
  gpu.local_bytes = 64 * kKilobyte;               // shared/source/xe_hpg_core/hw_info_mtl.cpp: maxProgrammableSlmSize
  gpu.cache_bytes = 4 * kMegabyte;                // the kernel's answer
  gpu.megahertz = 2250;                           // the kernel's answer
  gpu.usm.cross_shared = kUsmAccess | kUsmAtomic; // shared/source/os_interface/product_helper_xe_hpg_and_later.inl
  gpu.vector_widths.of_double = 1;                // shared/source/xe_hpg_core/hw_info_mtl.cpp: ftrSupportsFP64
  // The GPU has no matrix functions: shared/source/release_helpers/release_helper/release_helper_mtl_h.cpp
  gpu.extensions = {kDriverExtensions,     kNewerExtensions,      kImageExtensions,
                    kMediaBlockExtensions, kLocalBlockExtensions, kDoubleExtensions};
  gpu.features = {kDriverFeatures, kNewerFeatures, kImageFeatures, kDoubleFeatures, kDoubleAtomicFeatures};
  return gpu;
}();

} // namespace lanecl::icd

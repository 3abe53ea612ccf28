// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arc A770 (Xe-HPG), by the driver's release 26.31.39395.13. It has no fp64: the driver's emulation is off by default.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kDg2 = [] {
  DeviceProfile gpu = currentDriver();
  gpu.name = "dg2";
  gpu.summary = "Arc A770 (card, 2022)";
  gpu.device_name = "Intel(R) Arc(TM) A770 Graphics"; // shared/source/dll/devices/devices_base.inl: 0x56A0
  gpu.gpu.ip_version = 0x030dc008;                    // third_party/aot_config_headers/platforms.h: DG2_G10_C0
  gpu.gpu.device_id = 0x56a0;                         // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 8;                                 // the kernel's answer
  gpu.gpu.sub_slices_per_slice = 4;                   // the kernel's answer
  gpu.gpu.eus_per_sub_slice = 16;                     // the kernel's answer
  gpu.gpu.threads_per_eu = 8;                         // shared/source/xe_hpg_core/hw_info_dg2.cpp: NumThreadsPerEu
  gpu.gpu.has_dpas = true;                            // opencl/source/helpers/cl_gfx_core_helper_xehp_and_later.inl
  gpu.gpu.pci_bus = 3, gpu.gpu.pci_device = 0;        // the kernel's answer, of a card
  gpu.compute_units = gpu.gpu.eus();                  // opencl/source/cl_device/cl_device_caps.cpp
  gpu.max_work_group_size = 1024;                     // shared/source/device/device_caps.cpp: 16 · 8 threads of 8 lanes
  gpu.preferred_work_group_multiple = 64;             // shared/source/xe_hpg_core/hw_info_dg2.cpp: fusedEuEnabled
  gpu.matrix_sub_group = 8;                           // the extension's sizes for XMX of Xe-HPG
  makeCard(gpu, 16 * kGigabyte);                      // the product's memory
  gpu.local_bytes = 64 * kKilobyte;               // shared/source/xe_hpg_core/hw_info_dg2.cpp: maxProgrammableSlmSize
  gpu.cache_bytes = 16 * kMegabyte;               // the kernel's answer
  gpu.megahertz = 2400;                           // the kernel's answer
  gpu.usm.host = kUsmAccess;                      // shared/source/xe_hpg_core/dg2/os_agnostic_product_helper_dg2.inl
  gpu.usm.cross_shared = kUsmAccess | kUsmAtomic; // shared/source/os_interface/product_helper_xe_hpg_and_later.inl
  // The GPU has the split form of matrix functions:
  // shared/source/release_helpers/release_helper/release_helper_common_xe_hpg.inl
  gpu.extensions = {kDriverExtensions,     kNewerExtensions,  kImageExtensions,      kMediaBlockExtensions,
                    kLocalBlockExtensions, kMatrixExtensions, kSplitMatrixExtensions};
  gpu.features = {kDriverFeatures, kNewerFeatures, kImageFeatures};
  return gpu;
}();

} // namespace lanecl::icd

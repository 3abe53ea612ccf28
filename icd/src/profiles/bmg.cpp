// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arc B580 (Xe2), by the driver's release 26.31.39395.13.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kBmg = [] {
  DeviceProfile gpu = currentDriver();
  gpu.name = "bmg";
  gpu.summary = "Arc B580 (card, 2024)";
  gpu.device_name = "Intel(R) Arc(TM) B580 Graphics"; // shared/source/dll/devices/devices_base.inl: 0xE20B
  gpu.gpu.ip_version = 0x05004000;                    // third_party/aot_config_headers/platforms.h: BMG_G21_A0
  gpu.gpu.device_id = 0xe20b;                         // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 5;                                 // the kernel's answer
  gpu.gpu.sub_slices_per_slice = 4;                   // the kernel's answer
  gpu.gpu.eus_per_sub_slice = 8;                      // the kernel's answer
  gpu.gpu.threads_per_eu = 8;                         // shared/source/xe2_hpg_core/hw_info_bmg.cpp: NumThreadsPerEu
  gpu.gpu.has_dpas = true;                            // opencl/source/helpers/cl_gfx_core_helper_xehp_and_later.inl
  gpu.gpu.pci_bus = 3, gpu.gpu.pci_device = 0;        // the kernel's answer, of a card
  gpu.compute_units = gpu.gpu.eus();                  // opencl/source/cl_device/cl_device_caps.cpp
  gpu.narrowest_sub_group = 16;                       // shared/source/xe2_hpg_core/gfx_core_helper_xe2_hpg_core.cpp
  gpu.matrix_sub_group = 16;                          // the extension's sizes for XMX of Xe2
  gpu.max_work_group_size = 1024;                     // shared/source/device/device_caps.cpp: 8 · 8 threads of 16 lanes
  makeCard(gpu, 12 * kGigabyte);                      // the product's memory
  gpu.allocation_percent = 100; // shared/source/helpers/compiler_product_helper_xe_hpc_and_later.inl: stateless
  gpu.max_allocation_bytes = std::numeric_limits<uint64_t>::max(); // the same
  gpu.local_bytes = 128 * kKilobyte;              // shared/source/xe2_hpg_core/hw_info_bmg.cpp: maxProgrammableSlmSize
  gpu.cache_bytes = 18 * kMegabyte;               // the kernel's answer
  gpu.cache_line_bytes = 256;                     // shared/source/xe2_hpg_core/hw_cmds_base.h: cacheLineSize
  gpu.megahertz = 2850;                           // the kernel's answer
  gpu.usm.cross_shared = kUsmAccess | kUsmAtomic; // shared/source/os_interface/product_helper_xe_hpg_and_later.inl
  gpu.vector_widths.of_double = 1;                // shared/source/xe2_hpg_core/hw_info_bmg.cpp: ftrSupportsFP64
  // Named barriers, blocks and tf32: shared/source/helpers/compiler_product_helper_xe_hpc_and_later.inl
  gpu.extensions = {kDriverExtensions,     kProgressExtensions,    kNewerExtensions,  kImageExtensions,
                    kLocalBlockExtensions, kDoubleExtensions,      kMatrixExtensions, kTf32Extensions,
                    kBlockExtensions,      kNamedBarrierExtensions};
  gpu.features = {kDriverFeatures, kNewerFeatures, kImageFeatures, kDoubleFeatures, kDoubleAtomicFeatures};
  return gpu;
}();

} // namespace lanecl::icd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Data Center GPU Max 1100 (Xe-HPC, one tile), by the driver's release 26.31.39395.13.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kPvc = [] {
  DeviceProfile gpu = currentDriver();
  gpu.name = "pvc";
  gpu.summary = "Data Center GPU Max 1100 (card, 2023)";
  gpu.device_name = "Intel(R) Data Center GPU Max 1100"; // shared/source/dll/devices/devices_base.inl: 0x0BDA
  gpu.gpu.ip_version = 0x030f0007;                       // third_party/aot_config_headers/platforms.h: PVC_XT_C0
  gpu.gpu.device_id = 0x0bda;                            // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 1;                                    // the kernel's answer
  gpu.gpu.sub_slices_per_slice = 56;                     // the kernel's answer
  gpu.gpu.eus_per_sub_slice = 8;                         // the kernel's answer
  gpu.gpu.threads_per_eu = 8;                            // shared/source/xe_hpc_core/hw_info_pvc.cpp: NumThreadsPerEu
  gpu.gpu.has_dpas = true;                               // opencl/source/helpers/cl_gfx_core_helper_xehp_and_later.inl
  gpu.gpu.pci_bus = 0x29, gpu.gpu.pci_device = 0;        // the kernel's answer, of a card
  gpu.compute_units = gpu.gpu.eus();                     // opencl/source/cl_device/cl_device_caps.cpp
  gpu.narrowest_sub_group = 16;                          // shared/source/xe_hpc_core/gfx_core_helper_xe_hpc_core.cpp
  gpu.matrix_sub_group = 16;                             // the extension's sizes for XMX of Xe-HPC
  gpu.max_work_group_size = 1024; // shared/source/device/device_caps.cpp: 8 · 8 threads of 16 lanes
  makeCard(gpu, 48 * kGigabyte);  // the product's memory
  gpu.allocation_percent = 100;   // shared/source/helpers/compiler_product_helper_xe_hpc_and_later.inl: stateless
  gpu.max_allocation_bytes = std::numeric_limits<uint64_t>::max(); // the same
  gpu.local_bytes = 128 * kKilobyte;              // shared/source/xe_hpc_core/hw_info_pvc.cpp: maxProgrammableSlmSize
  gpu.cache_bytes = 108 * kMegabyte;              // the kernel's answer
  gpu.megahertz = 1550;                           // the kernel's answer
  gpu.usm.host = kUsmAccess;                      // shared/source/xe_hpc_core/pvc/os_agnostic_product_helper_pvc.inl
  gpu.usm.cross_shared = kUsmAccess | kUsmAtomic; // shared/source/os_interface/product_helper_xe_hpg_and_later.inl
  // shared/source/xe_hpc_core/hw_info_pvc.cpp: sharedSystemMemCapabilities
  gpu.usm.system_shared = kUsmAccess | kUsmAtomic | kUsmConcurrent;
  gpu.vector_widths.of_double = 1; // shared/source/xe_hpc_core/hw_info_pvc.cpp: ftrSupportsFP64
  // The GPU has no images: shared/source/xe_hpc_core/hw_info_pvc.cpp. It has named barriers, 2-D blocks and tf32:
  // shared/source/helpers/compiler_product_helper_xe_hpc_and_later.inl and
  // shared/source/xe_hpc_core/enable_compiler_product_helper_pvc.cpp
  gpu.extensions = {kDriverExtensions, kProgressExtensions, kNewerExtensions, kLocalBlockExtensions,  kDoubleExtensions,
                    kMatrixExtensions, kTf32Extensions,     kBlockExtensions, kNamedBarrierExtensions};
  gpu.features = {kDriverFeatures, kNewerFeatures, kDoubleFeatures, kDoubleAtomicFeatures};
  return gpu;
}();

} // namespace lanecl::icd

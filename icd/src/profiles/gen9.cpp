// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Skylake's graphics with 24 execution units, by the driver's release 24.35.30872.45.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kGen9 = [] {
  DeviceProfile gpu = legacyDriver();
  gpu.name = "gen9";
  gpu.summary = "HD Graphics 530 (Skylake, 2015)";
  gpu.device_name = "Intel(R) HD Graphics 530"; // shared/source/dll/devices/devices_base.inl: 0x1912
  gpu.gpu.ip_version = 0x02400009;              // third_party/aot_config_headers/platforms.h: SKL
  gpu.gpu.device_id = 0x1912;                   // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 1;                           // shared/source/gen9/hw_info_skl.cpp: SklHw1x3x8
  gpu.gpu.sub_slices_per_slice = 3;             // the same
  gpu.gpu.eus_per_sub_slice = 8;                // shared/source/gen9/hw_cmds_skl.h: maxEuPerSubslice
  gpu.gpu.threads_per_eu = 7;                   // shared/source/gen9/hw_info_skl.cpp: ThreadCount
  gpu.compute_units = gpu.gpu.eus();            // opencl/source/cl_device/cl_device_caps.cpp
  gpu.max_work_group_size = 256;                // shared/source/device/device_caps.cpp: 8 · 7 threads of 8 lanes
  gpu.local_bytes = 64 * kKilobyte;             // shared/source/gen9/hw_info_skl.cpp: slmSize
  gpu.cache_bytes = 768 * kKilobyte;            // shared/source/gen9/hw_info_skl.cpp: L3CacheSizeInKb
  gpu.megahertz = 1150;                         // the kernel's answer
  gpu.has_fine_grain_buffers = true;            // shared/source/gen9/hw_info_skl.cpp: ftrSupportsCoherency
  gpu.vector_widths.of_double = 1;              // shared/source/gen9/hw_info_skl.cpp: ftrSupportsFP64
  gpu.extensions = {kDriverExtensions, kProgressExtensions, kImageExtensions, kMediaBlockExtensions, kDoubleExtensions};
  gpu.features = {kDriverFeatures, kImageFeatures, kDoubleFeatures, kPipeFeatures};
  return gpu;
}();

} // namespace lanecl::icd

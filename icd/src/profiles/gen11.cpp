// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ice Lake's graphics with 64 execution units, by the driver's release 24.35.30872.45.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kGen11 = [] {
  DeviceProfile gpu = legacyDriver();
  gpu.name = "gen11";
  gpu.summary = "Iris Plus Graphics (Ice Lake, 2019)";
  gpu.device_name = "Intel(R) Iris(R) Plus Graphics"; // shared/source/dll/devices/devices_base.inl: 0x8A52
  gpu.gpu.ip_version = 0x02c00000;                    // third_party/aot_config_headers/platforms.h: ICL
  gpu.gpu.device_id = 0x8a52;                         // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 1;                                 // shared/source/gen11/hw_info_icllp.cpp: IcllpHw1x8x8
  gpu.gpu.sub_slices_per_slice = 8;                   // the same
  gpu.gpu.eus_per_sub_slice = 8;                      // shared/source/gen11/hw_cmds_icllp.h: maxEuPerSubslice
  gpu.gpu.threads_per_eu = 7;                         // shared/source/gen11/hw_info_icllp.cpp: ThreadCount
  gpu.compute_units = gpu.gpu.eus();                  // opencl/source/cl_device/cl_device_caps.cpp
  gpu.max_work_group_size = 256;                      // shared/source/device/device_caps.cpp: 8 · 7 threads of 8 lanes
  gpu.local_bytes = 64 * kKilobyte;                   // shared/source/gen11/hw_info_icllp.cpp: slmSize
  gpu.cache_bytes = 3072 * kKilobyte;                 // shared/source/gen11/hw_info_icllp.cpp: L3CacheSizeInKb
  gpu.megahertz = 1100;                               // the kernel's answer
  gpu.divides_correctly = false;                      // shared/source/gen11/hw_info_icllp.cpp: ftrSupports64BitMath
  gpu.extensions = {kDriverExtensions, kProgressExtensions, kImageExtensions, kMediaBlockExtensions,
                    kLocalBlockExtensions};
  gpu.features = {kDriverFeatures, kImageFeatures, kPipeFeatures};
  return gpu;
}();

} // namespace lanecl::icd

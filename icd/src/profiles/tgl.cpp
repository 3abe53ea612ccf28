// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiger Lake's graphics (Gen12, Xe-LP) with 96 execution units, by the driver's release 26.31.39395.13.
#include "profiles/intel_driver.h"

namespace lanecl::icd {

constinit const DeviceProfile kTgl = [] {
  DeviceProfile gpu = currentDriver();
  gpu.name = "tgl";
  gpu.summary = "Iris Xe Graphics (Tiger Lake, 2020)";
  gpu.device_name = "Intel(R) Iris(R) Xe Graphics"; // shared/source/dll/devices/devices_base.inl: 0x9A49
  gpu.gpu.ip_version = 0x03000000;                  // third_party/aot_config_headers/platforms.h: TGL
  gpu.gpu.device_id = 0x9a49;                       // shared/source/dll/devices/devices_base.inl
  gpu.gpu.slices = 1;                               // shared/source/gen12lp/hw_info_tgllp.cpp: TgllpHw1x6x16
  gpu.gpu.sub_slices_per_slice = 6;                 // the same
  gpu.gpu.eus_per_sub_slice = 16;                   // shared/source/gen12lp/hw_cmds_tgllp.h: maxEuPerSubslice
  gpu.gpu.threads_per_eu = 7;                       // shared/source/gen12lp/hw_info_tgllp.cpp: NumThreadsPerEu
  gpu.compute_units = gpu.gpu.eus();                // opencl/source/cl_device/cl_device_caps.cpp
  gpu.max_work_group_size = 512;                    // shared/source/device/device_caps.cpp: 16 · 7 threads of 8 lanes
  gpu.preferred_work_group_multiple = 64;           // shared/source/gen12lp/hw_info_tgllp.cpp: fusedEuEnabled
  gpu.local_bytes = 64 * kKilobyte;                 // shared/source/gen12lp/hw_info_tgllp.cpp: maxProgrammableSlmSize
  gpu.cache_bytes = 3840 * kKilobyte;               // shared/source/gen12lp/hw_info_tgllp.cpp: L3CacheSizeInKb
  gpu.megahertz = 1350;                             // the kernel's answer
  gpu.divides_correctly = false;                    // shared/source/gen12lp/hw_info_tgllp.cpp: ftrSupports64BitMath
  gpu.max_planar_yuv_height = 16352;                // shared/source/gen12lp/gfx_core_helper_gen12lp.cpp
  gpu.max_image3d_width = 2048;                     // shared/source/gen12lp/gfx_core_helper_gen12lp.cpp
  gpu.extensions = {kDriverExtensions, kNewerExtensions, kImageExtensions, kMediaBlockExtensions,
                    kLocalBlockExtensions};
  gpu.features = {kDriverFeatures, kNewerFeatures, kImageFeatures};
  return gpu;
}();

} // namespace lanecl::icd

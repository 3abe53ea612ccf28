// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Advice for programs that were written for the vector compiler of Intel's GPUs.
#pragma once

namespace lanecl::frontend {

// Follows messages that refuse such code.
inline constexpr const char *kVectorCompilerAdvice =
    "kernels for it (SPV_INTEL_vector_compute, -vc-codegen) are code for one GPU; write them as work-items, in "
    "OpenCL C or SPIR-V; with LANECL_DEVICE=gen9 libraries that contain such code for newer GPUs use other kernels";

} // namespace lanecl::frontend

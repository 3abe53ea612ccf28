// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares every pass that passes.def names.
#pragma once

#include "analysis/shape_analysis.h"
#include "analysis/uniformity.h"
#include "control_flow/canonicalize.h"
#include "control_flow/linearize.h"
#include "kernel/image_handles.h"
#include "kernel/inline_calls.h"
#include "kernel/kernel_arguments.h"
#include "kernel/lower_printf.h"
#include "kernel/specialize_launch.h"
#include "optimize/bit_vectors.h"
#include "optimize/mask_registers.h"
#include "optimize/memory_intrinsics.h"
#include "optimize/narrow_products.h"
#include "optimize/scalar_optimize.h"
#include "optimize/single_lane_stores.h"
#include "optimize/vector_optimize.h"
#include "optimize/vector_rotates.h"
#include "widen/widen.h"
#include "work_group/barriers.h"
#include "work_group/lower_queries.h"
#include "work_group/private_memory.h"
#include "work_group/work_group.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions that the ICD loader and test runners look up by symbol, pulled from the static library into the shared
// one.
#include "api/dispatch.h"
#include "check/findings/test_runner.h"

// References make the linker take their object files; the dispatch table references all other functions.
extern "C" __attribute__((used)) const void *const kLaneclEntryPoints[] = {
    reinterpret_cast<const void *>(&clIcdGetPlatformIDsKHR),
    reinterpret_cast<const void *>(&clGetExtensionFunctionAddress),
    reinterpret_cast<const void *>(&clGetPlatformInfo),
    reinterpret_cast<const void *>(&laneclTakeFindings),
};

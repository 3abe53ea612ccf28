// The functions that the ICD loader looks up by symbol, pulled from the static library into the shared one.
#include "api/dispatch.h"

// A reference is what makes the linker take their objects, and the table takes all others with it.
extern "C" __attribute__((used)) const void *const kLaneclEntryPoints[] = {
    reinterpret_cast<const void *>(&clIcdGetPlatformIDsKHR),
    reinterpret_cast<const void *>(&clGetExtensionFunctionAddress),
    reinterpret_cast<const void *>(&clGetPlatformInfo),
};

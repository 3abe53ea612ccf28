// The settings as the vectorizer takes them; for the device and for the tools.
#pragma once

#include "vectorizer/vectorizer.h"

namespace lanecl::icd {

// Instruction set and dump folder. The built-in library's path and the cache are the caller's.
vectorizer::Config vectorizerConfig();

} // namespace lanecl::icd

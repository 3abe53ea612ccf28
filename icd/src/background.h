// Threads for builds with a callback.
#pragma once

#include <functional>

namespace lanecl::icd {

// Runs `task` on a thread of its own; false when no thread could be started. The process does not exit before it has
// returned: the compiler must not run while its libraries' destructors do.
bool runInBackground(std::function<void()> task);

} // namespace lanecl::icd

// A compiler inside somebody's process: its crashes and fatal errors become failures of the one call.
//
// A library of its own (lanecl_crash_guard), because LLVM has one fatal error handler per process and a signal one
// handler: whoever runs LLVM should do it under this guard and not bring another.
#pragma once

#include <functional>
#include <string>

namespace lanecl::vectorizer {

// Runs `work` to its end on a thread of its own, whose stack is large enough for deep recursion in Clang.
// Returns false with a reason when LLVM gave up, the code crashed, or memory ran out; what `work` held is then leaked.
// Signal handlers are in place only while some call is under way; faults of other threads go to the handlers that the
// process had.
bool runGuarded(const std::function<void()> &work, std::string &reason);

} // namespace lanecl::vectorizer

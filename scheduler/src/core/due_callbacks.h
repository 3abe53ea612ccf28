// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Callbacks that are due and have not returned. OpenCL does not promise that a command's callbacks have returned
// when a wait for the command ends, but programs rely on it: after the wait they destroy what the callbacks use. A wait
// therefore goes on until the callbacks have returned. It does not wait for ever, because a callback may want a lock
// that the waiting thread holds.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace lanecl::scheduler {

class DueCallbacks {
public:
  static constexpr std::chrono::milliseconds kPatience{10}; // counted from the time when a callback became due

  // A callback holds a copy of its token while it is due. When the last copy is gone, the callback has returned.
  using Token = std::shared_ptr<const void>;

  Token add(); // null when there is no memory; nobody waits for that callback then
  // Waits until the callbacks that are due now have returned, but at most until `kPatience` after the last of them was
  // added. A callback that has been due for that long already is not waited for.
  void await() const;

private:
  class State;
  const std::shared_ptr<State> state = makeState(); // each token holds it, too

  static std::shared_ptr<State> makeState();
};

} // namespace lanecl::scheduler

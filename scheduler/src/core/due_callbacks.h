// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Event callbacks that are due and have not returned. A program expects that they have when it has waited for the
// command, though OpenCL does not promise it: it may destroy then what they use. So a wait ends after them, unless one
// takes long, as it does when it wants a lock that the waiting thread holds.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace lanecl::scheduler {

class DueCallbacks {
public:
  static constexpr std::chrono::milliseconds kPatience{10}; // since a callback is due

  // Due until the last copy is gone.
  using Token = std::shared_ptr<const void>;

  Token add(); // null when there is no memory: nobody waits for that one
  // Waits for those that are due now, no longer than `kPatience` after the last of them was added.
  void await() const;

private:
  class State;
  const std::shared_ptr<State> state = makeState(); // outlived by no token

  static std::shared_ptr<State> makeState();
};

} // namespace lanecl::scheduler

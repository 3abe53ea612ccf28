// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults/call_chain.h"

#include <cstring>

namespace lanecl::icd {
namespace {

// Limits that end the walk if the faulting kernel has overwritten the stack.
constexpr uint64_t kMostFrameBytes = uint64_t(1) << 20; // of one function
constexpr size_t kMostFrames = 1000;

// The two words at the address that is in the frame pointer.
struct FrameWords {
  uintptr_t frame_of_caller = 0, return_address = 0;
};

// Whether `frame` can be the frame pointer of a function whose part of the stack starts at `below`.
bool isFrame(uintptr_t frame, uintptr_t below) {
  return frame >= below && frame - below < kMostFrameBytes && frame % sizeof(uintptr_t) == 0;
}

} // namespace

CallChain callsTo(const vectorizer::CodeMap &map, const Registers &registers) {
  CallChain chain;
  chain.stack_end = registers.stack;
  uintptr_t instruction = registers.instruction, frame = registers.frame;
  for (size_t i = 0; i < kMostFrames && map.contains(instruction); ++i) {
    if (const vectorizer::CodeFunction *function = map.functionAt(instruction); !function)
      chain.is_in_library |= i == 0;
    else if (chain.count < CallChain::kMost)
      chain.places[chain.count++] = {function, map.lineAt(instruction)};
    if (!isFrame(frame, chain.stack_end))
      break;
    FrameWords words;
    std::memcpy(&words, reinterpret_cast<const void *>(frame), sizeof words);
    chain.stack_end = frame + sizeof words;
    frame = words.frame_of_caller;
    instruction = words.return_address - 1; // inside the call instruction
  }
  return chain;
}

} // namespace lanecl::icd

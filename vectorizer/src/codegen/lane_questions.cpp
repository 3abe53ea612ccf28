// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/lane_questions.h"

#include "vectorizer/contract/debug_frame.h"

#include <bit>
#include <sys/mman.h>

using lanecl::abi::DebugFrame;
using lanecl::abi::kProbeBytes;

// Called by the text of laneQuestionText(), with the debug frame in rax. It keeps all other registers, and returns in
// the zero flag whether to leave the statement. xsave64 saves the state of x87, SSE, AVX and AVX-512 in memory that is
// aligned to 64 bytes, whose header must be zero.
asm(R"(
  .pushsection .text
  .p2align 4
  .hidden laneclNextLaneForDebugger
  .globl laneclNextLaneForDebugger
  .type laneclNextLaneForDebugger, @function
laneclNextLaneForDebugger:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  subq $2880, %rsp
  andq $-64, %rsp
  movq %rax, %rdi
  movq 8(%rbp), %rsi
  xorl %eax, %eax
  movq %rax, 512(%rsp)
  movq %rax, 520(%rsp)
  movq %rax, 528(%rsp)
  movq %rax, 536(%rsp)
  movq %rax, 544(%rsp)
  movq %rax, 552(%rsp)
  movq %rax, 560(%rsp)
  movq %rax, 568(%rsp)
  xorl %edx, %edx
  movl $0xe7, %eax
  xsave64 (%rsp)
  cld
  callq laneclAskNextLane
  movl %eax, %edi
  xorl %edx, %edx
  movl $0xe7, %eax
  xrstor64 (%rsp)
  testl %edi, %edi
  leaq -64(%rbp), %rsp
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rbp
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
  .size laneclNextLaneForDebugger, .-laneclNextLaneForDebugger
  .popsection
)");

namespace {

bool isResident(const char *page) {
  unsigned char status = 0;
  return mincore(const_cast<char *>(page), kProbeBytes, &status) == 0 && (status & 1) != 0;
}

// Whether the debugger has read an id since the last question and has not listed all variables.
bool hasAsked(const DebugFrame &frame) {
  const auto *probe = static_cast<const char *>(frame.probe);
  const bool has_looked = isResident(probe), has_listed = isResident(probe + kProbeBytes);
  madvise(const_cast<char *>(probe), 2 * kProbeBytes, MADV_DONTNEED);
  return has_looked && !has_listed;
}

} // namespace

// Selects the next lane that the debugger has not been asked about, and returns true: the statement is then executed
// again for it. Returns false if there is no such lane; the first active lane is then selected.
extern "C" [[gnu::visibility("hidden"), gnu::used]] int laneclAskNextLane(DebugFrame &frame, const void *statement) {
  const bool goes_on = frame.asked != 0 && frame.asked_at == statement;
  if (!hasAsked(frame) && !goes_on)
    return 0;
  uint32_t &lane = frame.kernel->lane;
  frame.asked = (goes_on ? frame.asked : 0) | uint64_t(1) << lane % 64;
  frame.asked_at = statement;
  const uint64_t left = frame.mask & ~frame.asked;
  lane = uint32_t(std::countr_zero(left != 0 ? left : frame.mask));
  if (left == 0)
    frame.asked = 0;
  return left != 0;
}

namespace lanecl::vectorizer {

// A debugger replaces the nop by int3, whose code is 0xcc. The stack pointer is moved by 128, because the kernel may
// use the 128 bytes below it (the red zone).
std::string laneQuestionText() {
  return std::string("9:\n\tcmpb $$0xcc, 9b-1(%rip)\n\tjne 8f\n\tmovq $0, %rax\n\tleaq -128(%rsp), %rsp\n\tcallq ") +
         kNextLane + "@PLT\n\tleaq 128(%rsp), %rsp\n\tjne 9b-1\n8:";
}

// The pages are never unmapped, because a sub-group may resume in another thread after this one has ended.
void *debuggerProbe() {
  alignas(kProbeBytes) static const char zeros[2 * kProbeBytes] = {};
  thread_local void *const pages = mmap(nullptr, sizeof zeros, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : const_cast<char *>(zeros);
}

} // namespace lanecl::vectorizer

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that commands which use the same memory are ordered, and that memory is not freed or remapped while a command
// may use it. Buffers, sub-buffers, images, allocations and the program's own memory all have addresses in this
// process, so two commands use the same memory if their address ranges overlap.
//
// Example: clEnqueueWriteBuffer in one queue and a kernel that reads the buffer in another one are a finding, unless
// the kernel's wait list has the write's event or the host waited for the write before it enqueued the kernel.
#pragma once

#include "check/findings/findings.h"
#include "check/host/command_order.h"
#include "memory/rect.h"

#include <CL/cl.h>

#include <memory>
#include <string>
#include <vector>

namespace lanecl::icd {

// A box of bytes that a command uses, and how.
struct MemoryUse {
  // Keeps: the command needs the memory, but how it accesses it is not known, so only freeing the memory is a mistake.
  // Updates: the command updates the memory atomically, which does not conflict with other updates.
  enum class Access { Keeps, Reads, Updates, Writes };

  const std::byte *begin;
  Rect rect;
  Box box;
  Access access;
  std::string what;      // the command's name for the memory, as "argument 0 'out'"
  bool of_host = false;  // the command has a host pointer, which may point into a mapped region
  bool is_start = false; // only the start is known: a kernel has this pointer and may access anything from there on

  static MemoryUse ofBytes(const void *begin, size_t bytes, Access access, std::string what);
};

// The facts about a command that are collected while it is being made.
struct CommandNote {
  cl_command_type type;
  std::string kernel; // empty: it launches none
  std::vector<CommandOrder::Id> wait_list;
  std::vector<MemoryUse> uses;
};

// Starts the checks. `findings` must live until the process ends.
void startCommandChecks(Findings &findings);
// Whether the checks were started, in this process rather than in its parent. Otherwise the following functions do
// nothing, and the ids that they return are 0.
bool areCommandsChecked();

// Records a command that is enqueued, reports its conflicts with earlier ones, and returns its id.
CommandOrder::Id noteCommand(CommandOrder::Queue queue, CommandOrder::Role role, CommandNote note);
// Records a mapping: the host may access the region as `use` says, from the end of the mapping command `after` until a
// command that unmaps it.
void noteMapping(const void *object, const void *pointer, CommandOrder::Id after, MemoryUse use);
// Ends a mapping and returns its id, or 0 if there is none. The id belongs in the wait list of the unmapping command.
CommandOrder::Id takeMapping(const void *object, const void *pointer);
// Reports that a pointer is unmapped which is not mapped.
void noteWrongUnmap(const void *pointer);

// Record that a user event was created, that its status was set, and that a queue was destroyed.
CommandOrder::Id noteUserEvent();
void noteUserEventSet(CommandOrder::Id event);
// Record that a command is about to wait for a semaphore's signal that is not enqueued yet, and which command signals
// it. The id that the first function returns belongs in the wait list of the waiting command.
CommandOrder::Id noteAwaitedSignal();
void noteAwaitedSignalSet(CommandOrder::Id awaited, CommandOrder::Id command);
void noteQueueGone(const void *queue);

// Records that the host knows that the commands are complete, as after clWaitForEvents.
void noteSeen(const std::vector<CommandOrder::Id> &commands);
// Returns true if the host knows that a command is complete, or that a signal has come.
bool isSeen(CommandOrder::Id command);
// Returns the commands of a queue that all its other commands are ordered before, for clFinish.
std::vector<CommandOrder::Id> latestCommands(const void *queue);

} // namespace lanecl::icd

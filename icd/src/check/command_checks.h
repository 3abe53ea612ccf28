// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Commands that use the same memory and are not ordered, and memory that is taken away from them. Everything is memory
// of this process, so an overlap is one of addresses, whether they are of buffers, sub-buffers, images, allocations or
// the program's own memory.
#pragma once

#include "check/command_order.h"
#include "check/findings.h"
#include "memory/rect.h"

#include <CL/cl.h>

#include <memory>
#include <string>
#include <vector>

namespace lanecl::icd {

struct MemoryUse {
  enum class Access { Keeps, Reads, Updates, Writes }; // Keeps: what is done with it is not known; Updates: atomically

  const std::byte *begin;
  Rect rect;
  Box box;
  Access access;
  std::string what;      // of the command, as "argument 0 'out'"
  bool of_host = false;  // by a pointer of the host, which may be one to what is mapped
  bool is_start = false; // of what a kernel accesses from there on, which is not known

  static MemoryUse ofBytes(const void *begin, size_t bytes, Access access, std::string what);
};

// What is noted of a command while it is being made.
struct CommandNote {
  cl_command_type type;
  std::string kernel; // empty: it launches none
  std::vector<CommandOrder::Id> wait_list;
  std::vector<MemoryUse> uses;
};

void startCommandChecks(Findings &findings);
bool areCommandsChecked(); // else the following do nothing, and ids are 0

CommandOrder::Id noteCommand(CommandOrder::Queue queue, CommandOrder::Role role, CommandNote note);
// What the host may do with a mapped region, from the end of the command that maps it until one that unmaps it.
void noteMapping(const void *object, const void *pointer, CommandOrder::Id after, MemoryUse use);
CommandOrder::Id takeMapping(const void *object, const void *pointer); // for the wait list of what unmaps it
void noteWrongUnmap(const void *pointer);

CommandOrder::Id noteUserEvent();
void noteUserEventSet(CommandOrder::Id event);
void noteQueueGone(const void *queue);

// The host has seen that they are complete.
void noteSeen(const std::vector<CommandOrder::Id> &commands);
std::vector<CommandOrder::Id> latestCommands(const void *queue);

} // namespace lanecl::icd

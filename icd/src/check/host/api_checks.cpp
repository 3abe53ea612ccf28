// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns wrong releases, leaked objects, failed calls and warnings of builds into findings.
#include "check/host/api_checks.h"

#include "api/failure_watch.h"
#include "api/object_watch.h"
#include "check/host/error_names.h"
#include "check/host/host_caller.h"
#include "icd/counted.h"

#include <atomic>
#include <cstdio>
#include <regex>
#include <sstream>

namespace lanecl::icd {
namespace {

std::atomic<Findings *> findings{nullptr};

// The kinds of objects, with what messages call them.
struct Kind {
  Tag tag;
  const char *type, *noun, *release;
};
constexpr Kind kKinds[] = {
    {Tag::Context, "cl_context", "context", "clReleaseContext"},
    {Tag::CommandQueue, "cl_command_queue", "command queue", "clReleaseCommandQueue"},
    {Tag::Memory, "cl_mem", "memory object", "clReleaseMemObject"},
    {Tag::Program, "cl_program", "program", "clReleaseProgram"},
    {Tag::Kernel, "cl_kernel", "kernel", "clReleaseKernel"},
    {Tag::Event, "cl_event", "event", "clReleaseEvent"},
    {Tag::Sampler, "cl_sampler", "sampler", "clReleaseSampler"},
    {Tag::CommandBuffer, "cl_command_buffer_khr", "command buffer", "clReleaseCommandBufferKHR"},
    {Tag::Semaphore, "cl_semaphore_khr", "semaphore", "clReleaseSemaphoreKHR"},
};

// Adds a finding. Findings without a place are different if `function` is.
void report(Findings &all, const char *rule, SourceLocation place, const std::string &function,
            const ProgramTexts *texts, const std::string &what) {
  const CheckRuleText *const text = findCheckRule(rule);
  if (!text)
    return;
  Finding finding;
  finding.rule = text;
  finding.function = function;
  finding.place = std::move(place);
  all.add(finding, texts, [&](Finding &added) { added.what = what; });
}

void report(const char *rule, SourceLocation place, const std::string &function, const ProgramTexts *texts,
            const std::string &what) {
  if (Findings *const all = findings.load())
    report(*all, rule, std::move(place), function, texts, what);
}

std::string calledBy(const std::string &caller) {
  return caller.empty() ? "" : "; called by " + caller;
}

// Reports the release of a handle that is not a live object of its kind.
void wrongRelease(Tag tag, const void *handle) {
  for (const Kind &kind : kKinds) {
    if (kind.tag != tag)
      continue;
    char address[32];
    std::snprintf(address, sizeof address, "%p", handle);
    const std::string caller = hostCaller();
    report("released-too-often", {}, kind.release + (caller.empty() ? "" : " called by " + caller), nullptr,
           std::string(kind.release) + ": " + address + " is not a " + kind.type +
               " that the program holds a reference to; it was already released, or is something else" +
               calledBy(caller));
  }
}

// Reports the objects that are alive at the end. A library's destructors run when it is unloaded, and this one is
// unloaded only at the end of the process. So this runs after the destructors of the program's own variables, which may
// still release objects.
__attribute__((destructor)) void reportLeaks() {
  if (!findings.load())
    return;
  const ObjectCounts counts = objectCounts();
  std::string what;
  for (const Kind &kind : kKinds)
    if (const int64_t count = counts[uint32_t(kind.tag) - uint32_t(Tag::Platform)]; count > 0)
      what += (what.empty() ? "" : ", ") + counted(uint64_t(count), kind.noun);
  if (!what.empty())
    report("leaked-object", {}, "", nullptr, "not released when the program ended: " + what);
}

} // namespace

void startApiChecks(Findings &all) {
  findings = &all;
  onWrongRelease(wrongRelease);
}

void reportFailure(const FailedCall &call, Findings &all) {
  std::string what = call.function;
  if (call.asked != 0) {
    char number[16];
    std::snprintf(number, sizeof number, " for 0x%04x", call.asked);
    what += number;
  }
  what += " failed with " + errorName(call.code);
  const std::string caller = hostCaller();
  report(all, "failed-call", {}, what + " " + caller, nullptr, what + calledBy(caller));
}

void checkBuildLog(const ProgramTexts *texts, const std::string &log) {
  if (!findings.load() || log.find("warning: ") == std::string::npos)
    return;
  // "FILE:LINE:COLUMN: warning: TEXT", or "warning: TEXT" without a place.
  static const std::regex form("(?:(.+):([0-9]+):([0-9]+): )?warning: (.*)");
  std::istringstream lines(log);
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, parts, form))
      continue;
    SourceLocation place;
    if (parts[1].matched)
      place = {.file = parts[1], .line = uint32_t(std::stoul(parts[2])), .column = uint32_t(std::stoul(parts[3]))};
    report("build-warning", place, parts[4], texts, parts[4]);
  }
}

} // namespace lanecl::icd

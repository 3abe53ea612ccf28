// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The message about a hang, which the scheduler detects.
#include "faults/hang_report.h"

#include "faults/launch_facts.h"
#include "icd/settings.h"
#include "settings/made_once.h"

#include <atomic>
#include <cstdio>
#include <string>

namespace lanecl::icd {
namespace {

// Returns the message about a hang.
std::string describe(const scheduler::Hang &hang, const CodeFacts &code) {
  std::string text = "kernel '" + std::string(code.kernel) + "' has waited for " + std::to_string(hang.seconds) +
                     " s without progress and goes on waiting: sub-group " + std::to_string(hang.sub_group) +
                     " of work-group (" + std::to_string(hang.group[0]) + ", " + std::to_string(hang.group[1]) + ", " +
                     std::to_string(hang.group[2]) + ") waits in the loop ";
  text += *hang.place != '\0' ? "at " + std::string(hang.place) : "whose line is unknown";
  text += ", and so do all others that have started";
  if (!hang.all_have_begun)
    text += "; the other work-groups start when one of these finishes";
  return text + ". A work-item cannot wait for another of its sub-group that has already left the loop: release a lock "
                "in the branch "
                "that took it, or let one work-item take it for all. "
                "LANECL_HANG_SECONDS sets the time; 0 turns this message off.";
}

// Prints the message, and hands it to the context's callback on a thread where the program's code may run.
void report(const scheduler::Hang &hang) {
  const auto &facts = *static_cast<const LaunchFacts *>(hang.facts);
  const std::string text = describe(hang, *facts.code);
  std::fprintf(stderr, "LaneCL: %s\n", text.c_str());
  if (facts.code->context != nullptr)
    scheduler::callHostCode(
        [context = Ref<Context>(*facts.code->context), text] { context->report("warning: " + text); });
}

std::atomic<decltype(scheduler::Suspension::makeRecord)> make_record{nullptr};

} // namespace

void keepOfSuspendedGroups(decltype(scheduler::Suspension::makeRecord) make) {
  make_record = make;
}

const scheduler::Suspension &waitingLaunches() {
  static constinit MadeOnce<scheduler::Suspension> waiting;
  return waiting.get([] {
    return scheduler::Suspension{
        .report = report, .report_after = settings().hang_seconds, .makeRecord = make_record.load()};
  });
}

} // namespace lanecl::icd

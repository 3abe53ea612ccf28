// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/host/host_finding.h"

namespace lanecl::icd {

void reportHost(Findings &findings, const char *rule, const std::string &function, const std::string &what) {
  Finding finding;
  finding.rule = findCheckRule(rule);
  finding.function = function;
  if (finding.rule)
    findings.add(finding, nullptr, [&](Finding &added) { added.what = what; });
}

} // namespace lanecl::icd

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spirv_test.py LANECL CHECK_HOST: SPIR-V without debug information is checked like other programs, and its findings
show the instruction in the module's disassembly."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

STATUS = 86
WIDTHS = (8, 16, 32)

# The kernel is k(p, l), where l is in local memory.
MODULE = """
OpEntryPoint Kernel %k "k" %GlobalInvocationId %LocalInvocationId
OpName %helper "helper"
%pair = OpTypeStruct %ulong %uint
%nested = OpTypeStruct %v3ulong %pair
%kernel = OpTypeFunction %void %_ptr_CrossWorkgroup_uint %_ptr_Workgroup_uint
%function = OpTypeFunction %void %_ptr_CrossWorkgroup_uint %uint
%acquire = OpConstant %uint 514
%acquire_release = OpConstant %uint 520

%helper = OpFunction %void DontInline %function
%to = OpFunctionParameter %_ptr_CrossWorkgroup_uint
%value = OpFunctionParameter %uint
%begin = OpLabel
OpStore %to %value Aligned 4
OpReturn
OpFunctionEnd

%k = OpFunction %void None %kernel
%p = OpFunctionParameter %_ptr_CrossWorkgroup_uint
%l = OpFunctionParameter %_ptr_Workgroup_uint
%entry = OpLabel
%g3 = OpLoad %v3ulong %GlobalInvocationId Aligned 32
%g = OpCompositeExtract %ulong %g3 0
%l3 = OpLoad %v3ulong %LocalInvocationId Aligned 32
%i = OpCompositeExtract %ulong %l3 0
%pi = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p %g
%li = OpInBoundsPtrAccessChain %_ptr_Workgroup_uint %l %i
{body}
OpReturn
OpFunctionEnd
"""

# The last four work-items access memory past the end of a buffer of 64 integers.
OUTSIDE = """
%n = OpIAdd %ulong %g {offset}
%pn = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p %n
%unused = OpFunctionCall %void %helper %pn %uint_1
"""

# A branch depends on an uninitialized value: on the value itself, or on a member of a structure. The translator
# composes the structure in variables in the middle of the block.
UNWRITTEN = """
{write}
%x = OpLoad %uint %li Aligned 4
{member}
%is_one = OpIEqual %bool {decides} %uint_1
OpSelectionMerge %end None
OpBranchConditional %is_one %then %end
%then = OpLabel
OpStore %pi %uint_1 Aligned 4
OpBranch %end
%end = OpLabel
"""
MEMBER = """
%inner = OpCompositeConstruct %pair %g %x
%outer = OpCompositeConstruct %nested %g3 %inner
%member = OpCompositeExtract %uint %outer 1 1
"""
# The value is a member of one of two structures, and branches select a whole structure.
CHOSEN = """
%one_of = OpCompositeConstruct %pair %g %x
%other = OpCompositeConstruct %pair %i %x
%is_second = OpIEqual %bool %i %ulong_1
OpSelectionMerge %join None
OpBranchConditional %is_second %second %join
%second = OpLabel
OpBranch %join
%join = OpLabel
%chosen = OpPhi %pair %one_of %entry %other %second
%member = OpCompositeExtract %uint %chosen 1
"""
WRITE = "OpStore %li %uint_2 Aligned 4"

# A work-item reads what its neighbor writes, without a barrier.
RACE = """
OpStore %li %uint_1 Aligned 4
{barrier}
%m = OpBitwiseXor %ulong %i %ulong_1
%lm = OpInBoundsPtrAccessChain %_ptr_Workgroup_uint %l %m
%x = OpLoad %uint %lm Aligned 4
OpStore %pi %x Aligned 4
"""

EXCHANGE = "%before = OpAtomicCompareExchange %uint %p %uint_1 {equal} {unequal} %uint_1 %uint_0"

DIVISION = """
%x = OpLoad %uint %pi Aligned 4
%quotient = OpUDiv %uint %uint_272 {divisor}
OpStore %pi %quotient Aligned 4
"""

IN_HELPER = "OpStore"
CASES = [
    # The rule, the broken body, the correct one, the instruction that is shown, and the first lanes.
    ("out-of-bounds", OUTSIDE.format(offset="%ulong_4"), OUTSIDE.format(offset="%ulong_0"), IN_HELPER,
     lambda width: "%d-%d" % (width - 4, width - 1)),
    ("uninitialized-read", UNWRITTEN.format(write="", member="", decides="%x"),
     UNWRITTEN.format(write=WRITE, member="", decides="%x"), "OpBranchConditional", lambda width: "0-%d" % (width - 1)),
    ("uninitialized-read", UNWRITTEN.format(write="", member=MEMBER, decides="%member"),
     UNWRITTEN.format(write=WRITE, member=MEMBER, decides="%member"), "OpBranchConditional",
     lambda width: "0-%d" % (width - 1)),
    ("uninitialized-read", UNWRITTEN.format(write="", member=CHOSEN, decides="%member"),
     UNWRITTEN.format(write=WRITE, member=CHOSEN, decides="%member"), "OpBranchConditional",
     lambda width: "0-%d" % (width - 1)),
    ("data-race", RACE.format(barrier=""), RACE.format(barrier="OpControlBarrier %uint_2 %uint_2 %uint_272"), "OpLoad",
     lambda width: "0-%d" % (width - 1)),
    ("data-race", RACE.format(barrier=EXCHANGE.format(equal="%uint_0", unequal="%uint_0")),
     RACE.format(barrier=EXCHANGE.format(equal="%acquire_release", unequal="%acquire")), "OpLoad",
     lambda width: "0-%d" % (width - 1)),
    ("division-by-zero", DIVISION.format(divisor="%x"), DIVISION.format(divisor="%uint_2"), "OpUDiv",
     lambda width: "0"),
]


def run(lanecl, host, folder, body):
    """Returns the exit status, the report and what was printed."""
    module, report = folder / "k.spvasm", folder / "report.json"
    module.write_text(MODULE.format(body=body))
    words = [lanecl, "check", "--checks", "all,races,initialization,arithmetic", "--json", str(report), host,
             str(module), "buffer", "64", "32"]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    return done.returncode, json.loads(report.read_text()), done.stderr


def problems_of_broken(rule, shown, lanes, status, report, text):
    found = [finding for finding in report["findings"] if finding["rule"] == rule]
    if len(found) != len(report["findings"]) or not found or status != STATUS:
        return "status %d, %s" % (status, [finding["rule"] for finding in report["findings"]])
    first = found[0]
    place = "%s:%d:%d" % (first["file"], first["line"], first["column"])
    if first["file"] != "program.spvasm" or shown not in first["source"] or place not in text or "^" not in text:
        return "placed at %s: %s" % (place, first["source"])
    if "''" in first["message"]:
        return "an argument without a name: %s" % first["message"]
    callers = ["k"] if shown == IN_HELPER else []
    if first["lanes"] != lanes or first["kernel"] != "k" or [call["function"] for call in first["calls"]] != callers:
        return "lanes %s, called by %s" % (first["lanes"], first["calls"])
    return ""


def main(lanecl, host):
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for rule, broken, correct, shown, lanes in CASES:
            for width in WIDTHS:
                os.environ["LANECL_SUB_GROUP_SIZE"] = str(width)
                status, report, text = run(lanecl, host, folder, broken)
                problem = problems_of_broken(rule, shown, lanes(width), status, report, text)
                if problem:
                    failed = True
                    print("%s, width %d: %s\n%s" % (rule, width, problem, text))
                status, report, text = run(lanecl, host, folder, correct)
                if status != 0 or report["findings"] or report["launches"] != 1:
                    failed = True
                    print("%s, width %d, correct: status %d\n%s" % (rule, width, status, text))
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

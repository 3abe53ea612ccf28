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
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %global_id %local_id
OpName %helper "helper"
OpDecorate %global_id BuiltIn GlobalInvocationId
OpDecorate %global_id Constant
OpDecorate %local_id BuiltIn LocalInvocationId
OpDecorate %local_id Constant
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%long3 = OpTypeVector %long 3
%ids = OpTypePointer Input %long3
%global_int = OpTypePointer CrossWorkgroup %int
%local_int = OpTypePointer Workgroup %int
%pair = OpTypeStruct %long %int
%nested = OpTypeStruct %long3 %pair
%kernel = OpTypeFunction %void %global_int %local_int
%function = OpTypeFunction %void %global_int %int
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i272 = OpConstant %int 272
%acquire = OpConstant %int 514
%acquire_release = OpConstant %int 520
%one = OpConstant %long 1
%zero = OpConstant %long 0
%four = OpConstant %long 4
%global_id = OpVariable %ids Input
%local_id = OpVariable %ids Input

%helper = OpFunction %void DontInline %function
%to = OpFunctionParameter %global_int
%value = OpFunctionParameter %int
%begin = OpLabel
OpStore %to %value Aligned 4
OpReturn
OpFunctionEnd

%k = OpFunction %void None %kernel
%p = OpFunctionParameter %global_int
%l = OpFunctionParameter %local_int
%entry = OpLabel
%g3 = OpLoad %long3 %global_id Aligned 32
%g = OpCompositeExtract %long %g3 0
%l3 = OpLoad %long3 %local_id Aligned 32
%i = OpCompositeExtract %long %l3 0
%pi = OpInBoundsPtrAccessChain %global_int %p %g
%li = OpInBoundsPtrAccessChain %local_int %l %i
{body}
OpReturn
OpFunctionEnd
"""

# The last four work-items access memory past the end of a buffer of 64 integers.
OUTSIDE = """
%n = OpIAdd %long %g {offset}
%pn = OpInBoundsPtrAccessChain %global_int %p %n
%unused = OpFunctionCall %void %helper %pn %i1
"""

# A branch depends on an uninitialized value: on the value itself, or on a member of a structure. The translator
# composes the structure in variables in the middle of the block.
UNWRITTEN = """
{write}
%x = OpLoad %int %li Aligned 4
{member}
%is_one = OpIEqual %bool {decides} %i1
OpSelectionMerge %end None
OpBranchConditional %is_one %then %end
%then = OpLabel
OpStore %pi %i1 Aligned 4
OpBranch %end
%end = OpLabel
"""
MEMBER = """
%inner = OpCompositeConstruct %pair %g %x
%outer = OpCompositeConstruct %nested %g3 %inner
%member = OpCompositeExtract %int %outer 1 1
"""
# The value is a member of one of two structures, and branches select a whole structure.
CHOSEN = """
%one_of = OpCompositeConstruct %pair %g %x
%other = OpCompositeConstruct %pair %i %x
%is_second = OpIEqual %bool %i %one
OpSelectionMerge %join None
OpBranchConditional %is_second %second %join
%second = OpLabel
OpBranch %join
%join = OpLabel
%chosen = OpPhi %pair %one_of %entry %other %second
%member = OpCompositeExtract %int %chosen 1
"""
WRITE = "OpStore %li %i2 Aligned 4"

# A work-item reads what its neighbor writes, without a barrier.
RACE = """
OpStore %li %i1 Aligned 4
{barrier}
%m = OpBitwiseXor %long %i %one
%lm = OpInBoundsPtrAccessChain %local_int %l %m
%x = OpLoad %int %lm Aligned 4
OpStore %pi %x Aligned 4
"""

EXCHANGE = "%before = OpAtomicCompareExchange %int %p %i1 {equal} {unequal} %i1 %i0"

DIVISION = """
%x = OpLoad %int %pi Aligned 4
%quotient = OpUDiv %int %i272 {divisor}
OpStore %pi %quotient Aligned 4
"""

IN_HELPER = "OpStore"
CASES = [
    # The rule, the broken body, the correct one, the instruction that is shown, and the first lanes.
    ("out-of-bounds", OUTSIDE.format(offset="%four"), OUTSIDE.format(offset="%zero"), IN_HELPER,
     lambda width: "%d-%d" % (width - 4, width - 1)),
    ("uninitialised-read", UNWRITTEN.format(write="", member="", decides="%x"),
     UNWRITTEN.format(write=WRITE, member="", decides="%x"), "OpBranchConditional", lambda width: "0-%d" % (width - 1)),
    ("uninitialised-read", UNWRITTEN.format(write="", member=MEMBER, decides="%member"),
     UNWRITTEN.format(write=WRITE, member=MEMBER, decides="%member"), "OpBranchConditional",
     lambda width: "0-%d" % (width - 1)),
    ("uninitialised-read", UNWRITTEN.format(write="", member=CHOSEN, decides="%member"),
     UNWRITTEN.format(write=WRITE, member=CHOSEN, decides="%member"), "OpBranchConditional",
     lambda width: "0-%d" % (width - 1)),
    ("data-race", RACE.format(barrier=""), RACE.format(barrier="OpControlBarrier %i2 %i2 %i272"), "OpLoad",
     lambda width: "0-%d" % (width - 1)),
    ("data-race", RACE.format(barrier=EXCHANGE.format(equal="%i0", unequal="%i0")),
     RACE.format(barrier=EXCHANGE.format(equal="%acquire_release", unequal="%acquire")), "OpLoad",
     lambda width: "0-%d" % (width - 1)),
    ("division-by-zero", DIVISION.format(divisor="%x"), DIVISION.format(divisor="%i2"), "OpUDiv", lambda width: "0"),
]


def run(lanecl, host, folder, body):
    """Returns the exit status, the report and what was printed."""
    module, report = folder / "k.spvasm", folder / "report.json"
    module.write_text(MODULE.format(body=body))
    words = [lanecl, "check", "--checks", "all,races,initialisation,arithmetic", "--json", str(report), host,
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

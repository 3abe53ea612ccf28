# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has hashcat find the password of its example hash, mode by mode. Before it starts, hashcat computes a known digest on
the device and says when that fails. Prints a line for each: passed, failed, skipped or wrong, and the mode."""
import json
import os
import re
import subprocess
import sys


def example_of(mode):
    """What hashcat knows of a mode."""
    done = subprocess.run(["hashcat", "-m", mode, "--hash-info", "--machine-readable"], capture_output=True, text=True)
    found = re.search(r"\{.*\}", done.stdout, re.DOTALL)
    return json.loads(found.group())[mode] if found else None


def recover(mode, known, kind):
    folder = f"mode-{mode}"
    os.makedirs(folder, exist_ok=True)
    hashes, words = f"{folder}/hashes", f"{folder}/words"
    with open(hashes, "wb") as file:
        example = known["example_hash"]
        file.write(bytes.fromhex(example) if known["example_hash_format"] == "hex-encoded (binary file only)"
                   else example.encode() + b"\n")
    with open(words, "w", encoding="utf-8") as file:
        file.write("\n".join(["first", "second", known["example_pass"], "last"]) + "\n")
    command = ["hashcat", "-D", kind, "--force", "-m", mode, "-a", "0", "--quiet", "--potfile-disable", "--restore-disable",
               "--outfile-format", "2", "--session", f"lanecl-{os.getpid()}", "--logfile-disable", hashes, words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=1200)
    except subprocess.TimeoutExpired:
        return "failed", "no end after 1200 s"
    said = " ".join((done.stderr + done.stdout).split())
    if "self-test failed" in said:
        return "wrong", "self-test failed"
    if known["example_pass"] in done.stdout.splitlines():
        return "passed", "self-tested" if known.get("self_test_enabled") else ""
    return ("wrong" if done.returncode == 1 else "failed"), f"status {done.returncode}: {said[-200:]}"


device_kind = sys.argv[1]
for number in sys.argv[2:]:
    info = example_of(number)
    if info is None or "example_pass" not in info or "example_hash" not in info:
        print("skipped", f"mode-{number}", "no example", flush=True)
        continue
    result, detail = recover(number, info, device_kind)
    print(result, f"mode-{number}", info["name"], detail, flush=True)

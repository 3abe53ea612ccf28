#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds wordings that stop a reader, in code, comments, messages and documents. Prints where each one is and how to say
it instead, and fails if there is one.

    words_test.py           checks all files that git knows
    words_test.py FILE...   checks these files

The expressions are compared without regard to case, across the ends of lines: comment signs and quotes between two
lines of a sentence count as one space.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SELF = pathlib.Path(__file__).resolve()

# A regular expression, a text that it finds, and what to write instead.
PHRASES = [
    (r"behind the ends?\b", "0 bytes behind\n// the end of a buffer", "past the end"),
    (r"behind the begin(ning)?\b", "8 bytes behind the begin of", "into, or after the start of"),
    (r"before the begin\b", 'before "\n      "the begin of', "before the start"),
    (r"\b(the|a|whose|its|their) begin (of|is|that)\b", "the begin of the row", "start"),
    (r"\bnobody (has )?(wrote|written)\b", "what nobody has written decides", "uninitialized"),
    (r"\blooked into\b", "was looked into", "examined, or what was found there"),
    (r"\bnot looked for\b", "races are not looked for", "not checked"),
    (r"\blooked for in vain\b", "files that it looked for in vain", "not found"),
    (r"\banswers and refuses\b", "a device that answers and refuses as", "has the properties and limits of"),
    (r"\bis no multiple\b", "the address is no multiple of 4", "is not a multiple"),
    (r"\bwith commas between\b", "rules, with commas between", "separated by commas"),
    (r"\bwhat became of (the|its) kernels\b", "shows what became of its kernels", "how the kernels were vectorized"),
    (r"\b(the|this) device does not have\b(?=[^\n]{0,40}\\n)", "which the device does not have\\n",
     "the device does not support"),
    (r"\bwithout a meaning\b", "operands without a meaning", "meaningless"),
    (r"\bno work-items? gets? on\b", "no work-item gets on", "makes no progress"),
    (r"\bthis is no [a-zA-Z]", "this is no SPIR-V module", "this is not a"),
    (r"\b(?<!there\x20)is no (kernel|file|folder|number|place|rule)\b(?! (to|of|for|that|in|with)\b)",
     "entry point 'k' is no kernel", "is not a"),
    (r"\bthere is no (device|rule|check|generator|benchmark) '", "there is no device 'gen7'", "unknown"),
    (r"\baccess(es)? outside of (its|their) memory\b", "accesses outside of their memory", "out-of-bounds accesses"),
    (r"\b(work-items|threads|lanes|bytes) a (sub-group|work-group|lane|work-item)\\n", "8 work-items a sub-group\\n",
     "per"),
    (r"\bcycles a turn\b", "28.1 cycles a turn", "cycles per iteration"),
    (r"(?-i:(?<![\w.,:/-])1 (errors|warnings|bytes|launches|processes|places|findings|lanes|work-items|kernels)\b)",
     "1 errors, 0 warnings", "the singular, by counted() of icd/counted.h"),
    (r"\bof C\+\+\.(?=\s*$)", "// Of C++.", "a sentence that says what is done with C++"),
]

# Applied to the text of each line before it is compared: the signs of comments and strings.
SIGNS = re.compile(r"^[ \t]*(?://+|#+|;+|\*|[\x22\x27])?[ \t]*|[\x22\x27][ \t]*$", re.M)

# Comments that begin with "Of". Sentences of documents may.
COMMENT_OF = re.compile(r"^[ \t]*(//|#|;)[ \t]*Of |[ \t](//|;;?) Of ", re.M)
OF_INSTEAD = "name first who or what, then what it does"


def listed_files():
    """Returns the files that git knows, or None where the sources are not a clone."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False)
    return [ROOT / name for name in done.stdout.decode().split("\0") if name] if done.returncode == 0 else None


def flattened(text):
    """Returns the text with the same line ends, but without the signs at the edges of its lines."""
    return SIGNS.sub("", text)


def matches(expression, flat):
    """Returns the matches of a phrase, whose words may be on several lines, in a flattened text."""
    return re.finditer(expression.replace(" ", r"\s+"), flat, re.I | re.M)


def findings(text, is_document):
    """Yields line, phrase and better wording of all that is found."""
    flat = flattened(text)
    for expression, _, instead in PHRASES:
        for match in matches(expression, flat):
            yield flat.count("\n", 0, match.start()) + 1, " ".join(match.group().split()), instead
    if not is_document:
        for match in COMMENT_OF.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, "Of", OF_INSTEAD


def blind():
    """Returns the expressions that do not find their own text."""
    return ([expression for expression, text, _ in PHRASES if not any(matches(expression, flattened(text)))] +
            [COMMENT_OF.pattern for text in ("// Of C++.", "x;  // Of x") if not COMMENT_OF.search(text)])


def main(names):
    files = [pathlib.Path(name).resolve() for name in names] if names else listed_files()
    if files is None:
        print("skipped: git cannot list the files")
        return 77
    wrong = 0
    for expression in blind():
        print(f"{SELF.name}: the expression {expression} does not find its own text")
        wrong += 1
    for path in files:
        if path == SELF or not path.is_file() or path.is_symlink():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or another binary file
        shown = path.relative_to(ROOT) if ROOT in path.parents else path
        for line, phrase, instead in sorted(findings(text, path.suffix == ".md")):
            print(f"{shown}:{line}: '{phrase}'; better: {instead}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

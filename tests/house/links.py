#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the links of all documents: each leads to a file that exists, and with `#…` to a heading of that file. Each
document of docs/ is linked from another one."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")


def text_of(document):
    """The document without its code blocks, whose brackets are no links."""
    return FENCED.sub("", document.read_text())


def anchors(document):
    """The names that GitHub and GitLab give to the headings of the document."""
    found = []
    for heading in re.findall(r"^#+ +(.*)$", text_of(document), re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.append(name if name not in found else f"{name}-{found.count(name)}")
    return found


def links(document):
    """The links of the document to files of the project, as (link, file, name of a heading or an empty string)."""
    for link in LINK.findall(re.sub(r"`[^`]*`", "", text_of(document))):
        if not re.match(r"[a-z]+:", link):
            path, _, anchor = link.partition("#")
            yield link, (document.parent / path).resolve() if path else document, anchor


def problems(document):
    for link, target, anchor in links(document):
        if not target.exists():
            yield f"{link} leads to no file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{link} leads to no heading of {target.relative_to(ROOT)}"


def unlinked(documents):
    """The documents of docs/ that no other document leads to."""
    linked = {target for document in documents for _, target, _ in links(document) if target != document}
    linked |= {folder / "README.md" for folder in linked if folder.is_dir()}
    return [document for document in documents if ROOT / "docs" in document.parents and document not in linked]


def main():
    folders = ["docs", "examples", "tests", "script", "tools"]
    documents = sorted(ROOT.glob("*.md")) + sorted(d for folder in folders for d in (ROOT / folder).rglob("*.md"))
    found = [f"{document.relative_to(ROOT)}: {problem}" for document in documents for problem in problems(document)]
    found += [f"{document.relative_to(ROOT)}: no document has a link to it" for document in unlinked(documents)]
    print("\n".join(found) or f"{len(documents)} documents")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# IR tests: "; RUN: lanecl-opt -p linearize %s | FileCheck %s".
import os

import lit.formats

config.name = "vectorizer"
config.test_format = lit.formats.ShTest()
config.suffixes = [".ll"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(
    [config.tool_directory, os.path.dirname(config.filecheck), os.environ["PATH"]])
config.substitutions.append((r"\bFileCheck\b", config.filecheck))
config.substitutions.append((r"\bnot\b", "!"))

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that each source file names its license. Fails with the files that do not.
set -euo pipefail
cd "$(dirname "$0")/../.."

found=$(find CMakeLists.txt icd frontend vectorizer scheduler builtins tests examples tools script .ci -type f \
  \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.def' -o -name '*.cl' -o -name '*.ll' -o -name '*.py' \
  -o -name '*.sh' -o -name '*.spvasm' -o -name '*.bash' -o -name '*.cmake' -o -name 'CMakeLists.txt' \
  -o -path 'script/*' ! -name '*.*' ! -path '*/debian/*' -o -path '.ci/run' \) \
  -exec grep -L 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' {} +) || true
[ -z "$found" ] || { printf 'without an SPDX line:\n%s\n' "$found" && exit 1; }

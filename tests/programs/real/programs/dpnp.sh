# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="dpnp 0.20.0 from PyPI with oneMKL and Intel's SYCL runtime: its own tests, file by file"
devices='cpu gpu'

install_program() { pypi dpnp==0.20.0 dpctl==0.22.1 pytest scipy; }

# A file that crashes, or does not end, must not take the results of others along.
run_program() {
  local file name tests
  tests=$("$python" -c 'import dpnp; print(dpnp.__path__[0])')/tests
  for file in $(cd "$tests" && find . -name 'test_*.py' | sort); do
    name=${file#./}
    name=${name//\//.}
    on_device timeout 1800 "$python" -m pytest -q -rfE --junitxml="$name.xml" -p no:cacheprovider "$tests/$file" ||
      [ -f "$name.xml" ] || note failed "$name" "ended with status $?"
    [ ! -f "$name.xml" ] || note_pytest "$name.xml"
  done
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="dpnp 0.20.0 from PyPI with oneMKL and Intel's SYCL runtime: its own tests, file by file"
devices='cpu gen9' # oneMKL asks for the architecture, which gpu does not tell

install_program() { pypi dpnp==0.20.0 dpctl==0.22.1 pytest scipy; }

# A file that crashes or does not end must not affect the results of others.
run_program() {
  local file tests
  tests=$("$python" -c 'import dpnp; print(dpnp.__path__[0])')/tests
  for file in $(cd "$tests" && find . -name 'test_*.py' | LC_ALL=C sort); do
    # shellcheck disable=SC2254 # a pattern
    case ${file#./} in $only) run_file "$tests/$file" "$(tr / . <<<"${file#./}")" ;; esac
  done
}

run_file() { # PATH NAME
  local status=0
  rm -f "$2.xml"
  on_device timeout 1800 "$python" -m pytest -q -rfE --junitxml="$2.xml" -p no:cacheprovider "$1" || status=$?
  if [ -f "$2.xml" ]; then
    note_pytest "$2.xml"
  else
    note failed "$2" "ended with status $status"
  fi
}

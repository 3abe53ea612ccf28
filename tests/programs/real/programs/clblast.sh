# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="CLBlast 1.5.3 from Debian: its own tests of all routines, compared with a BLAS of the host, and its tuners"
devices='cpu gen9'

install_program() {
  debian clblast-tests clblast-utils g++ libclblast-dev libopenblas0-pthread ocl-icd-opencl-dev
  compile "$real/programs/clblast/products.cpp" -lclblast -lOpenCL
}

time_program() {
  local test value unit
  while read -r test value unit; do measure "$test" "$value" "$unit"; done < <(on_device timeout 600 "$folder/products")
}

run_program() {
  local program
  for program in /usr/bin/clblast_test_* /usr/bin/clblast_tuner_*; do
    # shellcheck disable=SC2254 # a pattern
    case ${program##*/} in $only) ;; *) continue ;; esac
    case $program in
    *_test_*) run_counting note_test "$program" ;;
    *) run_counting note_tuner "$program" -fraction "$(fraction_of "$program")" -runs 1 ;;
    esac
  done
}

run_counting() { # FUNCTION PROGRAM OPTION…
  local status=0
  on_device timeout 1200 "${@:2}" >output 2>&1 || status=$?
  cat output
  "$1" "$(basename "$2")" "$status"
}

# The part of its configurations that a tuner tries at random. Matrix products have thousands.
fraction_of() {
  case $1 in
  *_xgemm) echo 1000 ;;
  *_xgemm_direct | *_xconvgemm) echo 64 ;;
  *) echo 1 ;;
  esac
}

# Each configuration is a line of a table, the last column of which says whether the results are those of the reference.
# The tuners of whole routines compare nothing.
note_tuner() { # NAME STATUS
  if [ "$2" -ne 0 ] || ! grep -q 'Completed tuning process' output; then
    note failed "$1" "ended with status $2"
  elif [[ $1 == *_routine_* ]]; then
    note passed "$1"
  fi
  [[ $1 != *_routine_* ]] || return 0
  sed 's/\x1b\[[0-9;]*m//g' output | awk -F'|' -v name="$1" -v all="$results" '
    NF >= 10 && $2 + 0 > 0 {
      status = $(NF - 1)
      kind = status ~ /results match/ ? "passed" : status ~ /L2/ ? "wrong" : "failed"
      gsub(/ +/, "_", $4)
      print kind, name $4, status >>all
    }'
}

# A test ends with lines "N test(s) passed", "… skipped" and "… failed" for each precision. The line before the counts
# names the routine in its precision, as 'HAXPY'.
note_test() { # NAME STATUS
  sed 's/\x1b\[[0-9;]*m//g' output | awk -v all="$results" '
    /Starting tests for the/ { split($0, parts, "\047"); routine = parts[2] }
    / test\(s\) / { kind = $3 == "failed" ? "wrong" : $3; for (i = 0; i < $1; ++i) print kind, routine, "" >>all }'
  grep -q 'test(s) passed' output || note failed "$1" "ended with status $2"
}

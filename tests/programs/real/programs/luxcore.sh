# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="LuxCore 2.11.2 (pyluxcore) from PyPI: pictures of its path tracer, compared with its code for the host"
devices=cpu

install_program() {
  debian ocl-icd-libopencl1
  pypi pyluxcore==2.11.2 numpy
}

# The package contains an allocator (tbbmalloc_proxy) that replaces malloc for some libraries and not for others if it
# is loaded late; then what one allocates is freed by the other. So it is loaded first.
lux() { # ARGUMENT…
  local libraries
  libraries=$(echo "$folder"/venv/lib/python3*/site-packages/pyluxcore.libs)
  HOME=$folder on_device env LD_PRELOAD="$(echo "$libraries"/libtbbmalloc_proxy-*)" \
    LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    timeout 3000 "$folder/venv/bin/python" "$real/programs/luxcore/pictures.py" "$@"
}

run_program() { note_lines lux; }

# The program keeps compiled kernels itself, and is asked not to.
time_program() {
  rm -rf "$folder/.luxcorerender.org" "$folder/.config" "$folder/.cache"
  lux --first-samples >lines
  measure "until the first samples" "$(awk '/^seconds/ { print $2 }' lines)" "s of processor time"
}

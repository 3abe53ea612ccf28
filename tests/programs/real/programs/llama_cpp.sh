# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="llama.cpp as in llama-cpp-python 0.3.36 from PyPI: its OpenCL backend's operations, compared with its code for the host"
devices='dg2' # the backend takes GPUs of Intel and Qualcomm only

install_program() {
  debian cmake g++ ninja-build ocl-icd-opencl-dev opencl-headers python3
  pypi pip
  pypi_source llama-cpp-python==0.3.36
  local llama=$folder/source/vendor/llama.cpp
  cmake -S "$llama" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DGGML_OPENCL=ON -DGGML_OPENCL_USE_ADRENO_KERNELS=OFF -DGGML_OPENMP=OFF \
    -DGGML_CCACHE=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_SERVER=OFF \
    -DLLAMA_BUILD_APP=OFF -DLLAMA_OPENSSL=OFF
  ninja -C build ggml
  # Its own project would link it with all of llama.cpp, although it uses nothing of it.
  g++ -std=c++17 -O1 -I"$llama/ggml/include" -I"$llama/ggml/src" "$llama/tests/test-backend-ops.cpp" \
    -o test-backend-ops -Lbuild/bin -lggml -lggml-base -lggml-cpu -lggml-opencl -Wl,-rpath,"$folder/build/bin" -pthread
}

run_program() {
  local operation
  for operation in $("$folder/test-backend-ops" --list-ops 2>/dev/null | grep -xE ' *[A-Z0-9_]+'); do
    # shellcheck disable=SC2254 # a pattern
    case $operation in $only) note_operation "$operation" ;; esac
  done
}

# Each operation has a process of its own. An operation that the backend leaves to the host is skipped. The backend's
# store of compiled kernels is switched off, because it knows nothing of the version of the runtime that compiled them.
note_operation() { # NAME
  local status=0
  GGML_OPENCL_KERNEL_CACHE_DIR=off on_device timeout 3000 "$folder/test-backend-ops" test -b GPUOpenCL -o "$1" >output 2>&1 || status=$?
  cat output
  sed 's/\x1b\[[0-9;]*m//g' output | sed -nE \
    -e 's/^  ([A-Z0-9_]+\(.*\)): OK *$/passed \1/p' \
    -e 's/^.*  ?([A-Z0-9_]+\(.*\)): .*FAIL *$/wrong \1/p' \
    -e 's/^  ([A-Z0-9_]+\(.*\)): not supported.*$/skipped \1/p' >lines
  local kind test
  while read -r kind test; do note "$kind" "$test"; done <lines
  [ "$status" -le 1 ] || note failed "$1" "ended with status $status"
}

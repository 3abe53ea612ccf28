# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="OpenCV 4.11 from PyPI: functions of the T-API and networks, compared with the same on the host"
devices='cpu gpu gen9'

install_program() {
  debian ocl-icd-libopencl1
  pypi opencv-python-headless==4.11.0.86 'numpy<2.3' onnx==1.17.0
}

# OpenCV uses an OpenCL device that is a CPU only when told to, and never for networks.
run_program() {
  case $device in cpu | /*) export OPENCV_OPENCL_DEVICE=:CPU: ;; *) export OPENCV_OPENCL_DEVICE=:GPU: ;; esac
  export OPENCV_OPENCL_CACHE_ENABLE=0
  note_lines on_device timeout 3000 "$python" "$real/programs/opencv/functions.py"
  case $OPENCV_OPENCL_DEVICE in
  :CPU:) note skipped networks ;;
  *) note_lines on_device timeout 3000 "$python" "$real/programs/opencv/networks.py" ;;
  esac
}

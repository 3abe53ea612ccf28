# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="hashcat 6.2.6 from Debian: its self-test, and its example hash recovered, in many modes"
devices='cpu gpu'

# The modes are unsalted and salted digests, operating systems, databases, documents, archives, network protocols and
# key derivation.
modes='0 10 20 50 60 100 110 120 150 160 200 300 400 500 600 900 1000 1100 1300 1400 1410 1420 1450 1500 1600 1700 1710
  1750 1800 2100 2600 3000 3200 3500 4300 4400 4500 4700 5000 5100 5200 5300 5500 5600 5700 6000 6100 6900 7000 7100
  7300 7400 7500 8100 8900 9200 9300 9400 9500 9600 9700 10000 10400 10500 10800 10900 11100 11400 11600 11700 11800
  12000 12700 13100 13400 13711 14000 14100 15100 15400 15600 15700 16300 16900 17300 17800 18200 18700 19600 20800
  21000 22000 22100 23400 24700 26500 27200 28100 29600'

install_program() { debian hashcat python3; }

run_program() {
  # shellcheck disable=SC2086,SC2046 # lists
  note_lines on_device /usr/bin/python3 "$real/programs/hashcat/modes.py" $(kind) $modes
}

# hashcat is told to look for a processor or for a GPU.
kind() { case $device in cpu | /*) echo 1 ;; *) echo 2 ;; esac }

time_program() {
  measure_mode 'MD5 (-m 0)' 0 1e6 MH/s
  measure_mode 'SHA-256 (-m 1400)' 1400 1e6 MH/s
  measure_mode 'bcrypt (-m 3200)' 3200 1 H/s
}

# The line of the result is DEVICE:MODE:…:HASHES PER SECOND. The first of three runs fills the caches: hashcat stops
# within seconds, in which an implementation that compiles kernels at their first launch would compile most of the time.
# The better of the others counts, as hashcat does not always find the best numbers of hashes to launch.
measure_mode() { # TEST MODE SCALE UNIT
  local i
  for i in 1 2 3; do
    on_device timeout 600 hashcat -b -m "$2" -D "$(kind)" --force --machine-readable --logfile-disable >"output-$i" 2>&1
    cat "output-$i"
  done
  measure "$1" "$(awk -F: -v mode="$2" -v scale="$3" '
    $2 == mode && $NF > best { best = $NF } END { printf "%.0f", best / scale }' output-2 output-3)" "$4"
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="hashcat 6.2.6 from Debian: its self-test, and its example hash recovered, in many modes"
devices='cpu gpu'

# Unsalted and salted digests, operating systems, databases, documents, archives, network protocols, key derivation.
modes='0 10 20 50 60 100 110 120 150 160 200 300 400 500 600 900 1000 1100 1300 1400 1410 1420 1450 1500 1600 1700 1710
  1750 1800 2100 2600 3000 3200 3500 4300 4400 4500 4700 5000 5100 5200 5300 5500 5600 5700 6000 6100 6900 7000 7100
  7300 7400 7500 8100 8900 9200 9300 9400 9500 9600 9700 10000 10400 10500 10800 10900 11100 11400 11600 11700 11800
  12000 12700 13100 13400 13711 14000 14100 15100 15400 15600 15700 16300 16900 17300 17800 18200 18700 19600 20800
  21000 22000 22100 23400 24700 26500 27200 28100 29600'

install_program() { debian hashcat python3; }

run_program() {
  local kind=1
  case $device in cpu | /*) ;; *) kind=2 ;; esac
  # shellcheck disable=SC2086 # a list
  note_lines on_device /usr/bin/python3 "$real/programs/hashcat/modes.py" $kind $modes
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gdb knows of sub-groups and lanes: importing the package registers its commands, functions and events."""
from . import checks, functions, lane_commands, stepping, stops, sub_group_commands, watching  # noqa: F401

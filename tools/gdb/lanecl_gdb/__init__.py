# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gdb knows of sub-groups and lanes: importing the package registers its commands, functions and events."""
from . import checks, functions, lane_commands, local_variables, stepping, stops, sub_group_commands, \
    watching, work_items  # noqa: F401

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gdb knows about sub-groups and lanes. Importing this package registers its commands, functions and event
handlers."""
from . import checks, functions, lane_commands, local_variables, stepping, stops, sub_group_commands, \
    watching, work_items  # noqa: F401

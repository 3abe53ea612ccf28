# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands find the fields of a launch and of a debug frame by debug information, wherever they lie."""
import unittest

from gdb_session import PROGRAM, Session

# At a stop, the first active lane is selected: lane 0 of sub-group 1, which is item 8 of the work-group.
EXPECTED = {"get_global_size": (13, 11, 10), "get_num_groups": (2, 4, 5), "get_global_offset": (100, 200, 300),
            "get_enqueued_local_size": (7, 3, 2), "get_local_size": (6, 3, 1), "get_group_id": (1, 2, 3),
            "get_local_id": (2, 1, 0), "get_global_id": (100 + 7 + 2, 200 + 6 + 1, 300 + 6)}


class MovedFields(unittest.TestCase):
    def test_values(self):
        queries = [("%s(%d)" % (name, d), value) for name, values in EXPECTED.items() for d, value in enumerate(values)]
        queries += [("get_work_dim()", 3), ("get_sub_group_id()", 1), ("get_sub_group_local_id()", 0),
                    ("get_max_sub_group_size()", 8)]
        commands = ["break stop", "run", "up"] + ["print " + query for query, _ in queries]
        session = Session("\n".join(commands), [PROGRAM], with_script=True)
        self.assertEqual(list(zip([query for query, _ in queries], session.values())),
                         [(query, str(value)) for query, value in queries], session.output)

    def test_the_selected_lane_is_written(self):
        session = Session("break stop\nrun\nup\npython lanecl_gdb.sub_group.selected().select(5)\ncontinue", [PROGRAM],
                          with_script=True)
        self.assertIn("exited normally", session.output)


if __name__ == "__main__":
    unittest.main()

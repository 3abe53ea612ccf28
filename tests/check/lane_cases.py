# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Further kernels in the form of cases.py. They break rules of sub-group and work-group functions for lanes, distances,
clusters, arguments, images and surfaces."""
from cases import case, every

HEAD = "__attribute__((intel_reqd_sub_group_size(W)))\nkernel void k("


# Returns a kernel with an expression for the broken and one for the correct version. Both may use `lane`.
def lanes(broken, correct, condition="", correct_condition=""):
    return HEAD + """global int *p) {
  int lane = get_sub_group_local_id();
#ifdef CORRECT
  %sp[get_global_id(0)] = %s;
#else
  %sp[get_global_id(0)] = %s; // BROKEN
#endif
}
""" % (correct_condition, correct, condition, broken)


# Returns a kernel that reads a block of an image, or an element in the correct version, and writes it back.
def image_read(broken, correct="read_imagei(p, at).x"):
    return HEAD + """read_write image2d_t p) {
  int i = get_global_id(0), width = get_image_width(p);
  int2 at = (int2)(i %% width, i / width %% get_image_height(p));
#ifdef CORRECT
  int value = %s;
#else
  int value = %s; // BROKEN
#endif
  write_imagei(p, at, value);
}
""" % (correct, broken)


def image_write(broken, correct):
    return HEAD + """write_only image2d_t p) {
#ifdef CORRECT
  %s;
#else
  %s; // BROKEN
#endif
}
""" % (correct, broken)


# Returns a kernel that reads a block of a surface. The statement `wrong` changes one of the arguments.
def surface(wrong, function="intel_sub_group_2d_block_read_32b_1r16x1c", element="uint"):
    return HEAD + """global int *p) {
  int begin = 0, width = 64, height = 3, pitch = 64, x = 0;
#ifndef CORRECT
  %s;
#endif
  %s value[8];
  %s(p + begin, width, height, pitch, (int2)(x, 0), value); // BROKEN
  p[get_global_id(0)] = value[0];
}
""" % (wrong, element, function)


# Writes rows 4 to 7 of a surface of four rows. The height that is passed to the function is larger, so the function
# itself cannot notice.
SURFACE_BOUNDS = HEAD + """global int *p) {
#ifdef CORRECT
  int height = 4;
#else
  int height = 8;
#endif
  uint value = 1;
  intel_sub_group_2d_block_write_32b_1r16x1c(p, 64, height, 64, (int2)(0, 4), &value); // BROKEN
}
"""


# Returns a kernel whose work-group function takes one of two statements. Both may use `lane` and `sub_group`.
def group(broken, correct):
    return HEAD + """global int *p) {
  local int tile[32];
  int lane = get_sub_group_local_id(), sub_group = get_sub_group_id();
#ifdef CORRECT
  %s;
#else
  %s; // BROKEN
#endif
  wait_group_events(1, &event);
  p[get_global_id(0)] = value + tile[get_local_id(0)];
}
""" % (correct, broken)


BROADCAST = "int value = work_group_broadcast(lane, %s); event_t event = async_work_group_copy(tile, p, 32, 0)"
COPY = "int value = 0; event_t event = async_work_group_copy(tile, p%s, 32 - (%s), 0)"


def all_but_first_five(width):
    return "5-%d" % (width - 1)


def warning(rule, source, lanes, message=""):
    return case(rule, source, lanes, severity="warning", message=message)


def surface_case(wrong, message, **options):
    return case("block-surface", surface(wrong, **options), every, widths=(16,), message=message)


READ = "intel_sub_group_block_read(p, (int2)(0, 0))"
BYTES = "intel_sub_group_block_%s_uc(p, (int2)(%s, 0)%s)"

CASES = {
    "broadcast_any": case("uniform-argument", lanes("sub_group_non_uniform_broadcast(lane, lane > 4 ? 1 : 2)",
                                                    "sub_group_non_uniform_broadcast(lane, 1)"), all_but_first_five),
    "broadcast_inactive": warning("lane-not-active", lanes("sub_group_non_uniform_broadcast(lane, 5)",
                                                           "sub_group_non_uniform_broadcast(lane, 3)",
                                                           "if (lane < 4) ", "if (lane < 4) "), lambda width: "0-3",
                                  "takes the value of lane 5, but only lanes 0-3 call it"),
    "shuffle_distance": warning("lane-out-of-range", lanes("sub_group_shuffle_down(lane, W)",
                                                           "sub_group_shuffle_down(lane, W - 1)"), every,
                                {width: "a distance of %d lanes in a sub-group of size %d" % (width, width)
                                 for width in (8, 16, 32)}),
    "shuffle_distance_up": warning("lane-out-of-range", lanes("sub_group_shuffle_up(lane, lane == 3 ? -1 : 1)",
                                                              "sub_group_shuffle_up(lane, 1)"), lambda width: "3",
                                   "sub_group_shuffle_up: a distance of -1 lanes"),
    "shuffle_down_inactive": warning("lane-not-active", lanes("sub_group_shuffle_down(lane, 1)",
                                                              "sub_group_shuffle_down(lane, 1)", "if (lane != 2) "),
                                     lambda width: "1"),
    "shuffle_up_inactive": warning("lane-not-active", lanes("sub_group_shuffle_up(lane, 1)",
                                                            "sub_group_shuffle_up(lane, 1)", "if (lane != 2) "),
                                   lambda width: "3"),
    "shuffle_two_down": warning("lane-out-of-range", lanes("intel_sub_group_shuffle_down(lane, lane + W, W + 1)",
                                                           "intel_sub_group_shuffle_down(lane, lane + W, W)"),
                                lambda width: str(width - 1)),
    "shuffle_two_up": warning("lane-out-of-range", lanes("intel_sub_group_shuffle_up(lane, lane + W, W + 1)",
                                                         "intel_sub_group_shuffle_up(lane, lane + W, W)"),
                              lambda width: "0"),
    "shuffle_two_inactive": warning("lane-not-active", lanes("intel_sub_group_shuffle_up(lane, lane + W, W - 2)",
                                                             "intel_sub_group_shuffle_up(lane, lane + W, W - 2)",
                                                             "if (lane != 2) "), lambda width: "0",
                                    "takes the value of lane 2, but only lanes 0-1,3-"),
    "rotate": case("uniform-argument", lanes("sub_group_rotate(lane, lane > 4 ? 1 : 2)", "sub_group_rotate(lane, -1)"),
                   all_but_first_five),
    "rotate_inactive": warning("lane-not-active", lanes("sub_group_rotate(lane, 1)", "sub_group_rotate(lane, W + 1)",
                                                        "if (lane < 4) "), lambda width: "3"),
    "rotate_cluster": case("cluster-size", lanes("sub_group_clustered_rotate(lane, 1, 6)",
                                                 "sub_group_clustered_rotate(lane, 1, 4)"), every, findings=None),
    "rotate_cluster_inactive": warning("lane-not-active", lanes("sub_group_clustered_rotate(lane, 1, 4)",
                                                                "sub_group_clustered_rotate(lane, 1, 4)",
                                                                "if (lane < 3) ", "if (lane < 4) "), lambda width: "2"),
    "cluster_size": case("cluster-size", lanes("sub_group_clustered_reduce_add(lane, 3)",
                                               "sub_group_clustered_reduce_add(lane, 4)"), every,
                         message="sub_group_clustered_reduce_add: clusters of 3 lanes"),
    "cluster_large": case("cluster-size", lanes("sub_group_clustered_reduce_max(lane, 2 * W)",
                                                "sub_group_clustered_reduce_max(lane, W)"), every),
    "cluster_variable": case("cluster-size", lanes("sub_group_clustered_reduce_logical_or(lane, get_local_size(0) / 8)",
                                                   "sub_group_clustered_reduce_logical_or(lane, 1)"), every,
                             message="clusters of 4 lanes, which is not a compile-time constant"),
    "group_broadcast": case("group-argument", group(BROADCAST % "(lane > 4) + 2", BROADCAST % "3"), all_but_first_five,
                            message="work_group_broadcast: an argument is 3 here, but 2 in the first lane"),
    "group_broadcast_sub_group": case("group-argument", group(BROADCAST % "sub_group / 2", BROADCAST % "0"), every,
                                      sub_group=2, widths=(8,),
                                      message="an argument differs from that of sub-group 0"),
    "group_copy_size": case("group-argument", group(COPY % ("", "lane == 3"), COPY % ("", "4")), lambda width: "3"),
    "group_copy_from": case("group-argument", group(COPY % (" + sub_group", "0"), COPY % (" + 4", "0")), every,
                            sub_group=1, widths=(8, 16)),
    "image_element": case("image-block", image_read(READ), every, memory="image-of-vectors",
                          message="the image's elements have 16 bytes"),
    "image_pitch": case("image-block", image_read(READ), every, memory="image-pitch",
                        message="the rows of the image's buffer are 80 bytes apart"),
    "image_begin": case("image-block", image_read(READ), every, memory="image-begin",
                        message="the image's buffer begins at 0x"),
    "image_column": case("image-block", image_write("intel_sub_group_block_write(p, (int2)(2, 0), 1u)",
                                                    "intel_sub_group_block_write(p, (int2)(4, 0), 1u)"), every,
                         memory="image-of-buffer", message="the block begins at byte 2 of the row"),
    "image_read_edge": case("image-read-outside", image_read(BYTES % ("read", "68 - W", ""),
                                                             BYTES % ("read", "64 - W", "")), every,
                            memory="image-of-bytes", severity="warning",
                            message={8: "block at byte x = 60 is not inside the image, whose extent in x is 64 bytes",
                                     16: "byte x = 52 ", 32: "byte x = 36 "}),
    "image_write_edge": case("image-write-outside", image_write(BYTES % ("write", "-4", ", (uchar)1"),
                                                                BYTES % ("write", "64 - W", ", (uchar)1")), every,
                             memory="image-of-bytes", message="block at byte x = -4 is not inside the image, whose "
                                                              "extent in x is 64 bytes"),
    # Kernels that call no checked function are not instrumented when only sub-groups are checked. This kernel calls one
    # and is.
    "sub_groups_alone": case("cluster-size", lanes("sub_group_clustered_reduce_add(lane, 3)",
                                                   "sub_group_clustered_reduce_add(lane, 4)"), every,
                             checks="sub-groups"),
    "work_groups_alone": case("group-argument", group(COPY % ("", "lane == 3"), COPY % ("", "4")), lambda width: "3",
                              checks="work-groups"),
    "surface_begin": surface_case("begin = 4", "the surface begins at 0x"),
    "surface_width": surface_case("width = 60", "the surface is 60 bytes wide"),
    "surface_height": surface_case("height = 0", "the surface has 0 rows"),
    "surface_pitch": surface_case("pitch = 72", "the surface's rows are 72 bytes apart"),
    "surface_column": surface_case("x = 1", "the block begins at element 1 of the row", element="ushort",
                                   function="intel_sub_group_2d_block_read_16b_1r16x1c"),
    "surface_uniform": case("uniform-argument", surface("x = get_sub_group_local_id() / 8"),
                            lambda width: "8-15", widths=(16,)),
    "surface_bounds": case("out-of-bounds", SURFACE_BOUNDS, every, widths=(16,)),
}

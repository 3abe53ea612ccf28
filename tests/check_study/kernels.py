# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct kernels, each with its result computed here, and the defects that are seeded into them.

In a source, {{right ~ kind: wrong ~ kind: wrong}} is the text `right`, and for each kind a mutant that has `wrong`
there. A mutant differs from the correct kernel in one place.
"""
import collections
import re

# The kinds of defects, as the table names them.
KINDS = {
    "index": "index off by one or more, out of a buffer",
    "guard": "guard off by one, or missing",
    "array": "local or private array, or constant table, too short or index beyond",
    "barrier": "work-group barrier missing, or of the wrong memory",
    "divergent": "barrier or work-group function that a part does not reach",
    "sg-barrier": "sub-group barrier missing",
    "sg-branch": "sub-group function in a branch",
    "lane": "shuffle from a lane that does not exist",
    "broadcast": "broadcast lane that is wrong, or differs",
    "partial": "block function on a partial sub-group",
    "align": "block function at a wrong alignment",
    "uniform": "block function or copy whose pointer differs between work-items",
    "copy": "wait_group_events missing, or copies of a wrong size",
    "atomic": "atomic operation replaced by a plain one",
    "uninit": "variable or memory that is not initialized",
}

Kernel = collections.namedtuple("Kernel", "name source items local inputs outputs local_bytes reference sub_groups")
Mutant = collections.namedtuple("Mutant", "kernel number kind source right wrong")
MARK = re.compile(r"\{\{(.*?)\}\}", re.S)
KERNELS = []


def kernel(name, source, reference, items=128, local=32, inputs=None, outputs=None, local_bytes=0, sub_groups=False):
    head = "kernel void k(global const int *in, global int *out, int n%s) {\n  int i = get_global_id(0), l = " \
           "get_local_id(0);\n" % (", local int *tile" if local_bytes else "")
    if sub_groups:
        head = "__attribute__((intel_reqd_sub_group_size(16)))\n" + head
    if "BODY" in source:
        source = source.replace("BODY", head)
    else:
        source = head + source
    KERNELS.append(Kernel(name, source + "}\n", items, local, inputs or items, outputs or items, local_bytes, reference,
                          sub_groups))


def parts(mark):
    right, *wrong = re.split(r"\s*~\s*", mark)
    return right.strip(" "), [tuple(re.split(r":\s?", one, maxsplit=1)) for one in wrong]


def correct(source):
    return MARK.sub(lambda match: parts(match[1])[0], source)


def mutants(of):
    result = []
    for match in MARK.finditer(of.source):
        right, wrong = parts(match[1])
        for kind, text in wrong:
            source = correct(of.source[:match.start()]) + text + correct(of.source[match.end():])
            result.append(Mutant(of, len(result), kind, source, right, text.strip()))
    return result


def values(count):
    """Computes what the function of the same name in host.cpp computes."""
    result, state = [], 12345
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0xFFFFFFFF
        result.append(state >> 16 & 1023)
    return result


def groups(x, size):
    return [x[i:i + size] for i in range(0, len(x), size)]


def each_group(x, size, f):
    return [y for group in groups(x, size) for y in f(group)]


def running(group):
    return [sum(group[:i + 1]) for i in range(len(group))]


# --- Buffers

kernel("copy", "  out[{{i ~ index: i + 1 ~ index: i - 1 ~ index: i * 2}}] = in[{{i ~ index: i + 1 ~ index: i - 1 ~ "
       "index: i + 4}}];\n", lambda x: x)
kernel("guarded", "  if ({{i < n ~ guard: i <= n ~ guard: i < n + 8 ~ guard: true ~ guard: i <= n + 1}})\n"
       "    out[i] = in[{{i ~ index: i + 1}}] * 2;\n", lambda x: [2 * v for v in x[:100]], inputs=100, outputs=100)
kernel("stencil", "  int left = {{i > 0 ~ guard: i >= 0 ~ guard: true}} ? in[i - 1] : 0;\n"
       "  int right = {{i < n - 1 ~ guard: i < n ~ guard: i <= n ~ guard: true}} ? in[i + 1] : 0;\n"
       "  out[i] = left + in[i] + right;\n",
       lambda x: [a + b + c for a, b, c in zip([0] + x[:-1], x, x[1:] + [0])])
kernel("loop", "  int sum = {{0 ~ uninit: sum}};\n"
       "  for (int j = {{0 ~ index: -1}}; {{j < 4 ~ guard: j <= 4 ~ guard: j < 8}}; ++j)\n"
       "    sum += in[{{4 * i + j ~ index: 4 * i + j + 1 ~ index: 5 * i + j}}];\n  out[i] = sum;\n",
       lambda x: [sum(g) for g in groups(x, 4)], inputs=512)
kernel("reversed", "  out[{{n - 1 - i ~ index: n - i ~ index: n - 2 - i}}] = in[i];\n", lambda x: x[::-1])
kernel("vectors", "  int4 v = vload4({{i ~ index: i + 1 ~ index: i * 2}}, in);\n"
       "  vstore4(v + 1, {{i ~ index: i + 1 ~ index: i - 1}}, out);\n",
       lambda x: [v + 1 for v in x], inputs=512, outputs=512)
kernel("gather", "  out[i] = in[{{(i * 7) % n ~ index: (i * 7) % n + 1 ~ index: (i * 7) % (n + 9) ~ index: i * 7}}];\n",
       lambda x: [x[i * 7 % 128] for i in range(128)])
kernel("structure", "  struct { int a[4], b; } s;\n  s.b = 5;\n"
       "  for (int j = 0; {{j < 4 ~ array: j <= 4 ~ array: j < 3 ~ array: j <= 8}}; ++j)\n    s.a[j] = in[i] + j;\n"
       "  out[i] = s.a[{{3 ~ array: 4}}] + s.b;\n", lambda x: [v + 8 for v in x])
kernel("pointer", "  global int *p = out + i;\n  *{{p ~ index: (p + 1) ~ index: (p - 1) ~ index: (p + n)}} = in[i];\n",
       lambda x: x)

# --- Local memory and barriers

TILE = """  local int tile[{{32 ~ array: 31 ~ array: 16}}];
  {{tile[l] = in[i]; ~ uninit: if (l != 5) tile[l] = in[i]; ~ array: tile[l + 1] = in[i];}}
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ barrier: barrier(CLK_GLOBAL_MEM_FENCE); ~ divergent: if (l < 20) barrier(CLK_LOCAL_MEM_FENCE); ~ divergent: if (l == 40) return; if (l > 15) barrier(CLK_LOCAL_MEM_FENCE);}}
"""
kernel("tile", TILE + "  out[i] = tile[{{31 - l ~ array: 32 - l ~ array: 30 - l}}];\n",
       lambda x: each_group(x, 32, lambda g: g[::-1]))
kernel("argument", """  {{tile[l] = in[i]; ~ array: tile[l + 1] = in[i]; ~ array: tile[2 * l] = in[i];}}
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (l != 3) barrier(CLK_LOCAL_MEM_FENCE);}}
  out[i] = tile[{{(l + 1) % 32 ~ array: l + 1}}];
""", lambda x: each_group(x, 32, lambda g: g[1:] + g[:1]), local_bytes=128)
kernel("tree", """  local int tile[{{64 ~ array: 63 ~ array: 32}}];
  tile[l] = in[i];
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
  for (int s = 32; s > 0; s /= 2) {
    if ({{l < s ~ array: l <= s ~ array: l < 2 * s}})
      tile[l] += tile[l + s];
    {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (l < s) barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: barrier(CLK_GLOBAL_MEM_FENCE);}}
  }
  {{if (l == 0) ~ guard: }}
    out[get_group_id(0)] = tile[0];
""", lambda x: [sum(g) for g in groups(x, 64)], local=64, outputs=2)
kernel("scan", """  local int tile[64];
  tile[l] = in[i];
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
  for (int s = 1; s < 64; s *= 2) {
    int before = {{l >= s ~ guard: l + 1 >= s ~ guard: true}} ? tile[l - s] : 0;
    {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
    tile[l] += before;
    {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (l >= s) barrier(CLK_LOCAL_MEM_FENCE);}}
  }
  out[i] = tile[l];
""", lambda x: each_group(x, 64, running), local=64)
kernel("transpose", """  local int tile[8][{{9 ~ array: 7}}];
  int x = l % 8, y = l / 8;
  tile[{{y ~ array: y + 1}}][x] = in[i];
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (x != y) barrier(CLK_LOCAL_MEM_FENCE);}}
  out[i] = tile[x][y];
""", lambda x: each_group(x, 64, lambda g: [g[c * 8 + r] for r in range(8) for c in range(8)]), local=64)
kernel("histogram", """  local int bins[{{8 ~ array: 7 ~ array: 4}}];
  {{if (l < 8) bins[l] = 0; ~ uninit: if (l < 7) bins[l] = 0; ~ uninit: ~ array: if (l < 32) bins[l] = 0;}}
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
  {{atomic_inc(&bins[in[i] % 8]); ~ atomic: bins[in[i] % 8]++; ~ array: atomic_inc(&bins[in[i] % 9]);}}
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (in[i] % 2) barrier(CLK_LOCAL_MEM_FENCE);}}
  if (l < 8)
    {{atomic_add(&out[l], bins[l]); ~ atomic: out[l] += bins[l];}}
""", lambda x: [sum(v % 8 == b for v in x) for b in range(8)], outputs=8)
kernel("counter", "  {{atomic_add(out, in[i]); ~ atomic: out[0] += in[i]; ~ index: atomic_add(out - 1, in[i]);}}\n",
       lambda x: [sum(x)], outputs=1)
kernel("copied", """  local int tile[{{32 ~ array: 31}}];
  event_t e = async_work_group_copy(tile, in + {{i - l ~ uniform: i}}, {{32 ~ copy: 33 ~ copy: 31}}, 0);
  {{wait_group_events(1, &e); ~ copy: ; ~ divergent: if (l < 16) wait_group_events(1, &e);}}
  out[i] = tile[31 - l];
""", lambda x: each_group(x, 32, lambda g: g[::-1]))
kernel("copied_back", """  local int tile[32];
  tile[l] = in[i] + 1;
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
  event_t e = async_work_group_copy(out + {{32 * get_group_id(0) ~ copy: 33 * get_group_id(0)}}, tile, {{32 ~ copy: 40}}, 0);
  {{wait_group_events(1, &e); ~ divergent: if (l != 0) wait_group_events(1, &e);}}
""", lambda x: [v + 1 for v in x])
kernel("product", """  local int a[{{32 ~ array: 16}}];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    a[l] = in[32 * t + l];
    {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
    for (int j = 0; {{j < 32 ~ array: j <= 32}}; ++j)
      sum += a[j] * (j & 3);
    {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (t != 3 || l != 0) barrier(CLK_LOCAL_MEM_FENCE);}}
  }
  out[i] = sum;
""", lambda x: [sum(v * (j % 32 & 3) for j, v in enumerate(x))] * 128)
kernel("two_writers", """  {{if (l == 0) ~ barrier: }}
    out[get_group_id(0)] = in[i];
""", lambda x: [g[0] for g in groups(x, 32)], outputs=4)
kernel("neighbor", """  out[i] = in[i];
  {{barrier(CLK_GLOBAL_MEM_FENCE); ~ barrier: ; ~ barrier: barrier(CLK_LOCAL_MEM_FENCE);}}
  int next = {{l < 31 ~ guard: l <= 31}} ? out[i + 1] : 0;
  {{barrier(CLK_GLOBAL_MEM_FENCE); ~ barrier: ;}}
  out[i] += next;
""", lambda x: each_group(x, 32, lambda g: [a + b for a, b in zip(g, g[1:] + [0])]))

# --- Private and constant memory

kernel("private", """  int a[{{8 ~ array: 7 ~ array: 4}}];
  for (int j = 0; {{j < 8 ~ uninit: j < 7 ~ array: j <= 8}}; ++j)
    a[j] = in[i] + j;
  out[i] = a[{{in[i] % 8 ~ array: in[i] % 9 ~ array: in[i] % 8 - 1}}];
""", lambda x: [v + v % 8 for v in x])
kernel("table", """constant int table[{{8 ~ array: 9 ~ array: 8}}] = {0, 1, 4, 9, 16, 25, 36, 49};
BODY  out[i] = table[{{in[i] % 8 ~ array: in[i] % 9 ~ array: in[i] % 8 + 1 ~ array: in[i] % 8 - 1}}];
""".replace("~ array: 9 ~ array: 8}}", "~ array: 10}}"), lambda x: [(v % 8) ** 2 for v in x])
kernel("chosen", """  int v{{ = 0 ~ uninit: }};
  if (in[i] % 3 == 0)
    v = in[i];
  out[i] = v;
""", lambda x: [v if v % 3 == 0 else 0 for v in x])

# --- Sub-groups

SG = dict(sub_groups=True)
kernel("sg_sum", """  int s = {{sub_group_reduce_add(in[i]); ~ sg-branch: 0; if (l % 2) s = sub_group_reduce_add(in[i]); ~ sg-branch: 0; if (in[i] > 100) s = sub_group_reduce_add(in[i]); ~ sg-branch: 0; if (l % 16 != 15) s = sub_group_reduce_add(in[i]);}}
  out[i] = s;
""", lambda x: each_group(x, 16, lambda g: [sum(g)] * 16), **SG)
kernel("sg_scan", """  int s = {{sub_group_scan_inclusive_add(in[i]); ~ sg-branch: in[i]; if (get_sub_group_local_id() > 0) s = sub_group_scan_inclusive_add(in[i]);}}
  out[{{i ~ index: i + 1}}] = s;
""", lambda x: each_group(x, 16, running), **SG)
kernel("sg_broadcast", """  out[i] = sub_group_broadcast(in[i], {{3 ~ broadcast: 4 ~ broadcast: l % 4 ~ broadcast: get_sub_group_local_id() ~ broadcast: in[i] % 16}});
""", lambda x: each_group(x, 16, lambda g: [g[3]] * 16), **SG)
kernel("sg_broadcast_branch", """  int v = 0;
  {{v = sub_group_broadcast(in[i], 0u); ~ sg-branch: if (l % 2 == 0) v = sub_group_broadcast(in[i], 0u); ~ sg-branch: if (l % 16 < 8) v = sub_group_broadcast(in[i], 0u); ~ sg-branch: for (int j = 0; j <= l % 2; ++j) v = sub_group_broadcast(in[i], 0u);}}
  out[i] = v;
""", lambda x: each_group(x, 16, lambda g: [g[0]] * 16), **SG)
kernel("sg_shuffle", """  int lane = get_sub_group_local_id();
  out[i] = intel_sub_group_shuffle(in[i], {{(lane + 1) % 16 ~ lane: lane + 1 ~ lane: lane - 1 ~ lane: lane * 2 ~ lane: (lane + 1) % 17}});
""", lambda x: each_group(x, 16, lambda g: g[1:] + g[:1]), **SG)
kernel("sg_shuffle_branch", """  int v = in[i];
  {{v = intel_sub_group_shuffle_xor(v, 1); ~ sg-branch: if (l % 2) v = intel_sub_group_shuffle_xor(v, 1); ~ sg-branch: if (l % 16 < 5) v = intel_sub_group_shuffle_xor(v, 1); ~ lane: v = intel_sub_group_shuffle_xor(v, 16);}}
  out[i] = v;
""", lambda x: each_group(x, 16, lambda g: [g[j ^ 1] for j in range(16)]), **SG)
kernel("sg_down", """  int lane = get_sub_group_local_id();
  out[i] = intel_sub_group_shuffle_down(in[i], 0, {{1u ~ lane: 17u ~ broadcast: 2u}});
""", lambda x: each_group(x, 16, lambda g: g[1:] + [0]), **SG)
kernel("sg_block_read", """  int first = i - (int)get_sub_group_local_id();
  uint v = intel_sub_group_block_read((const global uint *)in + {{first ~ uniform: i ~ index: first + 8 ~ index: first + 112}});
  out[i] = v;
""", lambda x: x, **SG)
kernel("sg_block_bytes", """  int first = i - (int)get_sub_group_local_id();
  out[i] = intel_sub_group_block_read((const global uint *)((const global char *)in + {{4 * first ~ align: 4 * first + 2 ~ align: 4 * first + 1}}));
""", lambda x: x, **SG)
kernel("sg_block_write", """  int first = i - (int)get_sub_group_local_id();
  intel_sub_group_block_write((global uint *)out + {{first ~ align: first + (first == 0 ? 1 : 0) ~ align: first - (first > 0 ? 2 : 0) ~ uniform: i ~ index: first + 16}}, (uint)in[i]);
""", lambda x: x, **SG)
kernel("sg_block_pair", """  int first = 2 * (i - (int)get_sub_group_local_id());
  uint2 v = intel_sub_group_block_read2((const global uint *)in + {{first ~ index: first + 32 ~ index: first - 16}});
  intel_sub_group_block_write2((global uint *)out + {{first ~ index: first + 32 ~ align: first + 2 * (first == 0)}}, v);
""", lambda x: x, inputs=256, outputs=256, **SG)
kernel("sg_partial", """  int lane = get_sub_group_local_id(), first = i - lane;
  uint v = {{get_max_sub_group_size() == get_sub_group_size() ~ partial: true}} ? intel_sub_group_block_read((const global uint *)in + first) : (uint)in[i];
  {{if (get_max_sub_group_size() == get_sub_group_size()) ~ partial: if (true) ~ partial: if (get_sub_group_id() > 0) ~ sg-branch: if (lane != 7)}}
    intel_sub_group_block_write((global uint *)out + first, v);
  else
    out[i] = v;
""", lambda x: x, items=96, local=24, inputs=96, outputs=96, **SG)
kernel("sg_local", """  local int tile[{{32 ~ array: 31}}];
  tile[l] = in[i];
  {{sub_group_barrier(CLK_LOCAL_MEM_FENCE); ~ sg-barrier: ; ~ sg-barrier: sub_group_barrier(CLK_GLOBAL_MEM_FENCE); ~ sg-branch: if (l % 16 < 8) sub_group_barrier(CLK_LOCAL_MEM_FENCE);}}
  out[i] = tile[{{l ^ 1 ~ sg-barrier: l ^ 16}}];
""", lambda x: each_group(x, 16, lambda g: [g[j ^ 1] for j in range(16)]), **SG)
kernel("sg_global", """  out[i] = in[i];
  {{sub_group_barrier(CLK_GLOBAL_MEM_FENCE); ~ sg-barrier: ;}}
  int other = out[i ^ 3];
  {{sub_group_barrier(CLK_GLOBAL_MEM_FENCE); ~ sg-barrier: ; ~ sg-barrier: sub_group_barrier(CLK_LOCAL_MEM_FENCE);}}
  out[i] = other;
""", lambda x: each_group(x, 16, lambda g: [g[j ^ 3] for j in range(16)]), **SG)
kernel("sg_vote", """  int any = {{sub_group_any(in[i] > 1000); ~ sg-branch: 0; if (in[i] > 1000) any = sub_group_any(in[i] > 1000); ~ sg-branch: l > 3 || sub_group_any(in[i] > 1000);}}
  out[i] = any != 0;
""", lambda x: each_group(x, 16, lambda g: [int(any(v > 1000 for v in g))] * 16), **SG)
kernel("sg_total", """  local int sums[{{2 ~ array: 1}}];
  int s = sub_group_reduce_add(in[i]);
  {{if (get_sub_group_local_id() == 0) ~ barrier: }}
    sums[get_sub_group_id()] = s;
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (get_sub_group_id() == 0) barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: sub_group_barrier(CLK_LOCAL_MEM_FENCE);}}
  out[i] = sums[0] + sums[{{1 ~ array: 2}}];
""", lambda x: each_group(x, 32, lambda g: [sum(g)] * 32), **SG)
kernel("wg_sum", """  int s = {{work_group_reduce_add(in[i]); ~ divergent: 0; if (l < 16) s = work_group_reduce_add(in[i]); ~ divergent: 0; if (l % 2) s = work_group_reduce_add(in[i]);}}
  out[i] = s;
""", lambda x: each_group(x, 32, lambda g: [sum(g)] * 32), **SG)
kernel("wg_broadcast", """  out[i] = work_group_broadcast(in[i], {{5 ~ broadcast: l ~ broadcast: 6}});
""", lambda x: each_group(x, 32, lambda g: [g[5]] * 32), **SG)
kernel("early", """  local int tile[32];
  {{; ~ divergent: if (i >= 120) return; ~ divergent: if (in[i] > 1000) return;}}
  tile[l] = in[i];
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (i < 120) barrier(CLK_LOCAL_MEM_FENCE);}}
  out[i] = tile[{{l ^ 7 ~ array: l + 7 ~ array: l ^ 32}}];
""", lambda x: each_group(x, 32, lambda g: [g[j ^ 7] for j in range(32)]))
kernel("double_buffer", """  local int a[32], b[{{32 ~ array: 24}}];
  a[l] = in[i];
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
  b[l] = a[{{31 - l ~ array: 32 - l}}] + 1;
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ; ~ divergent: if (b[l] % 2) barrier(CLK_LOCAL_MEM_FENCE);}}
  a[l] = b[{{(l + 5) % 32 ~ array: l + 5}}];
  {{barrier(CLK_LOCAL_MEM_FENCE); ~ barrier: ;}}
  out[i] = a[l ^ 3];
""", lambda x: each_group(x, 32, lambda g: [g[31 - ((j ^ 3) + 5) % 32] + 1 for j in range(32)]))
kernel("rows", """  int row = i / 16, column = i % 16;
  int up = {{row > 0 ~ guard: row >= 0}} ? in[i - 16] : 0, down = {{row < 7 ~ guard: row <= 7}} ? in[i + 16] : 0;
  out[{{row * 16 + column ~ index: row * 17 + column ~ index: (row + 1) * 16 + column}}] = up + down;
""", lambda x: [a + b for a, b in zip([0] * 16 + x[:-16], x[16:] + [0] * 16)])
kernel("sg_block_shorts", """  int first = 2 * (i - (int)get_sub_group_local_id());
  ushort2 v = intel_sub_group_block_read_us2((const global ushort *)in + {{first ~ align: first + 1 ~ index: first + 256}});
  out[i] = v.x + v.y;
""", lambda x: each_group(x, 16, lambda g: [w[j] + w[j + 16] for w in [[u for v in g for u in (v, 0)]]
                                             for j in range(16)]), **SG)
kernel("sg_min_loop", """  int s = 0;
  for (int j = 0; j < {{4 ~ sg-branch: 4 + l % 2}}; ++j)
    {{s += sub_group_reduce_max(in[(i + 16 * j) % n]); ~ sg-branch: if (in[i] > j) s += sub_group_reduce_max(in[(i + 16 * j) % n]);}}
  out[i] = s;
""", lambda x: [s for b in range(8) for s in [sum(max(x[(b + j) % 8 * 16:(b + j) % 8 * 16 + 16])
                                                    for j in range(4))] * 16], **SG)
kernel("sg_rows", """  int lane = get_sub_group_local_id(), row = i / 16;
  uint v = intel_sub_group_block_read((const global uint *)in + {{16 * row ~ index: 17 * row ~ index: 16 * row + 16}});
  int up = {{row > 0 ~ guard: row >= 0 ~ guard: true}} ? in[16 * row - 16 + lane] : 0;
  out[16 * row + {{lane ~ index: lane + 1}}] = v + up;
""", lambda x: [a + b for a, b in zip(x, [0] * 16 + x)], **SG)

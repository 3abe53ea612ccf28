// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct pair {
  int own, next;
};

int twice(int v) {
  return v + v;
}

kernel void declared(const global int *in, global int *out, int limit) {
  struct pair p = {in[get_global_id(0)], 0};
  int x = limit;
  if (p.own < x)
    p.next = twice(p.own);
  out[get_global_id(0)] = p.own + p.next;
}

kernel void assigned(const global int *in, global int *out, int limit) {
  struct pair p = {in[get_global_id(0)], 7};
  int2 v = (int2)(p.own, limit);
  int2 partly = (int2)(p.own, limit);
  int nothing = p.own + limit;
  int x = p.own;
  if (x < limit)
    x += 100;
  out[get_global_id(0)] = x + partly.y + p.next;
}

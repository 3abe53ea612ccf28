# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a function with `count` stores to addresses that are a constant apart.
BEGIN {
  print "define void @k(ptr addrspace(1) %out, i32 %first, <8 x i32> %values) {"
  for (i = 1; i <= count; i++) {
    print "  %offset" i " = add nuw i32 %first, " i
    print "  %wide" i " = zext i32 %offset" i " to i64"
    print "  %to" i " = getelementptr i32, ptr addrspace(1) %out, i64 %wide" i
    print "  store <8 x i32> %values, ptr addrspace(1) %to" i ", align 4"
  }
  print "  ret void\n}"
}

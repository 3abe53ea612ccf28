// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lowerings that performance rests on, pinned as instructions: how many permutes, and nothing through the stack.
#include "harness.h"

#include "lanes/cross_lane/permute.h"
#include "lanes/cross_lane/reduce.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/lane_loop.h"
#include "lanes/memory/memory.h"

#include <catch2/catch.hpp>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

const TestIsa &isaNamed(const std::string &name) {
  for (const TestIsa &isa : allIsas())
    if (isa.name == name)
      return isa;
  FAIL("no instruction set " << name);
  return allIsas()[0];
}

// Permutes of any kind.
unsigned countPermutes(const std::string &assembly) {
  unsigned count = 0;
  for (const char *mnemonic : {"vperm", "vpshuf", "vshuf", "vpunpck", "vunpck", "vextract", "vinsert", "vpalign",
                               "valign", "vmovshdup", "vmovhlps", "vpsrldq", "vpslldq", "pshuf", "shuf", "palign"})
    count += countInstructions(assembly, mnemonic);
  return count;
}

llvm::Value *floats(const LaneContext &c, llvm::Value *ptr) {
  return loadLanes(c, c.b.getFloatTy(), ptr);
}
llvm::Value *indices(const LaneContext &c, const Parameters &p) {
  return loadLanes(c, c.b.getInt32Ty(), p.b);
}

std::string shuffleAssembly(const std::string &isa, unsigned width, const ElementType &type) {
  return assemblyOf(isaNamed(isa), width, [&](const LaneContext &c, const Parameters &p) {
    storeLanes(c, emitShuffle(c, loadLanes(c, type.get(c.b.getContext()), p.a), indices(c, p)), p.out);
  });
}

} // namespace

TEST_CASE("a variable shuffle stays in registers", "[assembly]") {
  for (const char *isa : {"avx2", "avx512", "avx512vbmi"})
    for (unsigned width : {8u, 16u, 32u})
      for (const ElementType &type : elementTypes()) {
        // Thirty-two 64-bit lanes are eight AVX2 registers and their indices as many: half of all there are, and some
        // wait in memory. The lookups themselves do not go there.
        if (std::string(isa) == "avx2" && type.bytes == 8 && width == 32)
          continue;
        const std::string assembly = shuffleAssembly(isa, width, type);
        INFO(isa << " W=" << width << " " << type.name << "\n" << assembly);
        CHECK(countStackAccesses(assembly) == 0);
        CHECK(countInstructions(assembly, "call") == 0);
        CHECK(countPermutes(assembly) > 0);
      }
}

TEST_CASE("a variable shuffle is as few permutes as the registers allow", "[assembly]") {
  const ElementType &i32 = elementTypes()[2], &f32 = elementTypes()[5];
  for (const ElementType *type : {&i32, &f32}) {
    CHECK(countPermutes(shuffleAssembly("avx512", 8, *type)) == 1);
    CHECK(countPermutes(shuffleAssembly("avx512", 16, *type)) == 1);
    CHECK(countPermutes(shuffleAssembly("avx512", 32, *type)) == 2); // two registers, each from both sources
    CHECK(countPermutes(shuffleAssembly("avx2", 8, *type)) == 1);
    CHECK(countPermutes(shuffleAssembly("avx2", 16, *type)) == 4);
  }
}

TEST_CASE("the exchange with lane xor constant needs no index register", "[assembly]") {
  for (unsigned distance : {1u, 2u, 4u, 8u}) {
    const std::string assembly = assemblyOf(isaNamed("avx512"), 16, [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *index = c.b.CreateXor(laneIds(c), llvm::ConstantInt::get(laneIds(c)->getType(), distance));
      storeLanes(c, emitShuffle(c, floats(c, p.a), index), p.out);
    });
    INFO(assembly);
    CHECK(countPermutes(assembly) == 1);
    CHECK(countInstructions(assembly, "vpxor") == 0);
    CHECK(assembly.find("LCPI") == std::string::npos); // an immediate, not a constant from memory
  }
}

TEST_CASE("the exchange with lane xor uniform is one permute", "[assembly]") {
  const std::string assembly = assemblyOf(isaNamed("avx512"), 16, [&](const LaneContext &c, const Parameters &p) {
    llvm::Value *distance = c.b.CreateVectorSplat(c.width, c.b.CreateTrunc(p.scalar, c.b.getInt32Ty()));
    storeLanes(c, emitShuffle(c, floats(c, p.a), c.b.CreateXor(laneIds(c), distance)), p.out);
  });
  INFO(assembly);
  CHECK(countPermutes(assembly) == 1);
  CHECK(countInstructions(assembly, "vpand") == 0); // the hardware takes the index modulo 16
}

TEST_CASE("shuffling down by a constant is one permute of two sources", "[assembly]") {
  const std::string assembly = assemblyOf(isaNamed("avx512"), 16, [&](const LaneContext &c, const Parameters &p) {
    llvm::Value *index = c.b.CreateAdd(laneIds(c), llvm::ConstantInt::get(laneIds(c)->getType(), 3));
    storeLanes(c, emitShuffle2(c, floats(c, p.a), floats(c, p.b), index), p.out);
  });
  INFO(assembly);
  CHECK(countPermutes(assembly) == 1);
}

TEST_CASE("a broadcast of a uniform lane is a load, or a permute of one register of 128 bits or two of 512",
          "[assembly]") {
  for (const char *isa : {"avx2", "avx512"})
    for (unsigned width : {8u, 16u, 32u})
      for (const ElementType &type : elementTypes()) {
        const std::string assembly = assemblyOf(isaNamed(isa), width, [&](const LaneContext &c, const Parameters &p) {
          llvm::Value *v = loadLanes(c, type.get(c.b.getContext()), p.a);
          storeLanes(c, emitBroadcast(c, v, c.b.CreateTrunc(p.scalar, c.b.getInt32Ty())), p.out);
        });
        INFO(isa << " W=" << width << " " << type.name << "\n" << assembly);
        CHECK(countInstructions(assembly, "call") == 0);
        const unsigned bits = width * type.bytes * 8, most = isa == std::string("avx2") ? ~0U : 512;
        if (type.name != std::string("i1") && bits > 128 && bits <= most)
          CHECK(countPermutes(assembly) == 0);
        else
          CHECK(countStackAccesses(assembly) == 0);
      }
}

TEST_CASE("the lane that a broadcast loads is an operand's", "[assembly]") {
  for (const char *isa : {"avx2", "avx512"}) {
    const std::string assembly = assemblyOf(isaNamed(isa), 8, [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *sum = c.b.CreateFAdd(floats(c, p.a), floats(c, p.b));
      llvm::Value *lane = emitBroadcast(c, sum, c.b.CreateTrunc(p.scalar, c.b.getInt32Ty()));
      storeLanes(c, c.b.CreateFAdd(c.b.CreateVectorSplat(c.width, lane), floats(c, p.b)), p.out);
    });
    INFO(isa << "\n" << assembly);
    CHECK(countPermutes(assembly) == 0);
    CHECK(countStackAccesses(assembly) == 2);
  }
}

TEST_CASE("a reduction takes log2 W steps", "[assembly]") {
  for (const char *isa : {"avx2", "avx512"})
    for (auto [width, steps] : {std::pair(8u, 3u), std::pair(16u, 4u), std::pair(32u, 5u)}) {
      const std::string assembly = assemblyOf(isaNamed(isa), width, [&](const LaneContext &c, const Parameters &p) {
        storeLanes(c, emitReduce(c, ReduceOp::Add, floats(c, p.a), nullptr), p.out);
      });
      INFO(isa << " W=" << width << "\n" << assembly);
      // A step on two registers needs no shuffle, and on four it is two additions.
      const unsigned extra = std::string(isa) == "avx2" && width == 32 ? 1 : 0;
      CHECK(countInstructions(assembly, "vadd") == steps + extra);
      CHECK(countPermutes(assembly) <= steps);
      CHECK(countStackAccesses(assembly) == 0);
    }
}

TEST_CASE("all lanes of an AVX2 register have the integers' reduction without a splat", "[assembly]") {
  for (auto [width, sums] : {std::pair(8u, 3u), std::pair(16u, 4u), std::pair(32u, 6u)}) {
    const std::string assembly = assemblyOf(isaNamed("avx2"), width, [&](const LaneContext &c, const Parameters &p) {
      storeLanes(c, emitReduceToAll(c, ReduceOp::Add, indices(c, p), nullptr), p.out);
    });
    INFO(width << "\n" << assembly);
    CHECK(countInstructions(assembly, "vpaddd") == sums);
    CHECK(countPermutes(assembly) == 3);
    CHECK(countInstructions(assembly, "vpbroadcastd") == 0);
  }
}

TEST_CASE("a scan takes log2 W steps", "[assembly]") {
  const std::string assembly = assemblyOf(isaNamed("avx512"), 16, [&](const LaneContext &c, const Parameters &p) {
    storeLanes(c, emitScan(c, ReduceOp::Add, floats(c, p.a), nullptr, ScanKind::Inclusive), p.out);
  });
  INFO(assembly);
  CHECK(countInstructions(assembly, "vaddps") == 4);
  CHECK(countPermutes(assembly) <= 5);
  CHECK(countStackAccesses(assembly) == 0);
}

TEST_CASE("the steps of a scan within an AVX2 register take four permutes", "[assembly]") {
  const std::string assembly = assemblyOf(isaNamed("avx2"), 8, [&](const LaneContext &c, const Parameters &p) {
    llvm::Value *v = c.b.CreateAlignedLoad(c.vectorOf(c.b.getInt32Ty()), p.a, llvm::Align(4));
    storeLanes(c, emitScan(c, ReduceOp::Add, v, nullptr, ScanKind::Inclusive), p.out);
  });
  INFO(assembly);
  CHECK(countInstructions(assembly, "vpaddd") == 3);
  CHECK(countInstructions(assembly, "vpslldq") == 2);
  CHECK(countInstructions(assembly, "vshufps") == 1);
  CHECK(countInstructions(assembly, "vpermpd") == 1);
  CHECK(countInstructions(assembly, "vpblendd") == 0);
  CHECK(countStackAccesses(assembly) == 0);
}

TEST_CASE("a clustered reduction takes log2 of the cluster's size in steps", "[assembly]") {
  for (const char *isa : {"avx2", "avx512"})
    for (auto [size, steps] : {std::pair(2u, 1u), std::pair(4u, 2u), std::pair(8u, 3u)}) {
      const std::string assembly = assemblyOf(isaNamed(isa), 8, [&](const LaneContext &c, const Parameters &p) {
        storeLanes(c, emitClusteredReduce(c, ReduceOp::Add, floats(c, p.a), nullptr, c.b.getInt32(size)), p.out);
      });
      INFO(isa << " clusters of " << size << "\n" << assembly);
      CHECK(countInstructions(assembly, "vaddps") == steps);
      CHECK(countPermutes(assembly) == steps);
      CHECK(countStackAccesses(assembly) == 0);
    }
}

TEST_CASE("asking a mask takes one test", "[assembly]") {
  const auto any = [](const LaneContext &c, const Parameters &p) {
    llvm::Value *mask = c.b.CreateFCmpOLT(floats(c, p.a), floats(c, p.b));
    c.b.CreateStore(c.b.CreateZExt(emitAny(c, mask), c.b.getInt64Ty()), p.out);
  };
  for (unsigned width : {8u, 16u, 32u}) {
    const std::string avx512 = assemblyOf(isaNamed("avx512"), width, any),
                      avx2 = assemblyOf(isaNamed("avx2"), width, any);
    INFO(avx512 << avx2);
    CHECK(countInstructions(avx512, "kortest") + countInstructions(avx512, "ktest") == 1);
    CHECK(countInstructions(avx512, "kmov") == 0);
    CHECK(countInstructions(avx2, "vtestps") + countInstructions(avx2, "vpmovmskb") +
              countInstructions(avx2, "vmovmskps") ==
          1);
    CHECK(countStackAccesses(avx512) + countStackAccesses(avx2) == 0);
  }
}

TEST_CASE("a block read of eight uints is eight register loads", "[assembly]") {
  const std::string assembly = assemblyOf(isaNamed("avx512"), 16, [&](const LaneContext &c, const Parameters &p) {
    const LaneVectors v = emitBlockRead(c, c.b.getInt32Ty(), 8, p.a, nullptr, llvm::Align(4));
    for (unsigned k = 0; k < 8; ++k)
      storeLanes(c, v[k], c.b.CreatePtrAdd(p.out, c.b.getInt64(k * 4096)));
  });
  INFO(assembly);
  CHECK(countInstructions(assembly, "vmov") == 16); // the loads and the test's own stores
  for (int k = 0; k < 8; ++k)
    CHECK(assembly.find((k ? std::to_string(k * 64) : "") + "(%rdi), %zmm") != std::string::npos);
  CHECK(countPermutes(assembly) == 0);
}

TEST_CASE("narrow block components share a load", "[assembly]") {
  const std::string assembly = assemblyOf(isaNamed("avx2"), 8, [&](const LaneContext &c, const Parameters &p) {
    const LaneVectors v = emitBlockRead(c, c.b.getInt16Ty(), 4, p.a, nullptr, llvm::Align(4));
    for (unsigned k = 0; k < 4; ++k)
      storeLanes(c, v[k], c.b.CreatePtrAdd(p.out, c.b.getInt64(k * 4096)));
  });
  INFO(assembly);
  CHECK(assembly.find("(%rdi), %ymm0") != std::string::npos);
  CHECK(assembly.find("32(%rdi), %ymm1") != std::string::npos);
}

TEST_CASE("eight floats of each lane become components in three steps", "[assembly]") {
  for (bool load : {true, false}) {
    const std::string assembly = assemblyOf(isaNamed("avx2"), 8, [&](const LaneContext &c, const Parameters &p) {
      LaneVectors v;
      if (load) {
        v = emitLoadStrided(c, c.b.getFloatTy(), 8, 8, p.a, nullptr, llvm::Align(4));
        for (unsigned k = 0; k < 8; ++k)
          storeLanes(c, v[k], c.b.CreatePtrAdd(p.out, c.b.getInt64(k * 4096)));
        return;
      }
      for (unsigned k = 0; k < 8; ++k)
        v.push_back(floats(c, c.b.CreatePtrAdd(p.a, c.b.getInt64(k * 4096))));
      emitStoreStrided(c, v, p.out, nullptr, llvm::Align(4));
    });
    INFO(assembly);
    CHECK(countPermutes(assembly) == 24); // of eight registers each
    CHECK(countStackAccesses(assembly) == 0);
  }
}

TEST_CASE("gathers are gather instructions, with the index in its own width", "[assembly]") {
  for (auto [isa, gathers] : {std::pair("avx512", 1u), std::pair("avx2", 2u)}) {
    const std::string assembly = assemblyOf(isaNamed(isa), 16, [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *mask = c.b.CreateFCmpOLT(floats(c, p.a), floats(c, p.b));
      storeLanes(c, emitGatherIndexed(c, c.b.getFloatTy(), p.a, indices(c, p), 4, mask, llvm::Align(4)), p.out);
    });
    INFO(assembly);
    CHECK(countInstructions(assembly, "vgatherdps") + countInstructions(assembly, "vpgatherdd") == gathers);
    CHECK(countInstructions(assembly, "j") == 0);
  }
}

TEST_CASE("collecting lane results keeps the vector in a register", "[assembly]") {
  for (const char *isa : {"avx2", "avx512"}) {
    const std::string assembly = assemblyOf(isaNamed(isa), 16, [&](const LaneContext &c, const Parameters &p) {
      const auto results =
          emitLaneLoopCollect(c, nullptr, {c.b.getFloatTy()}, [&](llvm::IRBuilderBase &b, llvm::Value *lane) {
            llvm::Value *x = b.CreateLoad(b.getFloatTy(), b.CreateGEP(b.getFloatTy(), p.a, lane));
            return llvm::SmallVector<llvm::Value *, 4>{b.CreateFDiv(x, llvm::ConstantFP::get(x->getType(), 3.0))};
          });
      storeLanes(c, results[0], p.out);
    });
    INFO(isa << assembly);
    CHECK(countStackAccesses(assembly) == 0);
    CHECK(countInstructions(assembly, "vdivss") == 1);
  }
}

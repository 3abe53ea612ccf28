// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whatever happens to a kernel, the fuzzer notices it.
#include "run/worker.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace lanecl::fuzz;

namespace {

// Makes a case of one work-item and one int, which must be 7 at the end.
Case caseOf(const std::string &body) {
  Case test{.options = "-cl-std=CL3.0", .source = "kernel void k(global int *out) { " + body + " }\n"};
  test.launches = {{.kernel = "k", .range = {.global = {1}, .local = {1}, .offset = {0}}}};
  test.launches[0].arguments = {{.kind = Argument::Kind::Buffer, .type = kInt, .values = {3}}};
  test.launches[0].expectations = {{.width = 0, .argument = 0, .values = {7}}};
  return test;
}

std::vector<Finding> run(Worker &worker, const std::string &body, int seconds = 60) {
  worker.begin(caseOf(body), std::chrono::seconds(seconds));
  return worker.finish();
}

} // namespace

TEST_CASE("right results, wrong results, and programs that do not even run", "[workers]") {
  Worker worker("LaneCL");
  CHECK(run(worker, "out[0] += 4;").empty());

  const std::vector<Finding> wrong = run(worker, "out[0] += 5;");
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].verdict == Verdict::Wrong);
  CHECK(wrong[0].kernel == "k");
  CHECK(wrong[0].text.find("argument 0[0]: expected 7, found 8") != std::string::npos);

  const std::vector<Finding> unbuilt = run(worker, "out[0] = nothing;");
  REQUIRE(unbuilt.size() == 1);
  CHECK(unbuilt[0].verdict == Verdict::BuildFailed);
  CHECK(unbuilt[0].text.find("nothing") != std::string::npos);

  const std::vector<Finding> crashed = run(worker, "*(volatile global int *)(16) = 1;");
  REQUIRE(crashed.size() == 1);
  CHECK(crashed[0].verdict == Verdict::Crashed);

  const std::vector<Finding> hung = run(worker, "while (((volatile global int *)out)[0] != 4);", 3);
  REQUIRE(hung.size() == 1);
  CHECK(hung[0].verdict == Verdict::Hung);

  CHECK(run(worker, "out[0] = 7;").empty()); // run by another process
}

TEST_CASE("an access past the end of a buffer is noticed", "[workers]") {
  Worker worker("LaneCL");
  const std::vector<Finding> beyond = run(worker, "out[0] = 7; *(volatile global char *)(out + 1);");
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].verdict == Verdict::Crashed);
}

TEST_CASE("images are compared, too", "[workers]") {
  Case test{.options = "-cl-std=CL3.0",
            .source = "kernel void k(write_only image2d_t out) { write_imageui(out, (int2)(1, 1), (uint4)5u); }\n"};
  test.launches = {{.kernel = "k", .range = {.global = {1}, .local = {1}, .offset = {0}}}};
  const ImageShape image{.dims = 2, .width = 3, .height = 2, .channels = 1, .base = Base::UChar};
  test.launches[0].arguments = {
      {.kind = Argument::Kind::Image, .type = {Base::UChar, 1}, .values = {1, 2, 3, 4, 0, 6}, .image = image}};
  test.launches[0].expectations = {{.width = 0, .argument = 0, .values = {1, 2, 3, 4, 5, 6}}};
  std::stringstream text;
  write(text, test);
  const auto found = [](const Case &wanted) {
    Worker worker("LaneCL");
    worker.begin(wanted, std::chrono::seconds(60));
    return worker.finish();
  };
  CHECK(found(readCase(text)).empty());
  test.launches[0].expectations[0].values[2] = 0;
  const std::vector<Finding> wrong = found(test);
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].text.find("argument 0[2]: expected 0, found 3") != std::string::npos);
}

TEST_CASE("a case is read as it was written", "[workers]") {
  Case test = caseOf("out[0] = 7;");
  test.notes = "one\ntwo\n";
  test.launches[0].arguments.push_back({.kind = Argument::Kind::Local, .type = kInt, .bytes = 64});
  test.launches[0].arguments.push_back({.kind = Argument::Kind::Scalar, .type = {Base::Char, 1}, .values = {0x80}});
  test.launches[0].arguments.push_back(
      {.kind = Argument::Kind::Image,
       .type = {Base::Short, 1},
       .values = {1, 2, 0xffff, 4, 5, 6},
       .image = {.dims = 2, .width = 3, .height = 1, .channels = 2, .base = Base::Short}});
  test.launches[0].expectations[0].open = {0xf0};
  test.launches[0].expectations.push_back({.width = 0, .argument = 0, .values = {0}, .open = {0xffffffff}});
  std::stringstream text;
  write(text, test);
  const Case read = readCase(text);
  CHECK(read.source == test.source);
  CHECK(read.launches.size() == 1);
  const CaseLaunch &launch = read.launches[0];
  CHECK(launch.kernel == "k");
  CHECK(launch.range.global == std::vector<size_t>{1});
  REQUIRE(launch.arguments.size() == 4);
  CHECK(launch.arguments[3].values == test.launches[0].arguments[3].values);
  CHECK(launch.arguments[3].image.width == 3);
  CHECK(launch.arguments[3].image.base == Base::Short);
  CHECK(launch.expectations[0].open == std::vector<uint64_t>{0xf0});
  CHECK(launch.expectations[1].open == std::vector<uint64_t>{0xffffffff});
  CHECK(launch.arguments[1].bytes == 64);
  CHECK(launch.arguments[2].values == std::vector<uint64_t>{0x80});
  CHECK(launch.expectations[0].values == std::vector<uint64_t>{7});
  std::istringstream cut(text.str().substr(0, text.str().size() - 4));
  CHECK_THROWS_WITH(readCase(cut), Catch::Contains("ends before"));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs given as SPIR-V: what is refused, what is reported about them, and that they compute correctly.
#include "spirv/module.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <climits>
#include <cstdlib>
#include <filesystem>
#include <numeric>

using namespace lanecl::test;

namespace {

// From cl_khr_spirv_queries; the distribution's headers are older.
constexpr cl_device_info kInstructionSets = 0x12B9, kExtensions = 0x12BA, kCapabilities = 0x12BB;

cl_int createCode(const Session &cl, const void *il, size_t bytes) {
  cl_int code = 1;
  Program program(clCreateProgramWithIL(cl.context, il, bytes, &code));
  CHECK((program.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

cl_int createCode(const Session &cl, const SpirvModule &module) {
  return createCode(cl, module.data(), module.size() * sizeof(uint32_t));
}

// Returns a minimal module that contains the given lines.
std::string around(const std::string &capabilities, const std::string &models = "Physical64 OpenCL") {
  return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n" + capabilities + "\nOpMemoryModel " +
         models + "\n%void = OpTypeVoid\n";
}

template <class T> void specialize(const Program &program, cl_uint number, T value) {
  check(clSetProgramSpecializationConstant(program, number, sizeof value, &value), "specialize");
}

int filled(const Session &cl, const Program &program) {
  Memory out = cl.buffer(std::vector<int>(5, -1));
  cl.run(cl.kernel(program, "fill"), {5}, {}, out);
  const auto values = cl.read<int>(out);
  CHECK(values == std::vector<int>(5, values[0]));
  return values[0];
}

std::string text(const Kernel &kernel, cl_uint index, cl_kernel_arg_info name) {
  char value[64] = {};
  check(clGetKernelArgInfo(kernel, index, name, sizeof value, value, nullptr), "clGetKernelArgInfo");
  return value;
}

template <class T> T argument(const Kernel &kernel, cl_uint index, cl_kernel_arg_info name) {
  T value{};
  check(clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr), "clGetKernelArgInfo");
  return value;
}

std::vector<int> counted(int count, int first = 0) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

} // namespace

TEST_CASE("invalid SPIR-V is refused at creation", "[spirv]") {
  Session cl;
  const SpirvModule good = moduleOf("fill");
  const size_t bytes = good.size() * sizeof(uint32_t);
  CHECK(createCode(cl, good.data(), bytes) == CL_SUCCESS);
  CHECK(createCode(cl, nullptr, bytes) == CL_INVALID_VALUE);
  CHECK(createCode(cl, good.data(), 0) == CL_INVALID_VALUE);
  cl_int code = 1;
  CHECK(clCreateProgramWithIL(nullptr, good.data(), bytes, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);

  SECTION("cut off anywhere") {
    for (size_t length = 1; length < bytes; length += 3)
      CHECK(createCode(cl, good.data(), length) == CL_INVALID_VALUE);
  }
  SECTION("other bytes") {
    CHECK(createCode(cl, "kernel void k() {}  ", 20) == CL_INVALID_VALUE);
    SpirvModule damaged = good;
    damaged[5] = 0; // an instruction without words
    CHECK(createCode(cl, damaged) == CL_INVALID_VALUE);
    damaged = good;
    damaged.back() = 0xffff0000u | 0x38; // longer than the module
    CHECK(createCode(cl, damaged) == CL_INVALID_VALUE);
  }
  SECTION("against SPIR-V's rules") {
    CHECK(createCode(cl, assemble(around("") + "%x = OpTypeVector %void 4\n")) == CL_INVALID_VALUE);
  }
}

// Returns why a module is not built, or nothing if it is.
static std::string refusalOf(const Session &cl, const SpirvModule &module) {
  try {
    buildIl(cl, createWithIl(cl, module));
  } catch (const BuildError &error) {
    CHECK(error.code == CL_BUILD_PROGRAM_FAILURE);
    return error.log;
  }
  return "";
}

TEST_CASE("unsupported SPIR-V is an error of the build, which names it", "[spirv]") {
  Session cl;
  const auto log = [&](const SpirvModule &module) { return refusalOf(cl, module); };
  SECTION("capabilities, extensions and models") {
    CHECK(log(assemble(around(""))) == "");
    CHECK_THAT(log(moduleOf("shader")), Catch::Contains("capability Shader (1)"));
    CHECK_THAT(log(assemble(around("OpCapability DeviceEnqueue"))), Catch::Contains("capability DeviceEnqueue (19)"));
    SpirvModule unknown = assemble(around("OpCapability DeviceEnqueue"));
    *std::find(unknown.begin(), unknown.end(), 19) = 65432;
    CHECK_THAT(log(unknown), Catch::Contains("capability 65432"));
    CHECK_THAT(log(assemble(around("OpCapability VectorComputeINTEL"))),
               Catch::Contains("capability VectorComputeINTEL (5617)") && Catch::Contains("LANECL_DEVICE=gen9"));
    CHECK_THAT(log(assemble(around("OpExtension \"SPV_KHR_no_such_thing\""))),
               Catch::Contains("SPV_KHR_no_such_thing"));
    CHECK_THAT(log(assemble(around("%set = OpExtInstImport \"GLSL.std.450\""))), Catch::Contains("GLSL.std.450"));
    CHECK_THAT(log(assemble(around("", "Physical32 OpenCL"))), Catch::Contains("addressing model"));
  }
  SECTION("versions") {
    for (unsigned minor = 0; minor <= 6; ++minor)
      CHECK(log(assemble(around(""), minor)) == "");
    SpirvModule later = assemble(around(""), 6);
    later[1] += 1 << 8;
    CHECK_THAT(log(later), Catch::Contains("SPIR-V 1.7 is not supported"));
    CHECK(log(assemble(around("%set = OpExtInstImport \"NonSemantic.Any\""), 6)) == "");
    const std::string early = "%set = OpExtInstImport \"NonSemantic.Any\"";
    CHECK_THAT(log(assemble(around(early), 5)), Catch::Contains("NonSemantic.Any"));
    CHECK(log(assemble(around("OpExtension \"SPV_KHR_non_semantic_info\"\n" + early), 0)) == "");
  }
  SECTION("and when it is compiled, too") {
    Program program = createWithIl(cl, moduleOf("shader"));
    CHECK(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
          CL_COMPILE_PROGRAM_FAILURE);
    CHECK_THAT(buildLog(program), Catch::Contains("capability Shader (1)"));
  }
}

TEST_CASE("the context callback says why SPIR-V is refused", "[spirv]") {
  Session cl;
  std::string heard;
  const auto notify = [](const char *message, const void *, size_t, void *target) {
    *static_cast<std::string *>(target) += message;
  };
  Context context(clCreateContext(nullptr, 1, &cl.device, notify, &heard, nullptr));
  const SpirvModule module = assemble(around("OpCapability DeviceEnqueue"));
  cl_int code = 1;
  Program program(clCreateProgramWithIL(context, module.data(), module.size() * 4, &code));
  CHECK(code == CL_SUCCESS);
  CHECK_THAT(heard, Catch::Contains("capability DeviceEnqueue (19)"));
  heard.clear();
  CHECK(clCreateProgramWithIL(context, module.data(), module.size() * 4 - 4, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK_THAT(heard, Catch::Contains("cut off or damaged"));
}

TEST_CASE("SPIR-V in the other byte order is accepted", "[spirv]") {
  Session cl;
  SpirvModule module = moduleOf("fill");
  for (uint32_t &word : module)
    word = __builtin_bswap32(word);
  CHECK(filled(cl, buildIl(cl, createWithIl(cl, module))) == 104);
}

TEST_CASE("the device reports the versions of SPIR-V and the function of the extension", "[spirv]") {
  Session cl;
  char versions[256] = {};
  check(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof versions, versions, nullptr), "IL version");
  CHECK(std::string(versions) == "SPIR-V_1.6 SPIR-V_1.5 SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0");
  cl_name_version list[7] = {};
  size_t size = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_ILS_WITH_VERSION, sizeof list, list, &size), "ILs");
  REQUIRE(size == sizeof list);
  for (unsigned minor = 0; minor < 7; ++minor) {
    CHECK(std::string(list[minor].name) == "SPIR-V");
    CHECK(list[minor].version == CL_MAKE_VERSION(1, minor, 0));
  }
  const auto create = reinterpret_cast<clCreateProgramWithILKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clCreateProgramWithILKHR"));
  REQUIRE(create);
  const SpirvModule module = moduleOf("fill");
  cl_int code = 1;
  Program program(create(cl.context, module.data(), module.size() * 4, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(filled(cl, buildIl(cl, program)) == 104);
}

TEST_CASE("the device reports what SPIR-V it accepts, and accepts it", "[spirv]") {
  Session cl;
  const auto sets = deviceList<const char *>(kInstructionSets);
  const auto extensions = deviceList<const char *>(kExtensions);
  const auto capabilities = deviceList<cl_uint>(kCapabilities);
  std::string lines;
  for (const char *extension : extensions)
    lines += std::string("OpExtension \"") + extension + "\"\n";
  for (size_t i = 0; i < sets.size(); ++i)
    lines += "%set" + std::to_string(i) + " = OpExtInstImport \"" + sets[i] + "\"\n";
  SpirvModule module = assemble(around(lines), 6);
  CHECK(createCode(cl, module) == CL_SUCCESS);
  const auto with = [&](uint32_t capability) {
    SpirvModule wider = module;
    const uint32_t instruction[] = {2u << 16 | 17, capability}; // OpCapability
    wider.insert(wider.begin() + 5, std::begin(instruction), std::end(instruction));
    Program program = createWithIl(cl, wider);
    return clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr);
  };
  for (cl_uint capability : capabilities) {
    INFO("capability " << capability);
    CHECK(with(capability) == CL_SUCCESS);
  }
  for (cl_uint capability : {1u /* Shader */, 2u /* Geometry */, 19u /* DeviceEnqueue */, 60u /* PipeStorage */}) {
    INFO("capability " << capability);
    CHECK(std::find(capabilities.begin(), capabilities.end(), capability) == capabilities.end());
    CHECK(with(capability) == CL_BUILD_PROGRAM_FAILURE);
  }
}

// From cl_khr_spirv_extended_debug_info. tests/debugging/spirv_test.py checks what a debugger sees of it.
TEST_CASE("debug information of every kind is accepted", "[spirv]") {
  const Session cl;
  const auto logOf = [&](const std::string &text) {
    const Program program = buildIl(cl, createWithIl(cl, assemble(text)));
    const Memory value = cl.buffer(std::vector<int>{35});
    cl.run(cl.kernel(program, "k"), {1}, {1}, value);
    CHECK(cl.read<int>(value).front() == 42);
    return buildLog(program, cl.device);
  };
  std::string text = textOf("debug_information");
  // The translator does not know this kind of template.
  CHECK_THAT(logOf(text), Catch::Contains("debug information is ignored"));
  const size_t begin = text.find("%d_template_of"), end = text.find('\n', begin);
  text.erase(begin, end - begin);
  CHECK(logOf(text) == "");
  const auto sets = deviceList<const char *>(kInstructionSets);
  CHECK(std::find(sets.begin(), sets.end(), std::string("OpenCL.DebugInfo.100")) != sets.end());
}

TEST_CASE("the lines of its disassembly are accepted in every module", "[spirv]") {
  const Session cl;
  const auto logOf = [&](const SpirvModule &module, const char *options) {
    const Program program = createWithIl(cl, module);
    const bool is_built = clBuildProgram(program, 1, &cl.device, options, nullptr, nullptr) == CL_SUCCESS;
    return is_built ? buildLog(program, cl.device) : "not built";
  };
  unsigned count = 0;
  for (const auto &file : std::filesystem::directory_iterator(LANECL_SPIRV_DIRECTORY)) {
    const std::string name = file.path().stem();
    if (file.path().extension() != ".spvasm" || name == "debug_information")
      continue;
    CAPTURE(name);
    const SpirvModule module = moduleOf(name, name == "later" ? 6 : 3);
    if (logOf(module, "") != "") // it has to be linked with others
      continue;
    CHECK(logOf(module, "-g") == "");
    ++count;
  }
  CHECK(count >= 15);
}

// The block between the loop's first and last block leaves the loop. In OpenCL C it would belong to the loop's
// statement, and the work-items would call the function one by one.
TEST_CASE("a function call before a break comes after the loop, with and without debug lines", "[spirv]") {
  const Session cl;
  constexpr size_t kItems = 8; // one sub-group
  const std::string text = R"(
               OpCapability Groups
               OpEntryPoint Kernel %k "k" %LocalInvocationId
       %type = OpTypeFunction %void %_ptr_CrossWorkgroup_uint
  %sub_group = OpConstant %uint 3
          %k = OpFunction %void None %type
          %p = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
        %all = OpLoad %v3ulong %LocalInvocationId Aligned 32
          %x = OpCompositeExtract %ulong %all 0
               OpBranch %loop
       %loop = OpLabel
          %i = OpPhi %ulong %ulong_0 %entry %next %more
     %is_own = OpIEqual %bool %i %x
               OpLoopMerge %end %more None
               OpBranchConditional %is_own %own %more
        %own = OpLabel
        %sum = OpGroupIAdd %uint %sub_group Reduce %uint_1
               OpBranch %end
       %more = OpLabel
       %next = OpIAdd %ulong %i %ulong_1
               OpBranch %loop
        %end = OpLabel
      %place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p %x
               OpStore %place %sum Aligned 4
               OpReturn
               OpFunctionEnd
)";
  const char *options = GENERATE("", "-g", "-g -cl-opt-disable");
  CAPTURE(options);
  const Memory out = cl.buffer(std::vector<cl_uint>(kItems));
  cl.run(cl.kernel(buildIl(cl, createWithIl(cl, assemble(text)), options), "k"), {kItems}, {kItems}, out);
  CHECK(cl.read<cl_uint>(out) == std::vector<cl_uint>(kItems, kItems));
}

TEST_CASE("a program has its module and no source", "[spirv]") {
  Session cl;
  const SpirvModule module = moduleOf("fill");
  Program program = createWithIl(cl, module);
  SpirvModule returned(module.size());
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_IL, module.size() * 4, returned.data(), &size), "IL");
  CHECK(size == module.size() * 4);
  CHECK(returned == module);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_IL, 4, returned.data(), nullptr) == CL_INVALID_VALUE);
  char source[4] = "abc";
  check(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, &size), "source");
  CHECK(size == 1);
  CHECK(source[0] == '\0');

  Program plain = cl.build("kernel void k() {}");
  check(clGetProgramInfo(plain, CL_PROGRAM_IL, sizeof source, source, &size), "IL");
  CHECK(size == 0);
}

TEST_CASE("specialization constants", "[spirv]") {
  Session cl;
  Program program = createWithIl(cl, moduleOf("fill"));
  CHECK(filled(cl, buildIl(cl, program)) == 3 + 1 + 100);
  SECTION("of all types") {
    specialize<cl_int>(program, 7, 41);
    CHECK(filled(cl, buildIl(cl, program)) == 42 + 100);
    specialize<cl_uchar>(program, 8, 2);
    specialize<cl_long>(program, 9, 1 << 20);
    specialize<cl_char>(program, 10, -5);
    specialize<cl_float>(program, 11, 1000.5f);
    CHECK(filled(cl, buildIl(cl, program)) == 420 + (1 << 20) - 5 + 1000);
    specialize<cl_uchar>(program, 8, 0);
    check(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), "clCompileProgram");
    cl_int code = 1;
    Program linked(clLinkProgram(cl.context, 0, nullptr, "", 1, program.address(), nullptr, nullptr, &code));
    check(code, "clLinkProgram");
    CHECK(filled(cl, linked) == 42 + (1 << 20) - 5 + 1000);
  }
  SECTION("and their errors") {
    const cl_long value = 0;
    CHECK(clSetProgramSpecializationConstant(nullptr, 7, 4, &value) == CL_INVALID_PROGRAM);
    CHECK(clSetProgramSpecializationConstant(cl.source("kernel void k() {}"), 7, 4, &value) == CL_INVALID_PROGRAM);
    CHECK(clSetProgramSpecializationConstant(program, 6, 4, &value) == CL_INVALID_SPEC_ID);
    CHECK(clSetProgramSpecializationConstant(program, 7, 8, &value) == CL_INVALID_VALUE);
    CHECK(clSetProgramSpecializationConstant(program, 8, 4, &value) == CL_INVALID_VALUE);
    CHECK(clSetProgramSpecializationConstant(program, 9, 4, &value) == CL_INVALID_VALUE);
    CHECK(clSetProgramSpecializationConstant(program, 10, 4, &value) == CL_INVALID_VALUE);
    CHECK(clSetProgramSpecializationConstant(program, 7, 4, nullptr) == CL_INVALID_VALUE);
  }
}

TEST_CASE("SPIR-V and OpenCL C are linked into one program, which can be restored from a binary", "[spirv]") {
  Session cl;
  Program library = createWithIl(cl, moduleOf("library")), again = createWithIl(cl, moduleOf("thrice"));
  Program user = cl.source("int twice(int), thrice(int);"
                           "kernel void k(global int *p) { p[get_global_id(0)] = twice(6) + thrice(10); }");
  for (const Program &program : {library, again, user})
    check(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), "clCompileProgram");
  const cl_program inputs[] = {library, again, user};
  cl_int code = 1;
  Program linked(clLinkProgram(cl.context, 0, nullptr, "", 3, inputs, nullptr, nullptr, &code));
  check(code, "clLinkProgram");
  size_t size = 0;
  check(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "sizes");
  std::vector<unsigned char> bytes(size);
  unsigned char *target = bytes.data();
  check(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof target, &target, nullptr), "binaries");
  const unsigned char *binary = bytes.data();
  Program loaded(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &binary, nullptr, &code));
  check(code, "clCreateProgramWithBinary");
  for (const Program &program : {linked, buildIl(cl, loaded)}) {
    Memory out = cl.buffer(std::vector<int>(3));
    cl.run(cl.kernel(program, "k"), {3}, {}, out);
    CHECK(cl.read<int>(out) == std::vector<int>(3, 42));
  }
}

TEST_CASE("build options of SPIR-V", "[spirv]") {
  Session cl;
  Program program = createWithIl(cl, moduleOf("fill"));
  CHECK(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr) == CL_INVALID_BUILD_OPTIONS);
  CHECK(filled(cl, buildIl(cl, program, "-cl-opt-disable -cl-mad-enable")) == 104);
  // Non-uniform work-groups are supported unless an option excludes them.
  const size_t global = 5, local = 4;
  const auto launch = [&] {
    Kernel kernel = cl.kernel(program, "fill");
    Memory out = cl.buffer(std::vector<int>(5));
    cl.setArguments(kernel, out);
    const cl_int code = clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    check(clFinish(cl.queue), "clFinish");
    return code;
  };
  CHECK(launch() == CL_SUCCESS);
  buildIl(cl, program, "-cl-uniform-work-group-size");
  CHECK(launch() == CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("debug information that the translator does not understand is dropped", "[spirv]") {
  const Session cl;
  std::string text = textOf("../../debugging/spirv");
  SECTION("it understands this") {
    const Program program = buildIl(cl, createWithIl(cl, assemble(text)), "-g");
    CHECK(buildLog(program, cl.device).empty());
  }
  SECTION("and local memory of a function that has variables in blocks") {
    const std::string place = "  %declared_x = ";
    text.insert(text.find(place), "%d_block = OpExtInst %void %debug DebugLexicalBlock %file 11 3 %d_declared\n"
                                  "%local_int = OpTypePointer Workgroup %int\n"
                                  "%shared = OpVariable %local_int Workgroup\n"
                                  "%d_shared = OpExtInst %void %debug DebugGlobalVariable %own_name %d_int %file 11 0 "
                                  "%d_declared %none %shared FlagIsLocal|FlagIsDefinition\n");
    text = replaced(text, {{"DebugLocalVariable %x_name %d_int %file 12 0 %d_declared",
                            "DebugLocalVariable %x_name %d_int %file 12 0 %d_block"}});
    const Program program = buildIl(cl, createWithIl(cl, assemble(text)), "-g");
    CHECK(buildLog(program, cl.device).empty());
  }
  SECTION("but not a vector of files") {
    const std::string good = "DebugTypeVector %d_int 2", bad = "DebugTypeVector %file 2";
    text.replace(text.find(good), good.size(), bad);
    const Program program = buildIl(cl, createWithIl(cl, assemble(text)), "-g");
    CHECK_THAT(buildLog(program, cl.device), Catch::StartsWith("warning: the module's debug information is ignored: "));
    const Memory in = cl.buffer(std::vector<int>{1, 2, 3}), out = cl.buffer(std::vector<int>(3));
    cl.run(cl.kernel(program, "assigned"), {3}, {}, in, out, cl_int(2));
    CHECK(cl.read<int>(out) == std::vector<int>{101 + 2 + 7, 2 + 2 + 7, 3 + 2 + 7});
  }
}

TEST_CASE("SPIR-V kernels report their attributes and arguments", "[spirv]") {
  Session cl;
  Program program = buildIl(cl, "attributes");
  Kernel sized = cl.kernel(program, "sized"), grouped = cl.kernel(program, "grouped");
  size_t sizes[3] = {};
  check(clGetKernelWorkGroupInfo(sized, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, nullptr),
        "size");
  CHECK(std::vector<size_t>(sizes, sizes + 3) == std::vector<size_t>{8, 4, 1});
  size_t width = 0;
  check(clGetKernelSubGroupInfo(grouped, cl.device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr, sizeof width,
                                &width, nullptr),
        "sub-group size");
  CHECK(width == 8);
  Memory out = cl.buffer(std::vector<int>(1));
  for (const std::vector<size_t> &local : {std::vector<size_t>{24}, std::vector<size_t>{}}) {
    cl.write(out, std::vector<int>{0});
    cl.run(grouped, {48}, local, out);
    CHECK(cl.read<int>(out)[0] == 8);
  }
  size_t sub_groups = 0;
  check(clGetKernelSubGroupInfo(grouped, cl.device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, nullptr, sizeof sub_groups,
                                &sub_groups, nullptr),
        "sub-groups");
  CHECK(sub_groups == 3);
  const size_t global = 48, other = 16;
  CHECK(clEnqueueNDRangeKernel(cl.queue, grouped, 1, nullptr, &global, &other, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_GROUP_SIZE);
  char attributes[16] = "?";
  check(clGetKernelInfo(sized, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, nullptr), "attributes");
  CHECK(std::string(attributes).empty());

  cl_uint count = 0;
  check(clGetKernelInfo(sized, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), "arguments");
  CHECK(count == 3);
  CHECK(text(sized, 0, CL_KERNEL_ARG_NAME) == "floats");
  CHECK(text(sized, 0, CL_KERNEL_ARG_TYPE_NAME) == "float4*");
  CHECK(argument<cl_kernel_arg_address_qualifier>(sized, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_GLOBAL);
  CHECK(text(sized, 1, CL_KERNEL_ARG_NAME) == "count");
  CHECK(text(sized, 1, CL_KERNEL_ARG_TYPE_NAME) == "long");
  CHECK(argument<cl_kernel_arg_address_qualifier>(sized, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_PRIVATE);
  CHECK(argument<cl_kernel_arg_address_qualifier>(sized, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_LOCAL);
  CHECK(argument<cl_kernel_arg_access_qualifier>(sized, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
        CL_KERNEL_ARG_ACCESS_NONE);
}

TEST_CASE("a sub-group size that the device lacks is an error of the build", "[spirv]") {
  Session cl;
  SpirvModule module = moduleOf("attributes");
  for (size_t i = 5; i + 3 < module.size(); ++i) // finds OpExecutionMode %grouped SubgroupSize 8
    if (module[i] == (4u << 16 | 16u) && module[i + 2] == 35)
      module[i + 3] = 64;
  Program program = createWithIl(cl, module);
  CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK_THAT(buildLog(program), Catch::Contains("sub-group size of 64"));
}

TEST_CASE("atomics and barriers in SPIR-V", "[spirv]") {
  Session cl;
  Program program = buildIl(cl, "atomics");
  constexpr int kItems = 96, kLocal = 32;
  Memory counters = cl.buffer(std::vector<int>(3)), before = cl.buffer(std::vector<int>(kItems, -1));
  cl.run(cl.kernel(program, "count"), {kItems}, {kLocal}, counters, before);
  CHECK(cl.read<int>(counters) == std::vector<int>{2 * kItems, kItems - 1, kLocal});
  std::vector<int> seen = cl.read<int>(before);
  std::sort(seen.begin(), seen.end());
  for (int i = 0; i < kItems; ++i)
    CHECK(seen[i] == 2 * i);
}

TEST_CASE("Intel's sub-group instructions", "[spirv]") {
  Session cl;
  Program program = buildIl(cl, "subgroups");
  constexpr int kWidth = 16, kGroups = 3, kValues = 2 * kWidth * kGroups;
  Memory in = cl.buffer(counted(kValues, 1000)), out = cl.buffer(std::vector<int>(kValues));
  cl.run(cl.kernel(program, "exchange"), {kWidth * kGroups}, {kWidth * kGroups}, in, out);
  std::vector<int> expected(kValues);
  for (int group = 0; group < kGroups; ++group)
    for (int lane = 0; lane < kWidth; ++lane) {
      const int base = 2 * kWidth * group, first = 1000 + base;
      expected[base + lane] = first + (lane ^ 1);
      // Each lane gets the second value of the next lane. Lane 15 gets the first value of lane 0.
      expected[base + kWidth + lane] = lane + 1 < kWidth ? first + kWidth + lane + 1 : first;
    }
  CHECK(cl.read<int>(out) == expected);

  Memory numbers = cl.buffer(counted(kWidth)), sums = cl.buffer(std::vector<int>(kWidth));
  cl.run(cl.kernel(program, "sum"), {kWidth}, {kWidth}, numbers, sums);
  for (int lane = 0; lane < kWidth; ++lane)
    expected[lane] = kWidth * (kWidth - 1) / 2 - lane * (lane - 1) / 2;
  CHECK(cl.read<int>(sums) == std::vector<int>(expected.begin(), expected.begin() + kWidth));
}

TEST_CASE("non-uniform group instructions, and rotation", "[spirv]") {
  Session cl;
  constexpr int kWidth = 16;
  Memory out = cl.buffer(std::vector<int>(5 * kWidth));
  cl.run(cl.kernel(buildIl(cl, "nonuniform"), "votes"), {kWidth}, {kWidth}, out);
  std::vector<int> expected;
  for (int lane = 0; lane < kWidth; ++lane) {
    const int cluster = lane / 4 * 4;
    const std::vector<int> row{1, 5, (lane + 3) % kWidth, cluster + (lane + 1) % 4, 4 * cluster + 6};
    expected.insert(expected.end(), row.begin(), row.end());
  }
  CHECK(cl.read<int>(out) == expected);
}

TEST_CASE("dot products, bfloat16, prefetches and split barriers", "[spirv]") {
  Session cl;
  Memory out = cl.buffer(std::vector<int>(7));
  cl.run(cl.kernel(buildIl(cl, "numbers"), "numbers"), {1}, {1}, out);
  const auto signed_dot = [](std::vector<int> a, std::vector<int> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0);
  };
  const int ss = signed_dot({1, 2, 3, -2}, {3, -2, 1, 2}), uu = signed_dot({1, 2, 3, 254}, {3, 254, 1, 2}),
            su = signed_dot({1, 2, 3, -2}, {3, 254, 1, 2});
  constexpr int kRounded = 0x40490000; // 3.140625f
  CHECK(cl.read<int>(out) == std::vector<int>{ss, uu, su, ss, INT_MAX + ss, uu + 1, kRounded});
}

TEST_CASE("dot products are part of SPIR-V 1.6", "[spirv]") {
  Session cl;
  const std::string text = replaced(textOf("numbers"), {{"OpExtension \"SPV_KHR_integer_dot_product\"", ""}});
  Memory out = cl.buffer(std::vector<int>(7)), core = cl.buffer(std::vector<int>(7));
  cl.run(cl.kernel(buildIl(cl, "numbers"), "numbers"), {1}, {1}, out);
  cl.run(cl.kernel(buildIl(cl, createWithIl(cl, assemble(text, 6))), "numbers"), {1}, {1}, core);
  CHECK(cl.read<int>(core) == cl.read<int>(out));
}

TEST_CASE("bit fields, and dot products of any width", "[spirv]") {
  Session cl;
  const Program program = buildIl(cl, "bits");
  Memory fields = cl.buffer(std::vector<uint32_t>(6));
  cl.run(cl.kernel(program, "bits"), {1}, {1}, fields);
  CHECK(cl.read<uint32_t>(fields) ==
        std::vector<uint32_t>{0x84cfa6e1, 0xd5000000, 0x8765ab21, 0x00000032, 0x00000008, 0x0000000a});
  Memory sums = cl.buffer(std::vector<int64_t>(12));
  cl.run(cl.kernel(program, "widths"), {1}, {1}, sums);
  const std::vector<int> a{1, 2, 3, -2}, b{3, -2, 1, 2}, unsigned_a{1, 2, 3, 254}, unsigned_b{3, 254, 1, 2};
  const int64_t ss = std::inner_product(a.begin(), a.end(), b.begin(), 0),
                uu = std::inner_product(unsigned_a.begin(), unsigned_a.end(), unsigned_b.begin(), 0);
  CHECK(cl.read<int64_t>(sums) == std::vector<int64_t>{ss, ss, 4 * 4, 4 * -2 * 254, INT16_MAX, INT16_MIN, INT64_MAX,
                                                       uint8_t(uu), uu, UINT8_MAX, UINT16_MAX, -1});
}

TEST_CASE("atomics of floats, and clocks", "[spirv]") {
  Session cl;
  constexpr int kItems = 96, kLocal = 32;
  Memory floats = cl.buffer(std::vector<float>{0, 1000, -1000}),
         doubles = cl.buffer(std::vector<double>{0, 1000, -1000});
  constexpr uint16_t kMost = 0x7bff, kLeast = 0xfbff;
  Memory halfs = cl.buffer(std::vector<uint16_t>{0, kMost, kLeast, 0}), clocks = cl.buffer(std::vector<uint64_t>(4));
  cl.run(cl.kernel(buildIl(cl, "float_atomics"), "gather"), {kItems}, {kLocal}, floats, doubles, halfs, clocks);
  CHECK(cl.read<float>(floats) == std::vector<float>{kItems, 0, kItems - 1});
  CHECK(cl.read<double>(doubles) == std::vector<double>{kItems, 0, kItems - 1});
  CHECK(cl.read<uint16_t>(halfs) == std::vector<uint16_t>{0x5600, 0, 0x55f0, 0x5400}); // 96, 0, 95, 64
  const auto times = cl.read<uint64_t>(clocks);
  CHECK((times[0] > 0 && times[0] < uint64_t(1) << 40));
  CHECK((times[2] << 32 | times[1]) < times[3]);
  CHECK(times[3] - (times[2] << 32 | times[1]) < uint64_t(1) << 40);
}

TEST_CASE("hints of extensions change no result", "[spirv]") {
  Session cl;
  SpirvModule module = moduleOf("hints");
  // Assemblers may be too old for these instructions. They are inserted as words, after the capabilities and before the
  // names.
  const auto insert = [&](uint32_t before, std::vector<uint32_t> words) {
    size_t place = 5;
    while ((module[place] & 0xffff) != before)
      place += module[place] >> 16;
    words[0] |= uint32_t(words.size()) << 16;
    module.insert(module.begin() + ptrdiff_t(place), words.begin(), words.end());
  };
  constexpr uint32_t kCapability = 17, kExtension = 10, kMode = 16, kName = 5, kDecorate = 71;
  const auto numberOf = [&](uint32_t instruction, size_t operand) {
    size_t place = 5;
    while ((module[place] & 0xffff) != instruction)
      place += module[place] >> 16;
    return module[place + operand];
  };
  const uint32_t kernel = numberOf(kMode, 1), variable = numberOf(kDecorate, 1);
  for (uint32_t capability : {6441u /* CacheControlsINTEL */, 6460u /* RegisterLimitsINTEL */, 6169u /* FPMaxError */,
                              6187u /* GlobalVariableHostAccessINTEL */})
    insert(kExtension, {kCapability, capability});
  insert(kName, {kMode, kernel, 6461 /* MaximumRegistersINTEL */, 128});
  insert(kName, {kMode, kernel, 6463 /* NamedMaximumRegistersINTEL */, 0});
  insert(kDecorate, {kDecorate, variable, 6442 /* CacheControlLoadINTEL */, 0, 1});
  insert(kDecorate, {kDecorate, variable, 6443 /* CacheControlStoreINTEL */, 0, 1});
  insert(kDecorate, {kDecorate, variable, 6170 /* FPMaxErrorDecorationINTEL */, 0x40000000});
  insert(kDecorate, {kDecorate, variable, 6188 /* HostAccessINTEL */, 0, 0x78 /* "x" */});
  for (unsigned minor : {1, 3, 6}) {
    module[1] = 1 << 16 | minor << 8;
    const Kernel hints = cl.kernel(buildIl(cl, createWithIl(cl, module)), "hints");
    Memory in = cl.buffer(counted(50)), out = cl.buffer(std::vector<int>(50));
    cl.run(hints, {50}, {}, in, out);
    std::vector<int> want;
    for (int i = 0; i < 50; ++i)
      want.push_back(4 * i / 2 + i);
    CHECK(cl.read<int>(out) == want);
  }
}

TEST_CASE("output of compilers that is not quite valid SPIR-V is accepted", "[spirv]") {
  Session cl;
  Memory out = cl.buffer(std::vector<int>(8));
  cl.run(cl.kernel(buildIl(cl, "loose"), "loose"), {8}, {}, out);
  // Each round of the outer loop adds 2 in the first of two inner rounds, and then 1.
  std::vector<int> want;
  for (int n = 0; n < 8; ++n)
    want.push_back(3 * n + 2 * n);
  CHECK(cl.read<int>(out) == want);
}

TEST_CASE("SPIR-V from Clang and from later translators is accepted", "[spirv]") {
  Session cl;
  for (unsigned minor : {0u, 4u, 6u}) {
    CAPTURE(minor);
    const Program program = buildIl(cl, createWithIl(cl, assemble(textOf("clang"), minor)));
    std::vector<float> values(4 * 8, 0.25f), want;
    const Memory p = cl.buffer(values), q = cl.buffer(std::vector<int>{0, 5, 2, 7, 4, 1, 6, 0});
    cl.run(cl.kernel(program, "clang"), {8}, {}, p, q);
    for (int i = 0; i < 8; ++i)
      want.insert(want.end(), 4, std::max(0.25f * float(1 << i), 3.0f));
    CHECK(cl.read<float>(p) == want);
    CHECK(cl.read<int>(q) == std::vector<int>{9, 5, 9, 7, 9, 1, 9, 0});
  }
}

TEST_CASE("built-in variables are read through pointers of other types", "[spirv]") {
  Session cl;
  const std::vector<size_t> size{4, 3, 2};
  for (cl_ulong dimension = 0; dimension < 3; ++dimension) {
    CAPTURE(dimension);
    Memory out = cl.buffer(std::vector<cl_ulong>(24));
    cl.run(cl.kernel(buildIl(cl, "builtins"), "builtins"), size, {}, out, dimension);
    std::vector<cl_ulong> want;
    for (cl_ulong z = 0; z < size[2]; ++z)
      for (cl_ulong y = 0; y < size[1]; ++y)
        for (cl_ulong x = 0; x < size[0]; ++x)
          want.push_back(x + 10 * y + 100 * z + 1000 * size[dimension] + 100000 * x);
    CHECK(cl.read<cl_ulong>(out) == want);
  }
}

TEST_CASE("a pointer to a built-in variable that is not loaded from is an error of the build", "[spirv]") {
  Session cl;
  std::string text = textOf("builtins");
  const std::string load = "%x = OpLoad %ulong %first Aligned 8";
  const auto log = [&](const std::string &instead) {
    std::string changed = text;
    changed.replace(changed.find(load), load.size(), instead + "\n%x = OpCopyObject %ulong %ulong_0");
    return refusalOf(cl, assemble(changed));
  };
  CHECK(log("") == "");
  CHECK_THAT(log("%number = OpConvertPtrToU %ulong %first"), Catch::Contains("OpConvertPtrToU (117)"));
  CHECK_THAT(log("%chosen = OpSelect %_ptr_CrossWorkgroup_ulong %true %first %first"),
             Catch::Contains("OpSelect (169)"));
  CHECK_THAT(log("%behind = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %first %ulong_4\n%n = OpLoad %ulong "
                 "%behind Aligned 8"),
             Catch::Contains("OpLoad (61)"));
}

TEST_CASE("constructs that Clang's SPIR-V writer emits for LLVM's sake are accepted", "[spirv]") {
  Session cl;
  const char *options = GENERATE("", "-g"); // with the debug lines of the disassembly
  constexpr unsigned kFives = 0x05050500;
  Memory out = cl.buffer(std::vector<unsigned>(8));
  cl.run(cl.kernel(buildIl(cl, "backend", options), "backend"), {8}, {}, out);
  std::vector<unsigned> want;
  for (int i = 0; i < 2; ++i)
    for (unsigned number : {10u, 20u, 20u, 30u})
      want.push_back(kFives + number);
  CHECK(cl.read<unsigned>(out) == want);
}

TEST_CASE("meaningless operands are errors of the build, which name the instruction", "[spirv]") {
  Session cl;
  const auto log = [&](const std::string &instruction) {
    const std::string text = R"(
               OpCapability Linkage
               OpCapability Vector16
               OpCapability SubgroupBufferBlockIOINTEL
               OpExtension "SPV_INTEL_subgroups"
       %type = OpTypeFunction %void %uint %_ptr_CrossWorkgroup_uint %_ptr_CrossWorkgroup_ushort
          %f = OpFunction %void None %type
          %n = OpFunctionParameter %uint
          %p = OpFunctionParameter %_ptr_CrossWorkgroup_uint
          %s = OpFunctionParameter %_ptr_CrossWorkgroup_ushort
          %b = OpLabel
)" + instruction + "\nOpReturn\nOpFunctionEnd\n";
    return refusalOf(cl, assemble(text));
  };
  CHECK(log("OpControlBarrier %uint_2 %uint_2 %uint_16\nOpAtomicStore %p %uint_1 %uint_16 %uint_1") == "");
  CHECK_THAT(log("OpControlBarrier %n %uint_2 %uint_16"), Catch::Contains("OpControlBarrier (224)"));
  CHECK_THAT(log("OpMemoryBarrier %uint_2 %n"), Catch::Contains("OpMemoryBarrier (225)"));
  CHECK_THAT(log("OpAtomicStore %p %uint_1 %uint_1 %uint_1"), Catch::Contains("OpAtomicStore (228)"));
  CHECK_THAT(log("%r = OpAtomicLoad %uint %p %uint_1 %uint_1"), Catch::Contains("OpAtomicLoad (227)"));
  CHECK_THAT(log("%r = OpAtomicCompareExchange %uint %p %uint_1 %uint_16 %uint_1 %uint_1 %uint_1"),
             Catch::Contains("OpAtomicCompareExchange (230)"));
  CHECK_THAT(log("%r = OpSubgroupBlockReadINTEL %v16ushort %s"), Catch::Contains("OpSubgroupBlockReadINTEL (5575)"));
}

TEST_CASE("vectors are loaded from and stored to arrays, and addresses are numbers", "[spirv]") {
  Session cl;
  Memory out = cl.buffer(std::vector<unsigned>(4));
  cl.run(cl.kernel(buildIl(cl, "arrays"), "arrays"), {4}, {}, out);
  CHECK(cl.read<unsigned>(out) == std::vector<unsigned>{14, 15, 16, 17});
}

TEST_CASE("what the translator does not understand is an error of the build, which names it", "[spirv]") {
  Session cl;
  SECTION("an instruction") {
    const std::string text = around("OpCapability ImageBasic\nOpCapability LiteralSampler") +
                             "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n%sampler = OpTypeSampler\n"
                             "%both = OpTypeSampledImage %image\n%nearest = OpConstantSampler %sampler None 0 Nearest\n"
                             "%type = OpTypeFunction %void %image\n%f = OpFunction %void None %type\n"
                             "%i = OpFunctionParameter %image\n%entry = OpLabel\n"
                             "%sampled = OpSampledImage %both %i %nearest\n%again = OpImage %image %sampled\n"
                             "OpReturn\nOpFunctionEnd\n";
    CHECK_THAT(refusalOf(cl, assemble(text)), Catch::Contains("instruction OpImage (100)"));
  }
  SECTION("a function of LLVM's") {
    const std::string text = R"(
               OpCapability Linkage
               OpDecorate %f LinkageAttributes "f" Export
               OpDecorate %add LinkageAttributes "llvm.uadd.with.overflow.i32" Import
       %pair = OpTypeStruct %uint %bool
       %type = OpTypeFunction %pair %uint %uint
        %add = OpFunction %pair Pure %type
          %a = OpFunctionParameter %uint
          %b = OpFunctionParameter %uint
               OpFunctionEnd
          %f = OpFunction %pair None %type
          %c = OpFunctionParameter %uint
          %d = OpFunctionParameter %uint
      %entry = OpLabel
        %sum = OpFunctionCall %pair %add %c %d
               OpReturnValue %sum
               OpFunctionEnd
)";
    CHECK_THAT(refusalOf(cl, assemble(text)), Catch::Contains("function llvm.uadd.with.overflow.i32"));
  }
  SECTION("the value of a variable") {
    const std::string text = R"(
               OpCapability Linkage
      %array = OpTypeArray %uint %ulong_4
     %arrays = OpTypePointer CrossWorkgroup %array
     %places = OpTypePointer CrossWorkgroup %_ptr_CrossWorkgroup_uchar
       %none = OpConstantNull %array
      %whole = OpVariable %arrays CrossWorkgroup %none
       %part = OpSpecConstantOp %_ptr_CrossWorkgroup_uchar InBoundsPtrAccessChain %whole %ulong_0 %ulong_4
      %place = OpVariable %places CrossWorkgroup %part
)";
    CHECK_THAT(refusalOf(cl, assemble(text)), Catch::Contains("OpSpecConstantOp with OpInBoundsPtrAccessChain (70)"));
  }
}

TEST_CASE("structures are loaded and stored whole, and components of vectors in them are exchanged", "[spirv]") {
  struct Outer {
    cl_int pair[2], number;
    char letter, rest[3];
  };
  Session cl;
  std::vector<Outer> values(20), nothing(20);
  for (int i = 0; i < 20; ++i)
    values[i] = {{i, -i}, 1000 * i, char('a' + i), {}};
  Memory in = cl.buffer(values), out = cl.buffer(nothing);
  const Program program = buildIl(cl, "structures");
  const auto areResult = [&](const char *kernel) {
    cl.run(cl.kernel(program, kernel), {20}, {}, in, out);
    const auto results = cl.read<Outer>(out);
    return std::memcmp(results.data(), values.data(), sizeof(Outer) * values.size()) == 0;
  };
  CHECK(areResult("copy"));
  for (Outer &value : values)
    std::swap(value.pair[0], value.pair[1]);
  CHECK(areResult("swap"));
}

TEST_CASE("additions of later SPIR-V versions", "[spirv]") {
  constexpr int kItems = 37;
  Session cl;
  Program program = buildIl(cl, createWithIl(cl, moduleOf("later", 6)));
  const auto check = [&](const char *kernel, int (*want)(int item)) {
    INFO(kernel);
    Memory out = cl.buffer(std::vector<int>(kItems, -1));
    cl.run(cl.kernel(program, kernel), {kItems}, {}, out);
    std::vector<int> expected;
    for (int item = 0; item < kItems; ++item)
      expected.push_back(want(item));
    CHECK(cl.read<int>(out) == expected);
  };
  check("aggregates", [](int item) { return item % 2 == 0 ? 7 + 3 + 7 + 10 : 2 + 10 + 1 + 10; });
  check("pointers", [](int item) { return 2 * item + (item == 0 ? 7 : 1); });
  check("copies", [](int) { return 7; });
  check("loops", [](int item) { return 7 * item; });
  check("vectors", [](int item) { return (item % 2 == 0 ? 20 : 70) + item; });
}

TEST_CASE("images, samplers and events in SPIR-V", "[spirv]") {
  Session cl;
  Program program = buildIl(cl, "images");
  const cl_image_format floats{CL_RGBA, CL_FLOAT};
  const Extent extent{8, 4, 1};
  std::vector<float> content(8 * 4 * 4);
  std::iota(content.begin(), content.end(), 0.5f);
  Memory in = makeImage(cl, floats, CL_MEM_OBJECT_IMAGE2D, extent, content);
  Sampler sampler = makeSampler(cl, false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  const auto fresh = [&] {
    return makeImage(cl, floats, CL_MEM_OBJECT_IMAGE2D, extent, std::vector<float>(content.size()));
  };
  Memory out = fresh();
  cl.run(cl.kernel(program, "copy"), {8, 4}, {}, in, out, sampler.get());
  CHECK(readImage<float>(cl, out, extent) == content);
  out = fresh();
  cl.run(cl.kernel(program, "literal"), {8, 4}, {}, in, out);
  CHECK(readImage<float>(cl, out, extent) == content);
  Kernel copy = cl.kernel(program, "copy");
  CHECK(text(copy, 0, CL_KERNEL_ARG_TYPE_NAME) == "image2d_t");
  CHECK(argument<cl_kernel_arg_access_qualifier>(copy, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
        CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(argument<cl_kernel_arg_access_qualifier>(copy, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
        CL_KERNEL_ARG_ACCESS_WRITE_ONLY);

  Memory numbers = cl.buffer(counted(16, 7)), copied = cl.buffer(std::vector<int>(16));
  cl.run(cl.kernel(program, "staged"), {16}, {16}, numbers, copied, Local{64});
  CHECK(cl.read<int>(copied) == counted(16, 7));
}

// OpenCL 3.1 allows image operands when an image is written. The image's own type decides, whatever they say.
TEST_CASE("integers are written to images as signed and as unsigned ones", "[spirv]") {
  Session cl;
  const char *text = R"(
               OpCapability ImageBasic
               OpCapability Image1D
               OpEntryPoint Kernel %k "k" %GlobalInvocationId
      %image = OpTypeImage %void 1D 0 0 0 0 Unknown WriteOnly
   %function = OpTypeFunction %void %image
        %low = OpConstant %uint 4294967293
          %k = OpFunction %void None %function
        %out = OpFunctionParameter %image
      %entry = OpLabel
        %ids = OpLoad %v3ulong %GlobalInvocationId Aligned 32
         %id = OpCompositeExtract %ulong %ids 0
          %x = OpUConvert %uint %id
        %sum = OpIAdd %uint %x %low
      %color = OpCompositeConstruct %v4uint %sum %x %low %x
               OpImageWrite %out %x %color OPERANDS
               OpReturn
               OpFunctionEnd
)";
  constexpr cl_image_format kSigned{CL_RGBA, CL_SIGNED_INT8}, kUnsigned{CL_RGBA, CL_UNSIGNED_INT8};
  struct Form {
    const char *operands;
    unsigned minor;
  };
  for (const auto &[operands, minor] :
       {Form{"", 0}, Form{"", 3}, Form{"", 6}, Form{"SignExtend", 4}, Form{"ZeroExtend", 4},
        Form{"SignExtend|Nontemporal", 6}, Form{"ZeroExtend|Nontemporal", 6}}) {
    const Program program = buildIl(cl, createWithIl(cl, assemble(replaced(text, {{"OPERANDS", operands}}), minor)));
    for (const bool is_signed : {false, true}) {
      std::vector<int> want, got;
      for (int x = 0; x < 8; ++x)
        for (int value : {x - 3, x, -3, x})
          want.push_back(is_signed ? value : value < 0 ? 255 : value); // as uint, they saturate
      Memory image =
          makeImage(cl, is_signed ? kSigned : kUnsigned, CL_MEM_OBJECT_IMAGE1D, {8, 1, 1}, std::vector<int8_t>(32));
      cl.run(cl.kernel(program, "k"), {8}, {}, image);
      for (const int8_t byte : readImage<int8_t>(cl, image, {8, 1, 1}))
        got.push_back(is_signed ? byte : uint8_t(byte));
      INFO("1." << minor << " " << operands << (is_signed ? ", signed image" : ", unsigned image"));
      CHECK(got == want);
    }
  }
}

// CTest runs this with LANECL_SPIRV_TRANSLATOR naming a program that does not exist.
TEST_CASE("without a translator the device accepts no intermediate language", "[spirv-none]") {
  std::string message;
  const auto notify = [](const char *text, const void *, size_t, void *data) {
    *static_cast<std::string *>(data) += text;
  };
  cl_device_id device = laneclDevice();
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &device, notify, &message, &error));
  REQUIRE(error == CL_SUCCESS);
  char version[64] = "unset";
  CHECK(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof version, version, nullptr) == CL_SUCCESS);
  CHECK(std::string(version).empty());
  size_t size = 1;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == 0);
  CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size) == CL_SUCCESS);
  std::string extensions(size, 0);
  CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions.data(), nullptr) == CL_SUCCESS);
  CHECK_THAT(extensions, !Catch::Contains("cl_khr_il_program") && !Catch::Contains("cl_khr_spirv_queries"));
  CHECK(clGetDeviceInfo(device, 0x12BA /* CL_DEVICE_SPIRV_EXTENSIONS_KHR */, 0, nullptr, &size) == CL_INVALID_VALUE);

  // OpenCL 3.1 requires an intermediate language of a device, but not of a platform or of OpenCL C.
  CHECK(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, nullptr) == CL_SUCCESS);
  CHECK_THAT(version, Catch::StartsWith("OpenCL 3.0 LaneCL"));
  cl_version number = 0;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_NUMERIC_VERSION, sizeof number, &number, nullptr) == CL_SUCCESS);
  CHECK(number == CL_MAKE_VERSION(3, 0, 0));
  CHECK(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_VERSION, sizeof version, version, nullptr) == CL_SUCCESS);
  CHECK_THAT(version, Catch::StartsWith("OpenCL 3.1 LaneCL"));
  CHECK(deviceList<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS).back().version == CL_MAKE_VERSION(3, 1, 0));

  const SpirvModule module = moduleOf("fill");
  CHECK(clCreateProgramWithIL(context, module.data(), module.size() * sizeof module[0], &error) == nullptr);
  CHECK(error == CL_INVALID_OPERATION);
  CHECK_THAT(message, Catch::Contains(std::getenv("LANECL_SPIRV_TRANSLATOR")));
}

// CTest runs this with LANECL_SPIRV_TRANSLATOR naming a program that does something else.
TEST_CASE("a translator that does not work is an error of the build", "[spirv-translator]") {
  Session cl;
  Program program = createWithIl(cl, moduleOf("fill"));
  CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK_THAT(buildLog(program), Catch::Contains(std::getenv("LANECL_SPIRV_TRANSLATOR")));
  CHECK(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_COMPILE_PROGRAM_FAILURE);
}

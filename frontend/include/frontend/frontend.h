// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The public interface of the frontend: compiles OpenCL C and SPIR-V to bitcode, and describes the kernels of the
// result. This header includes neither LLVM nor Clang nor OpenCL.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanecl::frontend {

class DiskCache; // frontend/disk_cache.h

enum class AddressQualifier { Private, Global, Constant, Local };
enum class AccessQualifier { None, ReadOnly, WriteOnly, ReadWrite };
enum class ImageShape { None, Image1D, Image1DBuffer, Image1DArray, Image2D, Image2DArray, Image3D };
enum class ArgumentKind { Value, GlobalPointer, ConstantPointer, LocalPointer, Image, Sampler, Pipe };

// A kernel argument, as clGetKernelArgInfo (OpenCL API, section "Kernel Object Queries") and launches need it.
struct ArgumentInfo {
  std::string name;      // as written in the source
  std::string type_name; // as clGetKernelArgInfo returns it, for example "float4*"
  ArgumentKind kind = ArgumentKind::Value;
  AddressQualifier address = AddressQualifier::Private;
  AccessQualifier access = AccessQualifier::None;
  ImageShape image = ImageShape::None;
  bool is_depth_image = false;
  bool is_const = false, is_restrict = false, is_volatile = false, is_pipe = false;
  // For a pointer to global or constant memory: whether the kernel has an instruction that reads, writes or atomically
  // updates the memory that it points to.
  bool is_read = false, is_written = false, is_updated = false; // updated: by an atomic operation, as atomic_fetch_add
  // Bytes that clSetKernelArg must give: the size of the value; 8 for pointers, images, samplers and pipes.
  uint32_t size = 0;
  // Alignment of the value in the packed argument block (vectorizer/contract/abi.h), in bytes; 8 for pointers.
  uint32_t alignment = 0;
};

// A kernel, as clGetKernelInfo, clGetKernelWorkGroupInfo and launches need it.
struct KernelInfo {
  std::string name;
  std::string attributes; // CL_KERNEL_ATTRIBUTES: attributes as the source spells them, separated by spaces
  std::vector<ArgumentInfo> arguments;
  std::array<uint64_t, 3> required_work_group_size{0, 0, 0}; // zeros: none
  std::array<uint64_t, 3> work_group_size_hint{0, 0, 0};
  std::string vec_type_hint;            // for example "float4", empty: none
  unsigned required_sub_group_size = 0; // 0: none
  uint64_t required_sub_groups = 0;     // number of sub-groups in a work-group; 0: none
  bool queries_sub_groups = false;      // calls get_sub_group_id() or get_num_sub_groups()
  // Whether a work-item can find out how wide sub-groups are, and how work-items are grouped into work-groups. Where it
  // cannot, only its global id tells it from other work-items, and both sizes may be chosen anew for each launch.
  bool sees_sub_groups = true, sees_work_groups = true;
  unsigned widest_vector = 1; // components of the widest vector that the kernel computes with
  uint64_t local_bytes = 0;   // bytes of __local variables, including those of called functions
  uint64_t private_bytes = 0; // bytes of one work-item's private variables that need memory (arrays)
};

// The largest size in bytes of one program scope variable (CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE).
inline constexpr uint64_t kMaxVariableBytes = uint64_t{64} << 20;

// The program scope variables in global memory, laid out as one block with its initial contents.
struct ProgramVariables {
  // An address inside the block: the 8 bytes at offset `at` hold the address of the byte at offset `target`.
  struct Address {
    uint64_t at;     // offset of the pointer
    uint64_t target; // offset of what it points to
  };
  // Size and alignment of the block in bytes.
  uint64_t bytes = 0, alignment = 1;
  std::string initial; // the first bytes of the block; the rest is zero
  std::vector<Address> addresses;
};

// The name of the generated kernel that constructs program scope variables (C++ for OpenCL). One work-item runs it
// before any other kernel of the program.
inline constexpr const char *kConstructor = "__lanecl_construct";
// The name of the generated kernel that destroys the constructed variables. One work-item runs it after all other
// kernels.
inline constexpr const char *kDestructor = "__lanecl_destruct";

// The kernels and variables of an executable.
struct ProgramInfo {
  std::vector<KernelInfo> kernels; // in source order, without constructor and destructor
  ProgramVariables variables;      // launches find them through abi::LaunchInfo::variables
  bool has_constructor = false, has_destructor = false;
};

// The features of the device. They decide which macros are predefined and which options are legal.
struct LanguageTraits {
  std::vector<std::string> extensions;                     // "cl_khr_fp64", …: enabled and predefined as macros
  std::vector<std::string> features;                       // "__opencl_c_subgroups", …
  unsigned newest_opencl_c = 310;                          // newest version of -cl-std, as __OPENCL_C_VERSION__
  std::vector<std::pair<std::string, std::string>> macros; // further predefined macros: name and value
  // The folder that holds LaneCL's headers (lanecl-c.h) and, when installed, Clang's opencl-c.h.
  std::string resource_directory;
  // The path of the built-in library's bitcode. link() accepts calls of the functions that the library defines. If it
  // is empty, link() accepts calls of every function with a mangled name.
  std::string builtins_path;
  // Extensions and features that SPIR-V modules may use although the device lists them nowhere.
  std::vector<std::string> unlisted;
  // The only sub-group size for which functions that multiply matrices are declared; 0: every size that they exist for.
  unsigned matrix_sub_group = 0;
  bool declares_sub_groups = false; // SPIR-V may use sub-groups without declaring their extension and capabilities
  std::string spirv_translator;     // path of llvm-spirv of LLVM 15
  std::string clang_module;         // path of lanecl-clang.so; unused when Clang is linked in
  // Called once Clang has been loaded. Handlers that must run before Clang's destructors at exit() are registered then.
  void (*clang_loaded)() = nullptr;
  std::vector<unsigned> sub_group_sizes{8, 16, 32}; // the sizes that intel_reqd_sub_group_size may ask for
  std::string added_options; // appended to the options of every program that is compiled, such as " -g"
  // Whether SPIR-V without debug information gets the lines of its disassembly even without -g.
  bool wants_lines = false;
  // Keeps precompiled headers, compiled programs and the sources of programs built with -g; null: nothing is kept. Its
  // writer (DiskCache::Settings::writer) identifies the compiler.
  std::shared_ptr<DiskCache> cache;
};

enum class ModuleKind { Object, Library, Executable };

// A compiled or linked program: bitcode for the triple spir64-unknown-unknown. Immutable and cheap to copy.
struct Module {
  ModuleKind kind = ModuleKind::Object;
  std::shared_ptr<const std::string> bitcode;
  // Set for an executable that was linked in this process. Frontend::describe() also describes executables that were
  // read from binaries.
  std::shared_ptr<const ProgramInfo> info;
  std::string options;  // the build options that it was made with
  bool debug = false;   // -g was given
  bool optimize = true; // false: -cl-opt-disable
  // Whether the global size need not be a multiple of the local size. The language version and the options decide.
  bool non_uniform_work_groups = false;
  explicit operator bool() const { return bitcode != nullptr; }
};

// A header as clCompileProgram takes it (`input_headers`).
struct Header {
  std::string name; // as in #include "name"
  std::string source;
};

// Values of a SPIR-V module's specialization constants by their SpecId, each as the bytes of its type.
using SpecializationValues = std::map<uint32_t, std::string>;

// InvalidOptions: an option is unknown or its value illegal. Failure: the source, module or link has errors.
enum class Status { Success, InvalidOptions, Failure };

// The result of a compilation or link. `module` is empty unless `status` is Success.
struct CompileOutput {
  Status status = Status::Failure;
  std::string log; // diagnostics as Clang prints them, warnings included
  Module module;
};

// Compiles and links programs for one device. All functions are thread-safe.
class Frontend {
public:
  explicit Frontend(LanguageTraits traits);
  ~Frontend();

  // Compiles one source text to an object (clCompileProgram; OpenCL API, "Separate Compilation and Linking of
  // Programs"). `options` may hold every option of clBuildProgram that concerns compilation.
  CompileOutput compile(const std::string &source, const std::string &options, const std::vector<Header> &headers);
  // Compiles a SPIR-V module to an object. examineSpirv() (frontend/spirv.h) must not have called the module invalid.
  CompileOutput compileSpirv(const std::string &module, const std::string &options, const SpecializationValues &values);
  // Links objects and libraries to an executable, or to a library with -create-library (clLinkProgram).
  CompileOutput link(const std::vector<Module> &inputs, const std::string &options);
  // Compile and link in one step (clBuildProgram).
  CompileOutput build(const std::string &source, const std::string &options);
  CompileOutput buildSpirv(const std::string &module, const std::string &options, const SpecializationValues &values);

  // Writes the precompiled headers of the most used languages into the resource folder, where every Frontend finds
  // them. LaneCL's own build calls this. Returns false with the reason in `error`.
  bool precompile(std::string &error);

  // Returns the kernels and variables of an executable, or null with the reason in `error` when the module is broken.
  static std::shared_ptr<const ProgramInfo> describe(const Module &module, std::string &error);

  // Writes and reads program binaries (CL_PROGRAM_BINARIES): a magic number, a checksum and the fields of a Module. The
  // version consists of the format's number and LLVM's, such as "3.22". deserialize() refuses damaged binaries and
  // those of another version, with the reason in `error`.
  static std::string binaryVersion();
  static std::string serialize(const Module &module);
  static bool deserialize(std::string_view binary, Module &module, std::string &error);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::frontend

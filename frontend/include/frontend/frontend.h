// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL C and SPIR-V to bitcode, and what the compiler learned about the kernels. No LLVM, no Clang, no OpenCL in this
// header.
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

struct ArgumentInfo {
  std::string name;      // as written in the source
  std::string type_name; // as clGetKernelArgInfo returns it, for example "float4*"
  ArgumentKind kind = ArgumentKind::Value;
  AddressQualifier address = AddressQualifier::Private;
  AccessQualifier access = AccessQualifier::None;
  ImageShape image = ImageShape::None;
  bool is_depth_image = false;
  bool is_const = false, is_restrict = false, is_volatile = false, is_pipe = false;
  // Of a pointer to global or constant memory: the kernel has an instruction that does this to what it points to.
  bool is_read = false, is_written = false, is_updated = false; // updated: by atomic operations
  uint32_t size = 0;      // bytes clSetKernelArg must give: of the value; 8 for pointers, images, samplers and pipes
  uint32_t alignment = 0; // of the value in the packed block (vectorizer/contract/abi.h); pointers 8
};

struct KernelInfo {
  std::string name;
  std::string attributes; // CL_KERNEL_ATTRIBUTES: attributes in the source's spelling, separated by a space
  std::vector<ArgumentInfo> arguments;
  std::array<uint64_t, 3> required_work_group_size{0, 0, 0}; // zeros: none
  std::array<uint64_t, 3> work_group_size_hint{0, 0, 0};
  std::string vec_type_hint;            // for example "float4", empty: none
  unsigned required_sub_group_size = 0; // 0: none
  uint64_t required_sub_groups = 0;     // of a work-group; 0: none
  bool queries_sub_groups = false;      // calls get_sub_group_id() or get_num_sub_groups()
  // Whether a work-item may find out how wide sub-groups are, and how work-items are put together in work-groups.
  // False: only its global id tells it from others, so both may be chosen anew for each launch.
  bool sees_sub_groups = true, sees_work_groups = true;
  unsigned widest_vector = 1; // components of the widest vector that it computes
  uint64_t local_bytes = 0;   // __local variables, those of called functions included
  uint64_t private_bytes = 0; // private variables of one work-item that need memory (arrays)
};

inline constexpr uint64_t kMaxVariableBytes = uint64_t{64} << 20; // of one program scope variable

// The program scope variables in global memory, as one block, with its initial contents.
struct ProgramVariables {
  struct Address {
    uint64_t at;     // here the block holds 8 bytes:
    uint64_t target; // the address of this place in the block
  };
  uint64_t bytes = 0, alignment = 1;
  std::string initial; // its first bytes; the rest is zero
  std::vector<Address> addresses;
};

// The kernel that constructs program scope variables; one work-item runs it before anything else in the program.
inline constexpr const char *kConstructor = "__lanecl_construct";
// The kernel that destroys what has been constructed; one work-item runs it after everything else.
inline constexpr const char *kDestructor = "__lanecl_destruct";

struct ProgramInfo {
  std::vector<KernelInfo> kernels; // in source order, without those two
  ProgramVariables variables;      // where launches find them: abi::LaunchInfo::variables
  bool has_constructor = false, has_destructor = false;
};

// The features of the device; they decide the predefined macros and which options are legal.
struct LanguageTraits {
  std::vector<std::string> extensions;                     // "cl_khr_fp64", …: enabled and predefined as macros
  std::vector<std::string> features;                       // "__opencl_c_subgroups", …
  unsigned newest_opencl_c = 310;                          // of -cl-std, as __OPENCL_C_VERSION__
  std::vector<std::pair<std::string, std::string>> macros; // further macros, name and value
  std::string resource_directory; // headers of ours (lanecl-c.h) and, when installed, Clang's opencl-c.h
  // The built-in library: link() accepts the functions it defines. Empty: it accepts every mangled name.
  std::string builtins_path;
  std::vector<std::string> unlisted; // extensions and features that SPIR-V may use though no list has them
  unsigned matrix_sub_group = 0;     // the one size of sub-groups that multiply matrices; 0: all for which that exists
  bool declares_sub_groups = false;  // SPIR-V may use sub-groups without declaring their extension and capabilities
  std::string spirv_translator;      // the path of llvm-spirv of LLVM 15
  std::string clang_module;          // the path of lanecl-clang.so; unused when Clang is linked in
  // Called once Clang has been loaded: what must come before its destructors at exit() is to be registered then.
  void (*clang_loaded)() = nullptr;
  std::vector<unsigned> sub_group_sizes{8, 16, 32}; // what intel_reqd_sub_group_size may ask for
  std::string added_options;                        // to those of every program that is compiled, as " -g"
  bool wants_lines = false; // without -g, too, SPIR-V that has no debug information gets the lines of its disassembly
  // For precompiled headers, compiled programs, sources of -g; null: none. Its writer identifies the compiler.
  std::shared_ptr<DiskCache> cache;
};

enum class ModuleKind { Object, Library, Executable };

// A compiled or linked program: bitcode of the triple spir64-unknown-unknown. Immutable, cheap to copy.
struct Module {
  ModuleKind kind = ModuleKind::Object;
  std::shared_ptr<const std::string> bitcode;
  // Of an executable that was linked here; Frontend::describe() also reads those of binaries.
  std::shared_ptr<const ProgramInfo> info;
  std::string options;  // the build options it was made with
  bool debug = false;   // -g was given
  bool optimize = true; // false: -cl-opt-disable
  // Whether the global size need not be a multiple of the local size: the language and the options say so.
  bool non_uniform_work_groups = false;
  explicit operator bool() const { return bitcode != nullptr; }
};

struct Header {
  std::string name; // as in #include "name"
  std::string source;
};

// Values of a SPIR-V module's specialization constants by their numbers, in the bytes of their types.
using SpecializationValues = std::map<uint32_t, std::string>;

enum class Status { Success, InvalidOptions, Failure };

struct CompileOutput {
  Status status = Status::Failure;
  std::string log; // diagnostics as Clang prints them, warnings included
  Module module;
};

// Thread-safe. One instance per device.
class Frontend {
public:
  explicit Frontend(LanguageTraits traits);
  ~Frontend();

  // One source to an object (clCompileProgram). Knows every option of clBuildProgram's compile half.
  CompileOutput compile(const std::string &source, const std::string &options, const std::vector<Header> &headers);
  // The same for SPIR-V that examineSpirv() does not call invalid (frontend/spirv.h).
  CompileOutput compileSpirv(const std::string &module, const std::string &options, const SpecializationValues &values);
  // Objects and libraries to an executable, or to a library with -create-library (clLinkProgram).
  CompileOutput link(const std::vector<Module> &inputs, const std::string &options);
  // compile and link in one step (clBuildProgram).
  CompileOutput build(const std::string &source, const std::string &options);
  CompileOutput buildSpirv(const std::string &module, const std::string &options, const SpecializationValues &values);

  // Writes the precompiled headers of the usual languages into the resource folder, where every frontend finds them.
  // For the build of LaneCL. False with the reason.
  bool precompile(std::string &error);

  // The kernels and variables of an executable. Null with a reason in `error` when the module is broken.
  static std::shared_ptr<const ProgramInfo> describe(const Module &module, std::string &error);

  // Program binaries: a header of ours, a checksum, the bitcode. Those of another version are refused: the form's and
  // LLVM's, as "3.22".
  static std::string binaryVersion();
  static std::string serialize(const Module &module);
  static bool deserialize(std::string_view binary, Module &module, std::string &error);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace lanecl::frontend

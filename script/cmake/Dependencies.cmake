# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds all dependencies of the project. ARCHITECTURE.md says why each is here.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_DIR}/../clang)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
find_package(fmt REQUIRED CONFIG)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB 2021.8 REQUIRED CONFIG)
find_path(OPENCL_INCLUDE_DIR CL/cl.h REQUIRED)
find_library(OPENCL_LOADER OpenCL REQUIRED)

# hwloc says which processors share caches and memory. libuuid makes the identifiers of devices.
find_path(HWLOC_INCLUDE_DIR hwloc.h REQUIRED)
find_library(HWLOC_LIBRARY hwloc REQUIRED)
find_path(UUID_INCLUDE_DIR uuid/uuid.h REQUIRED)
find_library(UUID_LIBRARY uuid REQUIRED)
add_library(lanecl_machine INTERFACE)
add_library(lanecl::machine ALIAS lanecl_machine)
target_include_directories(lanecl_machine SYSTEM INTERFACE ${HWLOC_INCLUDE_DIR} ${UUID_INCLUDE_DIR})
target_link_libraries(lanecl_machine INTERFACE ${HWLOC_LIBRARY} ${UUID_LIBRARY})

# For SPIR-V, these are the numbers of its instructions, and the validator. The validator is a static library without
# further dependencies.
find_path(SPIRV_HEADERS_INCLUDE_DIR spirv/unified1/spirv.hpp11 REQUIRED)
find_path(SPIRV_TOOLS_INCLUDE_DIR spirv-tools/libspirv.hpp REQUIRED)
find_library(SPIRV_TOOLS_LIBRARY NAMES libSPIRV-Tools.a REQUIRED)
add_library(lanecl_spirv_tools INTERFACE)
add_library(lanecl::spirv_tools ALIAS lanecl_spirv_tools)
target_include_directories(lanecl_spirv_tools SYSTEM INTERFACE ${SPIRV_HEADERS_INCLUDE_DIR} ${SPIRV_TOOLS_INCLUDE_DIR})
target_link_libraries(lanecl_spirv_tools INTERFACE ${SPIRV_TOOLS_LIBRARY})

# The translator is run as a program by this path, because PATH is not searched at run time.
find_program(LANECL_SPIRV_TRANSLATOR llvm-spirv-15 REQUIRED DOC "llvm-spirv of LLVM 15, which reads SPIR-V at run time")
message(STATUS "SPIR-V is read by ${LANECL_SPIRV_TRANSLATOR}")

# Rooms that may use LLVM's headers and library link with lanecl::llvm or lanecl::clang.
add_library(lanecl_llvm INTERFACE)
add_library(lanecl::llvm ALIAS lanecl_llvm)
target_include_directories(lanecl_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(lanecl_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})

add_library(lanecl_clang INTERFACE)
add_library(lanecl::clang ALIAS lanecl_clang)
target_link_libraries(lanecl_clang INTERFACE lanecl_llvm)

add_library(lanecl_fmt INTERFACE)
add_library(lanecl::fmt ALIAS lanecl_fmt)

option(LANECL_PORTABLE "Link LLVM, Clang and fmt statically: for packages that run where none of them is installed" OFF)
if(LANECL_PORTABLE)
  # The linker takes only what is needed from the archives, so all may be named. Nothing needs code for processors other
  # than x86.
  file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  file(GLOB clang_archives ${LLVM_LIBRARY_DIR}/libclang*.a)
  list(FILTER clang_archives EXCLUDE REGEX "/libclang(d|Tidy)")
  find_library(ZLIB_ARCHIVE NAMES libz.a REQUIRED)
  find_library(ZSTD_ARCHIVE NAMES libzstd.a REQUIRED)
  add_library(lanecl_archive_needs STATIC ${CMAKE_CURRENT_LIST_DIR}/../packaging/archive_needs.cpp)
  target_include_directories(lanecl_archive_needs SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(lanecl_archive_needs PRIVATE ${LLVM_DEFINITIONS_LIST})
  target_link_libraries(lanecl_llvm INTERFACE
    $<LINK_GROUP:RESCAN,${llvm_archives}> lanecl_archive_needs ${ZLIB_ARCHIVE} ${ZSTD_ARCHIVE}
    gcc) # before the shared libgcc_s, which has conversions of half from GCC 12 on only
  target_link_libraries(lanecl_clang INTERFACE $<LINK_GROUP:RESCAN,${clang_archives}>)
  target_link_libraries(lanecl_fmt INTERFACE fmt::fmt-header-only)
  add_link_options(-Wl,--gc-sections)
else()
  # The shared library lacks the part that writes perf's files.
  target_link_libraries(lanecl_llvm INTERFACE LLVM ${LLVM_LIBRARY_DIR}/libLLVMOrcTargetProcess.a)
  target_link_libraries(lanecl_clang INTERFACE clang-cpp)
  target_link_libraries(lanecl_fmt INTERFACE fmt::fmt)
endif()

# icd, tests and examples use the OpenCL headers and the system's ICD loader.
add_library(lanecl_opencl_headers INTERFACE)
add_library(lanecl::opencl_headers ALIAS lanecl_opencl_headers)
target_include_directories(lanecl_opencl_headers SYSTEM INTERFACE ${OPENCL_INCLUDE_DIR})
# icd/src/api/recent_names.h defines the names that older headers lack.
file(STRINGS ${OPENCL_INCLUDE_DIR}/CL/cl_version.h opencl_31 REGEX "CL_VERSION_3_1")
if(opencl_31)
  target_compile_definitions(lanecl_opencl_headers INTERFACE CL_TARGET_OPENCL_VERSION=310)
else()
  target_compile_definitions(lanecl_opencl_headers INTERFACE CL_TARGET_OPENCL_VERSION=300)
endif()

add_library(lanecl_loader INTERFACE)
add_library(lanecl::loader ALIAS lanecl_loader)
target_link_libraries(lanecl_loader INTERFACE lanecl_opencl_headers ${OPENCL_LOADER})

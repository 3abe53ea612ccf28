# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Most of the time of a build is spent on reading headers. Precompiled headers are read once for each target. ccache
# helps more if one builds often, but it cannot keep what is compiled with precompiled headers, so it is one or the
# other. By default, ccache is used once it has kept anything.
set(precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
elseif(CCACHE AND NOT DEFINED ENV{CCACHE_DISABLE})
  execute_process(COMMAND ${CCACHE} --print-stats OUTPUT_VARIABLE statistics ERROR_QUIET)
  if(NOT statistics MATCHES "files_in_cache\t0\n")
    set(precompile OFF)
  endif()
endif()
option(LANECL_PRECOMPILED_HEADERS "Precompile the headers that many files of a target include; without ccache" ${precompile})

# lanecl_precompiled_headers(<target> <header>...) does what target_precompile_headers does. Every file still includes
# what it uses. Headers of our own are listed where most files of the target include them, after those of LLVM: the
# templates of LLVM would otherwise be tried with classes that are only declared.
function(lanecl_precompiled_headers target)
  if(NOT LANECL_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # CMake gives the list an old time stamp: a changed list alone precompiles nothing anew.
  if(NOT "${LANECL_PRECOMPILED_HEADERS_OF_${target}}" STREQUAL "${ARGN}")
    file(REMOVE ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch)
    set(LANECL_PRECOMPILED_HEADERS_OF_${target} "${ARGN}" CACHE INTERNAL "")
  endif()
endfunction()

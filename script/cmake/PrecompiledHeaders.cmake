# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Most of the time of a build is spent on reading headers. Precompiled headers are read once for each target. ccache
# helps more if one builds often, but it cannot keep what is compiled with precompiled headers, so it is one or the
# other.
set(precompile ON)
if(CCACHE OR CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
endif()
option(LANECL_PRECOMPILED_HEADERS "Precompile the headers that many files of a target include; without ccache" ${precompile})

# lanecl_precompiled_headers(<target> <header>...) does what target_precompile_headers does. Every file still includes
# what it uses.
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

# Language level, warnings and sanitizers, in one interface target that every target of the project links.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(lgode_flags INTERFACE)
target_compile_options(lgode_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-unknown-pragmas)
# Results may not depend on whether the compiler fuses a*b+c; kernels that want it say so.
target_compile_options(lgode_flags INTERFACE -ffp-contract=off)
target_include_directories(lgode_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)
if(LGODE_SANITIZE)
  target_compile_options(lgode_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer -g1)
  target_link_options(lgode_flags INTERFACE -fsanitize=address,undefined)
endif()

find_program(LGODE_CCACHE ccache)
if(LGODE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${LGODE_CCACHE})
endif()

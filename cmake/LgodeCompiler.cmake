# Language level, warnings and sanitizers, in one interface target that every target of the project links.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(lgode_flags INTERFACE)
target_compile_features(lgode_flags INTERFACE cxx_std_20)
target_compile_options(lgode_flags INTERFACE "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wno-unknown-pragmas>")
# GCC 12 warns wrongly about overlapping copies inside std::string (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(lgode_flags INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>>)
endif()
# Results must not depend on whether the compiler fuses a*b+c; kernels that need it enable it themselves.
target_compile_options(lgode_flags INTERFACE $<BUILD_INTERFACE:-ffp-contract=off>)
target_include_directories(lgode_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:include>)
if(LGODE_SANITIZE STREQUAL "address")
  set(lgode_sanitizers address,undefined)
elseif(LGODE_SANITIZE STREQUAL "thread")
  set(lgode_sanitizers thread)
elseif(LGODE_SANITIZE)
  message(FATAL_ERROR "LGODE_SANITIZE is address, thread or empty, not ${LGODE_SANITIZE}")
endif()
if(LGODE_SANITIZE)
  # -g1: suppressions match line numbers and inlined functions.
  target_compile_options(lgode_flags INTERFACE -fsanitize=${lgode_sanitizers} -fno-omit-frame-pointer -g1)
  target_link_options(lgode_flags INTERFACE -fsanitize=${lgode_sanitizers})
endif()
if(LGODE_FUZZ)
  # A finding of any sanitizer ends the program.
  target_compile_options(lgode_flags INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
endif()
if(LGODE_COVERAGE)
  target_compile_options(lgode_flags INTERFACE --coverage)
  target_link_options(lgode_flags INTERFACE --coverage)
endif()

# For targets that read, check and print but do not compute: less optimisation, for shorter compile times. Since GCC 13,
# a file at -O1 cannot use a precompiled header made with -O3.
set(lgode_quick_level -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  set(lgode_quick_level -O2)
endif()
function(lgode_quick target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${lgode_quick_level}>)
endfunction()

find_program(LGODE_CCACHE ccache)
if(LGODE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${LGODE_CCACHE})
endif()

# Shared precompiled headers: most of a file's compile time goes into the headers of LibTorch, JSON and fmt.
# lgode_precompiled(name HEADERS... LINK...) makes one, lgode_reuse(target name) uses it.
function(lgode_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "")
  add_library(lgode_${name}_pch STATIC ${CMAKE_BINARY_DIR}/pch.cpp)
  target_link_libraries(lgode_${name}_pch PUBLIC lgode_flags ${arg_LINK})
  target_precompile_headers(lgode_${name}_pch PRIVATE ${arg_HEADERS})
endfunction()
function(lgode_reuse target name)
  target_precompile_headers(${target} REUSE_FROM lgode_${name}_pch)
  # GCC ignores a precompiled header made with other code-generation flags, so programs use -fPIC like the libraries.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# For files that do not use LibTorch; programs outside the library use the same list.
set(lgode_plain_headers <nlohmann/json.hpp> <fmt/format.h> <fmt/ranges.h> <algorithm> <filesystem> <functional> <map>
  <optional> <string> <vector>)
lgode_precompiled(plain HEADERS ${lgode_plain_headers} LINK nlohmann_json::nlohmann_json fmt::fmt)

# Modules and programs that use LibTorch.
function(lgode_use_torch target)
  target_link_libraries(${target} PUBLIC lgode_torch)
  if(NOT TARGET lgode_torch_pch)
    lgode_precompiled(torch LINK lgode_torch
      HEADERS <ATen/core/ivalue.h> <ATen/ATen.h> <ATen/Parallel.h> <torch/csrc/autograd/custom_function.h>
      <torch/csrc/autograd/autograd.h>)
  endif()
  lgode_reuse(${target} torch)
endfunction()

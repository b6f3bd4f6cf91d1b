# Dependencies of the project. `make setup` installs them on Debian; CMAKE_PREFIX_PATH selects another LibTorch.
find_package(nlohmann_json 3.9 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
# PNG and PDF figures of `lgode plot`; without it only SVG figures.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CAIRO QUIET IMPORTED_TARGET cairo)
endif()

# Tables that gzip or zstd packed are unpacked while they are read. Without libzstd the program zstd does it, without
# zlib such tables are refused. Plain paths, so that the installed package needs to find nothing again.
set(LGODE_UNPACK_GZIP OFF)
set(LGODE_UNPACK_ZSTD OFF)
if(LGODE_UNPACK)
  find_path(LGODE_ZLIB_INCLUDE zlib.h)
  find_library(LGODE_ZLIB_LIBRARY z)
  find_path(LGODE_ZSTD_INCLUDE zstd.h)
  find_library(LGODE_ZSTD_LIBRARY zstd)
  mark_as_advanced(LGODE_ZLIB_INCLUDE LGODE_ZLIB_LIBRARY LGODE_ZSTD_INCLUDE LGODE_ZSTD_LIBRARY)
  if(LGODE_ZLIB_INCLUDE AND LGODE_ZLIB_LIBRARY)
    set(LGODE_UNPACK_GZIP ON)
  endif()
  if(LGODE_ZSTD_INCLUDE AND LGODE_ZSTD_LIBRARY)
    set(LGODE_UNPACK_ZSTD ON)
  endif()
endif()
message(STATUS "Packed tables: gzip by zlib ${LGODE_UNPACK_GZIP}, zstd by libzstd ${LGODE_UNPACK_ZSTD}")

if(LGODE_TORCH)
  find_package(Torch REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  # Portable SIMD with run-time dispatch; without it the reference operators are used.
  find_package(HWY QUIET CONFIG)
  if(NOT HWY_FOUND)
    find_path(LGODE_HWY_INCLUDE hwy/highway.h)
    find_library(LGODE_HWY_LIBRARY hwy)
  endif()

  # GPUs: bindings are built if LibTorch has CUDA, kernels if there is a CUDA compiler.
  if(TARGET torch_cuda OR TORCH_CUDA_LIBRARIES)
    set(LGODE_CUDA ON)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(LGODE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPUs to build for; the newest also as PTX")
  else()
    set(LGODE_CUDA OFF)
    if(LGODE_REQUIRE_CUDA)
      message(FATAL_ERROR "This LibTorch has no CUDA; name one that has with CMAKE_PREFIX_PATH")
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
    endif()
    set(LGODE_CUDA_ARCHITECTURES "90-real" CACHE STRING "GPUs to build for")
  endif()

  # Use only headers and libraries of LibTorch: its flags would also set its language level and warnings.
  add_library(lgode_torch INTERFACE)
  target_include_directories(lgode_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  # at::parallel_for is a template that uses OpenMP: without the flag its loops run on one thread.
  target_link_libraries(lgode_torch INTERFACE ${TORCH_LIBRARIES} OpenMP::OpenMP_CXX)
  # Newer LibTorch ships its own fmt headers, which are found before the system's. No library matches them, so use
  # fmt as a header-only library.
  foreach(dir IN LISTS TORCH_INCLUDE_DIRS)
    if(NOT dir STREQUAL "/usr/include" AND EXISTS ${dir}/fmt/format.h)
      target_compile_definitions(lgode_torch INTERFACE FMT_HEADER_ONLY=1)
    endif()
  endforeach()
  string(REGEX MATCH "_GLIBCXX_USE_CXX11_ABI=[01]" lgode_abi "${TORCH_CXX_FLAGS}")
  if(lgode_abi)
    target_compile_definitions(lgode_torch INTERFACE ${lgode_abi})
  endif()

  # Trainings of several processes need LibTorch's process groups. Its targets show whether it was built with them.
  # Gloo's own headers are missing in Python's wheels; src/train/gloo_names replaces them.
  find_path(LGODE_C10D_INCLUDE torch/csrc/distributed/c10d/ProcessGroupGloo.hpp
    PATHS ${TORCH_INCLUDE_DIRS} NO_DEFAULT_PATH)
  find_path(LGODE_GLOO_INCLUDE gloo/rendezvous/store.h PATHS ${TORCH_INCLUDE_DIRS} NO_DEFAULT_PATH)
  mark_as_advanced(LGODE_C10D_INCLUDE LGODE_GLOO_INCLUDE)
  # lgode_has_group(target name variable): whether LibTorch's target was compiled with the definition `name`.
  function(lgode_has_group target name variable)
    set(${variable} OFF PARENT_SCOPE)
    if(TARGET ${target})
      get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
      if("${name}" IN_LIST definitions)
        set(${variable} ON PARENT_SCOPE)
      endif()
    endif()
  endfunction()
  set(LGODE_RANKS OFF)
  set(LGODE_NCCL OFF)
  if(LGODE_C10D_INCLUDE)
    lgode_has_group(torch_cpu USE_C10D_GLOO LGODE_RANKS)
    lgode_has_group(torch_cuda USE_C10D_NCCL lgode_has_nccl)
    if(LGODE_RANKS AND LGODE_CUDA AND lgode_has_nccl)
      # In Python's wheels NCCL's header is next to LibTorch: site-packages/nvidia/nccl/include.
      find_path(LGODE_NCCL_INCLUDE nccl.h
        PATHS ${TORCH_INCLUDE_DIRS} ${TORCH_INSTALL_PREFIX}/../nvidia/nccl/include
          ${TORCH_INSTALL_PREFIX}/../nvidia/cu13/include ${CUDAToolkit_INCLUDE_DIRS})
      mark_as_advanced(LGODE_NCCL_INCLUDE)
      if(LGODE_NCCL_INCLUDE)
        set(LGODE_NCCL ON)
      endif()
    endif()
  endif()
  message(STATUS "Trainings of several processes: ${LGODE_RANKS}, with NCCL: ${LGODE_NCCL}")
endif()

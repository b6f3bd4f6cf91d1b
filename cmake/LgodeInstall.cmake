# The library for others: cmake --install, then find_package(lgode). The command's own install rules are in apps/lgode.
include(CMakePackageConfigHelpers)
set(lgode_targets lgode_flags)
foreach(module core data table reproduce settings report ode ops model eval train use)
  if(TARGET lgode_${module})
    set_target_properties(lgode_${module} PROPERTIES EXPORT_NAME ${module})
    list(APPEND lgode_targets lgode_${module})
  endif()
endforeach()
foreach(target lgode_torch lgode_cuda_kernels)
  if(TARGET ${target} AND (LGODE_CUDA OR NOT target STREQUAL "lgode_cuda_kernels"))
    list(APPEND lgode_targets ${target})
  endif()
endforeach()
install(TARGETS ${lgode_targets} EXPORT lgodeTargets ARCHIVE DESTINATION lib)
install(EXPORT lgodeTargets NAMESPACE lgode:: DESTINATION lib/cmake/lgode)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lgode DESTINATION include)
install(FILES ${PROJECT_BINARY_DIR}/generated/lgode/version.h DESTINATION include/lgode)

# Dependencies that the installed package has to find again.
set(lgode_needs_hwy OFF)
if(HWY_FOUND)
  set(lgode_needs_hwy ON)
endif()
set(LGODE_CUDA_HERE OFF)
if(LGODE_CUDA)
  set(LGODE_CUDA_HERE ON)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/lgodeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/lgodeConfig.cmake INSTALL_DESTINATION lib/cmake/lgode)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/lgodeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/lgodeConfig.cmake ${PROJECT_BINARY_DIR}/generated/lgodeConfigVersion.cmake
  DESTINATION lib/cmake/lgode)

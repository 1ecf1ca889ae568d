# Installs the layers' libraries and headers, and the CMake package that find_package() reads.
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY GOSSAMER_LAYERS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gossamer)

install(TARGETS ${layers} gossamer EXPORT gossamerTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(EXPORT gossamerTargets NAMESPACE gossamer:: DESTINATION ${package_dir}
        COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gossamerConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/gossamerConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change interfaces.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gossamerConfig.cmake
              ${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/external.cmake
        DESTINATION ${package_dir} COMPONENT development)

# gossamer_folder_sources(SOURCES CUDA_SOURCES): the source files of a layer's folder, by where they
# lie: kernels and what is in folders `cuda`, all others, and of the stubs in folders `absent` those
# that a build without CUDA needs. A new file joins by being there.
function(gossamer_folder_sources sources cuda_sources)
  file(GLOB_RECURSE all CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp *.cu)
  set(cuda ${all})
  list(FILTER cuda INCLUDE REGEX "(^|/)cuda/|\\.cu$")
  list(FILTER all EXCLUDE REGEX "(^|/)cuda/|\\.cu$")
  if(GOSSAMER_HAVE_CUDA)
    list(FILTER all EXCLUDE REGEX "(^|/)absent/")
  endif()
  set(${sources} ${all} PARENT_SCOPE)
  set(${cuda_sources} ${cuda} PARENT_SCOPE)
endfunction()

# gossamer_layer(NAME SOURCES … [CUDA …] LINK …): one layer = one static library gossamer::NAME.
# LINK lists the layers below; that is the only way a layer sees another one.
function(gossamer_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;CUDA;LINK" ${ARGN})
  set(target gossamer_${name})
  if(GOSSAMER_HAVE_CUDA)
    list(APPEND arg_SOURCES ${arg_CUDA})
  endif()
  add_library(${target} STATIC ${arg_SOURCES})
  gossamer_unite(${target} ${arg_SOURCES})
  add_library(gossamer::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} CXX_VISIBILITY_PRESET hidden
                        CUDA_VISIBILITY_PRESET hidden)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  foreach(below ${arg_LINK})
    target_link_libraries(${target} PUBLIC gossamer_${below})
  endforeach()
  gossamer_warnings(${target})
  gossamer_harden(${target})
  if(GOSSAMER_HAVE_CUDA)
    # The kernels of every file are loaded before runs, whatever it includes.
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-include gossamer/machine/kernels.cuh>")
  endif()
  set_property(GLOBAL APPEND PROPERTY GOSSAMER_LAYERS ${target})
  if(GOSSAMER_HAVE_OPENMP)
    # Linked for consumers, but no compile flag of theirs: public headers hold no pragma.
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  endif()
endfunction()

# gossamer_unite(TARGET SOURCES …): the compiler sees the C++ files of a folder together, eight at a
# time (GOSSAMER_UNITY). Most of a file's time goes into templates of the standard library: reading
# them takes a quarter, which a precompiled header would save, and generating their code the rest.
# Here both are done once for eight files. Names in unnamed namespaces differ within a folder,
# therefore.
function(gossamer_unite target)
  if(NOT GOSSAMER_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # The united file includes others, and GCC takes what only they see for a header's.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} made)
    # Not kernels, which are slow enough one by one, nor stubs, which tests replace one by one.
    if(made OR NOT source MATCHES "\\.cpp$" OR source MATCHES "/absent/[^/]+$")
      continue()
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    if(NOT DEFINED in_${folder})
      set(in_${folder} 0)
    endif()
    math(EXPR in_${folder} "${in_${folder}} + 1")
    math(EXPR part "(${in_${folder}} - 1) / 8")
    string(REPLACE "/" "_" name "${folder}_${part}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name})
  endforeach()
endfunction()

# gossamer_warnings(TARGET [FLAG …]): those of every target, and these. Without sign conversion: sizes
# of the standard library are unsigned, ids and offsets here are signed, so that nearly every
# subscript would be cast. GCC leaves it out by itself, clang has it in -Wconversion.
function(gossamer_warnings target)
  set(flags -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion ${ARGN})
  if(NOT GOSSAMER_HAVE_OPENMP)
    list(APPEND flags -Wno-unknown-pragmas)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND flags -Wno-restrict)  # sees overlaps in `"text" + string` (GCC bug 105651)
  endif()
  if(GOSSAMER_WERROR)
    list(APPEND flags -Werror)
  endif()
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${flags}>)
  if(GOSSAMER_HAVE_CUDA)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -diag-suppress=20012,20014>)
  endif()
endfunction()

# Libraries that bring no CMake package of their own. Used by the build and, installed beside
# gossamerConfig.cmake, by its consumers, so that no absolute path is exported.
#
# gossamer_external(name header library): sets <NAME>_FOUND, <NAME>_INCLUDE, <NAME>_LIBRARY and
# makes the target gossamer_external::name.
function(gossamer_external name header library)
  string(TOUPPER ${name} upper)
  find_path(${upper}_INCLUDE ${header})
  find_library(${upper}_LIBRARY ${library})
  mark_as_advanced(${upper}_INCLUDE ${upper}_LIBRARY)
  set(${upper}_FOUND OFF PARENT_SCOPE)
  if(${upper}_INCLUDE AND ${upper}_LIBRARY)
    set(${upper}_FOUND ON PARENT_SCOPE)
    if(NOT TARGET gossamer_external::${name})
      add_library(gossamer_external::${name} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(gossamer_external::${name} PROPERTIES
        IMPORTED_LOCATION "${${upper}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${${upper}_INCLUDE}")
    endif()
  endif()
endfunction()

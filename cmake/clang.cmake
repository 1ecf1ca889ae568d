# Toolchain file of the presets that need clang: the newest one there, at least 16 (before that
# std::source_location is missing).
foreach(version 21 20 19 18 17 16)
  list(APPEND names clang++-${version})
endforeach()
find_program(GOSSAMER_CLANGXX NAMES ${names} clang++)
if(NOT GOSSAMER_CLANGXX)
  message(FATAL_ERROR "no clang++ of version 16 or newer was found")
endif()
string(REPLACE "clang++" "clang" GOSSAMER_CLANG "${GOSSAMER_CLANGXX}")
set(CMAKE_CXX_COMPILER ${GOSSAMER_CLANGXX})
set(CMAKE_C_COMPILER ${GOSSAMER_CLANG})

# gossamer_harden(TARGET): what ends a program at a mistake in memory, before anyone can use it.
# Stacks are guarded and probed, jumps land where they may, and the C library's functions know how
# long their buffers are. That last one needs optimisation, and sanitizers know more. nvcc's files
# are left as they are: a kernel has no such functions, and on the host they only launch.
# A thread's own variables are pointers and numbers, which the C library has room for when it loads
# a module: laid out later they could find no memory, and end the process. CUDA's runtime has too
# many of its own for that.
include(CheckCXXCompilerFlag)

set(GOSSAMER_HARDENING "")
set(hardening_flags -fstack-protector-strong -fstack-clash-protection -fcf-protection)
if(NOT GOSSAMER_HAVE_CUDA)
  list(APPEND hardening_flags -ftls-model=initial-exec)
endif()
foreach(flag ${hardening_flags})
  string(MAKE_C_IDENTIFIER "gossamer${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    list(APPEND GOSSAMER_HARDENING ${flag})
  endif()
endforeach()
if(NOT GOSSAMER_SANITIZE)
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  list(APPEND GOSSAMER_HARDENING
       $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=3>)
endif()

function(gossamer_harden target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${GOSSAMER_HARDENING}>")
  # Where calls into other libraries go is settled when it is loaded, and stays.
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now)
  endif()
endfunction()

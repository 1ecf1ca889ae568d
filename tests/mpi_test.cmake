# Tests that run under an MPI launcher. Not with sanitizers: MPI libraries are built without, and leak.
#
# mpi_program(NAME SOURCES … LINK layer …) makes the GoogleTest program test_NAME.
# mpi_test(NAME TARGET PROCESSES [ENVIRONMENT NAME=VALUE …] [ARGUMENTS …] [GPU]) runs a program as
# an MPI job; with GPU it is labelled so, too, and runs alone on the host's GPUs. Open MPI counts
# cores and refuses root unless told otherwise; MPICH knows none of this.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version
                ERROR_QUIET)
set(GOSSAMER_MPIEXEC ${MPIEXEC_EXECUTABLE})
set(GOSSAMER_MPIEXEC_RECOVERING ${MPIEXEC_EXECUTABLE} -disable-auto-cleanup)
if(mpiexec_version MATCHES "Open MPI|OpenRTE")
  list(APPEND GOSSAMER_MPIEXEC --allow-run-as-root --oversubscribe --bind-to none)
  set(GOSSAMER_MPIEXEC_RECOVERING ${GOSSAMER_MPIEXEC} --enable-recovery)
endif()

function(mpi_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  list(TRANSFORM arg_LINK PREPEND gossamer_)
  target_link_libraries(test_${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  gossamer_warnings(test_${name})
  if(GOSSAMER_TESTS STREQUAL "GPU")
    set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

function(mpi_test name target processes)
  cmake_parse_arguments(arg "GPU" "" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  add_test(NAME ${name} COMMAND ${GOSSAMER_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG} ${processes}
                                $<TARGET_FILE:${target}> ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS mpi TIMEOUT 300 ENVIRONMENT "${arg_ENVIRONMENT}"
                                          PROCESSORS ${processes})
  if(arg_GPU)
    set_tests_properties(${name} PROPERTIES LABELS "mpi;gpu" RESOURCE_LOCK gpu)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL FALSE)
  endif()
endfunction()

# mpi_tests(NAME TARGET PROCESSES …): a test for each number of processes, with shared memory, and of
# several by messages.
function(mpi_tests name target)
  foreach(processes ${ARGN})
    mpi_test(${name}_${processes} ${target} ${processes})
    if(processes GREATER 1)
      mpi_test(${name}_messages_${processes} ${target} ${processes}
               ENVIRONMENT GOSSAMER_MPI_SHARED=off)
    endif()
  endforeach()
endfunction()

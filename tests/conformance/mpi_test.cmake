# mpi_test(NAME TARGET PROCESSES [ENVIRONMENT NAME=VALUE …] [ARGUMENTS …]) runs a program as an MPI
# job. Open MPI counts cores and refuses root unless told otherwise; MPICH knows none of this.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version
                ERROR_QUIET)
set(GOSSAMER_MPIEXEC ${MPIEXEC_EXECUTABLE})
if(mpiexec_version MATCHES "Open MPI|OpenRTE")
  list(APPEND GOSSAMER_MPIEXEC --allow-run-as-root --oversubscribe --bind-to none)
endif()

function(mpi_test name target processes)
  cmake_parse_arguments(arg "" "" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  add_test(NAME ${name} COMMAND ${GOSSAMER_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG} ${processes}
                                $<TARGET_FILE:${target}> ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS mpi TIMEOUT 300 ENVIRONMENT "${arg_ENVIRONMENT}"
                                          PROCESSORS ${processes})
endfunction()

add_executable(test_conformance_mpi mpi.cpp)
target_link_libraries(test_conformance_mpi PRIVATE fabric_suite gossamer_collective GTest::gtest
                                                   GTest::gtest_main)
target_include_directories(test_conformance_mpi PRIVATE ${PROJECT_SOURCE_DIR}/tests)
gossamer_warnings(test_conformance_mpi)
foreach(processes RANGE 1 5)
  mpi_test(conformance_mpi_${processes} test_conformance_mpi ${processes})
  if(processes GREATER 1)
    mpi_test(conformance_mpi_messages_${processes} test_conformance_mpi ${processes}
             ENVIRONMENT GOSSAMER_MPI_SHARED=off)
  endif()
endforeach()
mpi_test(conformance_mpi_progress test_conformance_mpi 3
         ENVIRONMENT GOSSAMER_MPI_SHARED=off GOSSAMER_MPI_PROGRESS=on)

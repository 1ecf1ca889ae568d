# Included by bench/CMakeLists.txt.
add_executable(bench_readers ${CMAKE_CURRENT_LIST_DIR}/readers.cpp)
target_link_libraries(bench_readers PRIVATE gossamer_graph)
gossamer_warnings(bench_readers)

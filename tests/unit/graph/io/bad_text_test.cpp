// Bad text input: each mistake gets one line with file and line number.
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

struct mistake {
  const char* what;
  file_format format;
  const char* text;
  const char* message;
};

void PrintTo(const mistake& m, std::ostream* out) {
  *out << m.what;
}

class bad_text : public testing::TestWithParam<mistake> {};

TEST_P(bad_text, is_named_with_its_line) {
  EXPECT_EQ(complaint(GetParam().text, GetParam().format), GetParam().message);
}

constexpr auto mtx = file_format::matrix_market;
constexpr auto edges = file_format::edge_list;
constexpr auto csv = file_format::csv;
constexpr auto gr = file_format::dimacs;
constexpr auto metis = file_format::metis;
constexpr auto web = file_format::webgraph;
#define BANNER "%%MatrixMarket matrix coordinate "

INSTANTIATE_TEST_SUITE_P(
    matrix_market, bad_text,
    testing::Values(
        mistake{"empty", mtx, "", "FILE:1: the file is empty"},
        mistake{"other format", mtx, "5 4\n2 3\n1 3\n1 2 4\n3\n\n",
                "FILE:1: not a Matrix Market file: the first line must start with "
                "%%MatrixMarket"},
        mistake{"dense", mtx, "%%MatrixMarket matrix array real general\n2 2\n",
                "FILE:1: a dense 'array' matrix is not a graph"},
        mistake{"complex", mtx, BANNER "complex general\n1 1 0\n",
                "FILE:1: entries of type 'complex' are not read (real, integer, pattern are)"},
        mistake{"hermitian", mtx, BANNER "real hermitian\n1 1 0\n",
                "FILE:1: symmetry 'hermitian' is not read (general, symmetric, skew-symmetric "
                "are)"},
        mistake{"no size", mtx, BANNER "real general\n% only\n",
                "FILE:2: the file ends before the size line"},
        mistake{"not square", mtx, BANNER "real general\n2 3 0\n",
                "FILE:2: a graph needs a square matrix, this one is 2 x 3"},
        mistake{"no vertices", mtx, BANNER "real general\n0 0 0\n",
                "FILE:2: the graph has no vertices"},
        mistake{"truncated", mtx, BANNER "pattern general\n3 3 3\n1 2\n2 3\n",
                "FILE:2: the header says 3 entries, the file holds 2"},
        mistake{"too many", mtx, BANNER "pattern general\n3 3 1\n1 2\n2 3\n",
                "FILE:2: the header says 1 entries, the file holds 2"},
        mistake{"cut inside a line", mtx, BANNER "pattern general\n3 3 2\n1 2\n2",
                "FILE:4: expected column, found the end of the line"},
        mistake{"out of range", mtx, BANNER "pattern general\n3 3 1\n1 4\n",
                "FILE:3: entry (1, 4) is outside 1..3"},
        mistake{"zero-based", mtx, BANNER "pattern general\n3 3 1\n0 1\n",
                "FILE:3: entry (0, 1) is outside 1..3"},
        mistake{"negative", mtx, BANNER "pattern general\n3 3 1\n1 -2\n",
                "FILE:3: negative column '-2'"},
        mistake{"above the id width", mtx, BANNER "pattern general\n3 3 1\n9223372036854775808 1\n",
                "FILE:3: row '9223372036854775808' does not fit 63 bits"},
        mistake{"NaN", mtx, BANNER "real general\n3 3 1\n1 2 nan\n",
                "FILE:3: weight is not a number (NaN)"},
        mistake{"infinite", mtx, BANNER "real general\n3 3 1\n1 2 -inf\n",
                "FILE:3: weight is infinite"},
        mistake{"too large", mtx, BANNER "real general\n3 3 1\n1 2 1e999\n",
                "FILE:3: weight '1e999' is outside the range of doubles"},
        mistake{"inexact", mtx, BANNER "integer general\n3 3 1\n1 2 9007199254740993\n",
                "FILE:3: weight '9007199254740993' is too large to be exact"},
        mistake{"inexact, 17 digits", mtx, BANNER "integer general\n3 3 1\n1 2 12345678901234567\n",
                "FILE:3: weight '12345678901234567' is too large to be exact"},
        mistake{"type in other bytes", mtx, BANNER "r\xff\nal general\n1 1 0\n",
                "FILE:1: entries of type 'r?' are not read (real, integer, pattern are)"},
        mistake{"fraction", mtx, BANNER "integer general\n3 3 1\n1 2 1.5\n",
                "FILE:3: an 'integer' matrix holds a weight that is not an integer"},
        mistake{"no weight", mtx, BANNER "real general\n3 3 1\n1 2\n",
                "FILE:3: expected a weight, found the end of the line"},
        mistake{"skew diagonal", mtx, BANNER "real skew-symmetric\n3 3 1\n2 2 1\n",
                "FILE:3: a skew-symmetric matrix has a non-zero on its diagonal"},
        mistake{"more columns", mtx, BANNER "pattern general\n3 3 1\n1 2 7\n",
                "FILE:3: unexpected '7' at the end of the line"}));

INSTANTIATE_TEST_SUITE_P(
    edge_list, bad_text,
    testing::Values(
        mistake{"empty", edges, "", "FILE:1: the file is empty"},
        mistake{"only comments", edges, "# nothing\n# here\n",
                "FILE:2: the graph has no edges and so no vertices"},
        mistake{"one column", edges, "# x\n5\n",
                "FILE:2: expected 2 or 3 columns (u v [weight]), found 1"},
        mistake{"negative", edges, "0 1\n2 -3\n", "FILE:2: negative vertex id '-3'"},
        mistake{"word", edges, "0 1\n\n1 two\n", "FILE:3: expected vertex id, found 'two'"},
        mistake{"glued", edges, "0 1\n1 2x\n", "FILE:2: expected vertex id, found '2x'"},
        mistake{"too large", edges, "0 1\n1 99999999999999999999\n",
                "FILE:2: vertex id '99999999999999999999' does not fit 63 bits"},
        mistake{"weight missing", edges, "0 1 5\n1 2\n",
                "FILE:2: expected a weight, found the end of the line"},
        mistake{"column too many", edges, "0 1\n1 2 3\n",
                "FILE:2: unexpected '3' at the end of the line"},
        mistake{"NaN", edges, "0 1 5\n1 2 NaN\n", "FILE:2: weight is not a number (NaN)"},
        mistake{"inexact", edges, "0 1 9007199254740993\n",
                "FILE:1: weight '9007199254740993' is too large to be exact"},
        mistake{"inexact, 17 digits", edges, "0 1 5\n1 2 -12345678901234567\n",
                "FILE:2: weight '-12345678901234567' is too large to be exact"},
        mistake{"inexact, 25 digits", edges, "0 1 +1234567890123456789012345\n",
                "FILE:1: weight '+1234567890123456789012345' is too large to be exact"},
        mistake{"two signs", edges, "0 1 +-5\n", "FILE:1: expected a weight, found '+-5'"},
        mistake{"truncated", edges, "# Nodes: 3 Edges: 3\n0 1\n1 2\n",
                "FILE:1: the header says 3 edges, the file holds 2"},
        mistake{"other n", edges, "# Nodes: 2 Edges: 2\n0 1\n1 2\n",
                "FILE:1: the header says 2 nodes, the edges name 3"}));

INSTANTIATE_TEST_SUITE_P(
    csv, bad_text,
    testing::Values(
        mistake{"empty", csv, "", "FILE:1: the file is empty"},
        mistake{"header only", csv, "source,target\n",
                "FILE:1: the graph has no edges and so no vertices"},
        mistake{"blank rows only", csv, "source,target\n\n \n",
                "FILE:3: the graph has no edges and so no vertices"},
        mistake{"one column", csv, "source\n1\n",
                "FILE:1: expected 2 columns or more (source, target, …), found 1"},
        mistake{"one end", csv, "id,From,weight\n1,2,3\n",
                "FILE:1: there is a column 'from' and none 'to'"},
        mistake{"the other end", csv, "x,y,dst\n1,2,3\n",
                "FILE:1: there is a column 'dst' and none 'src'"},
        mistake{"a column twice", csv, "source,target,Source\n1,2,3\n",
                "FILE:1: there are several columns 'source'"},
        mistake{"missing target", csv, "source,target\n1,2\n\n3\n",
                "FILE:4: no value in column 'target'"},
        mistake{"missing last", csv, "Start,x,end\n1,2,3\n4\n", "FILE:3: no value in column 'x'"},
        mistake{"missing weight", csv, "source,target,x,w\n1,2,,3\n3,4,5\n",
                "FILE:3: no value in column 'w'"},
        mistake{"empty target", csv, "1,2\n3,\n", "FILE:2: no value in column 'target'"},
        mistake{"empty source", csv, "source\ttarget\n1\t2\n\t3\n",
                "FILE:3: no value in column 'source'"},
        mistake{"empty quotes", csv, "a,b\n1,2\n\"\",3\n", "FILE:3: no value in column 'a'"},
        mistake{"empty name", csv, "a,b\nx,y\n\"\",z\n", "FILE:3: no value in column 'a'"},
        mistake{"no number", csv, "a,b\n1,2\n3,x7\n",
                "FILE:3: expected vertex id, found 'x7' (ids are numbers, as in the first row)"},
        mistake{"no number further on", csv, "a,b\n1,2\n3,7x,4\n",
                "FILE:3: expected vertex id, found '7x'"},
        mistake{"no whole number", csv, "1.0,2.0\n", "FILE:1: expected vertex id, found '1.0'"},
        mistake{"negative", csv, "a,b\n-1,2\n", "FILE:2: negative vertex id '-1'"},
        mistake{"large", csv, "a,b\n9223372036854775808,2\n",
                "FILE:2: vertex id '9223372036854775808' does not fit 63 bits"},
        mistake{"two numbers in quotes", csv, "a,b\n1,2\n\"1 2\",3\n",
                "FILE:3: unexpected '2' in quotes"},
        mistake{"two numbers further on", csv, "a,b\n1,2\n3,2 3\n",
                "FILE:3: unexpected '3' at the end of a field"},
        mistake{"no weight", csv, "a,b,weight\n1,2,heavy\n",
                "FILE:2: expected a weight, found 'heavy'"},
        mistake{"infinite weight", csv, "a,b,weight\n1,2,inf\n", "FILE:2: weight is infinite"},
        mistake{"open quote", csv, "a,b,c\n1,2,\"text\nof two lines\"\n",
                "FILE:2: a quote has no end in its line (fields of several lines are not read)"},
        mistake{"open quote in the header", csv, "a,b,\"c\n1,2,3\n",
                "FILE:1: a quote has no end in its line (fields of several lines are not read)"},
        mistake{"text behind quotes", csv, "a,b\n\"x\"y,z\n",
                "FILE:2: unexpected 'y' at the end of a field"}));

INSTANTIATE_TEST_SUITE_P(
    dimacs, bad_text,
    testing::Values(
        mistake{"empty", gr, "", "FILE:1: the file ends before the line 'p sp n m'"},
        mistake{"no problem line", gr, "c x\nc y\n",
                "FILE:2: the file ends before the line 'p sp n m'"},
        mistake{"other format", gr, "0 1\n",
                "FILE:1: not a DIMACS graph: expected 'c' comments and a line 'p sp n m', found "
                "'0'"},
        mistake{"other problem", gr, "p max 3 2\n",
                "FILE:1: expected 'p sp n m', found problem 'max'"},
        mistake{"no vertices", gr, "p sp 0 0\n", "FILE:1: the graph has no vertices"},
        mistake{"out of range", gr, "p sp 3 1\na 1 4 2\n", "FILE:2: vertex id 4 is outside 1..3"},
        mistake{"zero", gr, "p sp 3 1\na 0 1 2\n", "FILE:2: vertex id 0 is outside 1..3"},
        mistake{"truncated", gr, "c\np sp 3 2\na 1 2 2\n",
                "FILE:2: the header says 2 arcs, the file holds 1"},
        mistake{"no weight", gr, "p sp 3 1\na 1 2\n",
                "FILE:2: expected a weight, found the end of the line"},
        mistake{"two headers", gr, "p sp 3 1\np sp 3 1\n", "FILE:2: a second 'p' line"},
        mistake{"stray", gr, "p sp 3 1\n\ne 1 2\n", "FILE:3: expected 'a u v w', found 'e'"}));

INSTANTIATE_TEST_SUITE_P(
    metis, bad_text,
    testing::Values(
        mistake{"empty", metis, "", "FILE:1: the file ends before the header 'n m [fmt [ncon]]'"},
        mistake{"no vertices", metis, "0 0\n", "FILE:1: the graph has no vertices"},
        mistake{"format code", metis, "2 1 21\n",
                "FILE:1: format code '21' is unknown (three digits of 0 or 1 at most)"},
        mistake{"stray ncon", metis, "2 1 1 2\n",
                "FILE:1: the header counts vertex weights that its format code leaves out"},
        mistake{"out of range", metis, "2 1\n3\n1\n", "FILE:2: neighbour 3 is outside 1..2"},
        mistake{"fewer edges", metis, "3 2\n2\n1\n\n",
                "FILE:1: the header says 2 edges (twice as many ids), the file holds 2 ids"},
        mistake{"fewer lines", metis, "% c\n3 1\n2\n1\n",
                "FILE:2: the header says 3 vertices, the file holds lines for 2"},
        mistake{"more lines", metis, "2 1\n2\n1\n1\n",
                "FILE:4: more lines than the 2 vertices of the header"},
        mistake{"weight missing", metis, "2 1 1\n2\n1 5\n",
                "FILE:2: expected a weight, found the end of the line"},
        mistake{"negative weight", metis, "2 1 1\n2 -5\n1 -5\n",
                "FILE:2: edge weights must be integers from 0"},
        mistake{"vertex weights missing", metis, "2 1 10\n\n1 1\n",
                "FILE:2: the vertex weights are missing"},
        mistake{"listed at one end", metis, "3 2\n2\n3\n2 1\n",
                "FILE:2: vertex 1 has neighbour 2, whose line 3 does not list it alike: METIS "
                "graphs are undirected"},
        mistake{"one end, behind comments", metis, "% c\n3 2\n% c\n2\n% c\n1 1\n\n% c\n",
                "FILE:2: the header says 2 edges (twice as many ids), the file holds 3 ids"},
        mistake{"another weight at one end", metis, "3 2 1\n2 5\n% c\n1 5 3 4\n% c\n2 9\n",
                "FILE:4: vertex 2 has neighbour 3, whose line 6 does not list it alike: METIS "
                "graphs are undirected"}));

INSTANTIATE_TEST_SUITE_P(
    webgraph, bad_text,
    testing::Values(
        mistake{"empty", web, "", "FILE:1: the file is empty"},
        mistake{"no vertices", web, "0\n", "FILE:1: the graph has no vertices"},
        mistake{"header", web, "3 4\n", "FILE:1: unexpected '4' at the end of the line"},
        mistake{"out of range", web, "2\n1\n0 2\n", "FILE:3: successor 2 is outside 0..1"},
        mistake{"truncated", web, "3\n1\n0\n",
                "FILE:1: the header says 3 vertices, the file holds lines for 2"},
        mistake{"more lines", web, "2\n1\n0\n1\n",
                "FILE:4: more lines than the 2 vertices of the first line"}));

TEST(unknown_format, lists_the_formats) {
  EXPECT_EQ(complaint("hello world\n", file_format::automatic),
            "FILE:1: not a graph in a known format; name one if it is (" + format_names() +
                "); names need commas or tabs between them");
  EXPECT_EQ(complaint("", file_format::automatic), "FILE:1: the file is empty");
  // What has no lines gets none.
  EXPECT_TRUE(complaint(std::string("\x7f\x45\x02\0\1", 5), file_format::automatic)
                  .starts_with("FILE: byte 0: not a graph in a known format"));
}

TEST(files, that_are_missing_or_folders) {
  scratch_folder folder;
  try {
    read_graph(folder.file("none.mtx"));
    FAIL();
  } catch (const input_error& e) {
    EXPECT_EQ(e.what(), folder.file("none.mtx") + ": cannot be opened: No such file or directory");
  }
  EXPECT_THROW(read_graph(folder.file("")), input_error);
}

TEST(partition, reads_one_part_a_line_and_names_mistakes) {
  scratch_folder folder;
  const std::string path = folder.file("graph.part.3");
  auto with = [&](const char* text) -> std::string {
    std::ofstream(path) << text;
    try {
      read_partition(path, 3, 3);
    } catch (const input_error& e) {
      return std::string(e.what()).substr(path.size());
    }
    return "";
  };
  EXPECT_EQ(with("2\n0\n1\n"), "");
  EXPECT_EQ(read_partition(path, 3), (std::vector<std::int32_t>{2, 0, 1}));
  EXPECT_EQ(with("2\n0\n"), ":3: the partition ends after 2 of 3 vertices");
  EXPECT_EQ(with("2\n0\n1\n1\n"), ":4: more lines than the graph's 3 vertices");
  EXPECT_EQ(with("2\n3\n1\n"), ":2: part 3 is outside 0..2");
  EXPECT_EQ(with("2\n-1\n1\n"), ":2: negative part '-1'");
  EXPECT_EQ(with("2\n1 1\n1\n"), ":2: unexpected '1' at the end of the line");
  EXPECT_EQ(with("2\nx\n1\n"), ":2: expected part, found 'x'");
}

}  // namespace
}  // namespace gossamer

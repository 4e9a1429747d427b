#include "sim/base/log_input.hpp"

#include <zlib.h>

#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("Byte order marks go where a line begins, however little is read at a time") {
  std::string const mark = "\xEF\xBB\xBF";
  TemporaryFile const file(mark + "a\n" + mark + mark + "b " + mark + "c\n\xEF\xBB" + "d\n\xEF\n" +
                           mark + "\n" + mark);
  for (std::size_t const size : {1, 2, 3, 4, 5, 100}) {
    LogInput input(file.path());
    std::string text;
    std::string part(size, ' ');
    while (std::size_t const got = input.read(part.data(), size)) text.append(part, 0, got);
    CHECK(text == "a\nb " + mark + "c\n\xEF\xBB" + "d\n\xEF\n\n");
  }
  // Text at the end that could begin one is there.
  TemporaryFile const cut("a\n\xEF\xBB");
  LogInput input(cut.path());
  char text[8];
  std::size_t const first = input.read(text, 3);
  CHECK(std::string_view(text, first + input.read(text + first, 5)) == "a\n\xEF\xBB");
}

TEST_CASE("A small file that unpacks to more than any record does is refused on the way") {
  TemporaryFile const file("");
  gzFile const packed = gzopen(file.path().c_str(), "wb9");
  std::string const piece(std::size_t{1} << 20U, 'a');
  for (int i = 0; i < 100; ++i) gzwrite(packed, piece.data(), static_cast<unsigned>(piece.size()));
  gzclose(packed);
  CHECK_THROWS_WITH(read_record_text(file.path()), has_text("gets too long when it is unpacked"));
}

}  // namespace gridcast::test

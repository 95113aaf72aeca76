// Input: patterns separated by blanks, line feed, URL. What is stripped is stripped for good and changes
// nothing else; a verdict is the same with wider limits or better.
#include "crawler/traps.h"

#include <cstdlib>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (end != 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const auto url = base::Url::parse(input.substr(end + 1));
  if (!url) return 0;

  const std::vector<std::string> patterns = words_of(input.substr(0, end));
  const base::Url stripped = crawler::strip(*url, patterns);
  check(crawler::strip(stripped, patterns) == stripped);
  check(stripped.origin_text() == url->origin_text() && stripped.path() == url->path());
  check(stripped == *url || stripped.text().size() < url->text().size());
  check(crawler::strip(*url, {}) == *url);

  config::Traps limits;
  const auto before = crawler::trap_of(*url, limits);
  limits.max_repeats += 1;
  const auto after = crawler::trap_of(*url, limits);
  check(after == before || before == crawler::Trap::repeats);
  limits = {8192, 8192, 8192, 8192, 1, 0};
  check(!crawler::trap_of(*url, limits));
  return 0;
}

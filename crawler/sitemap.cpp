// Octets go through in pieces: unfolded when they are gzip, counted, and on to whoever reads that kind of
// file, which its first octets tell.
#include "crawler/sitemap.h"

#include "crawler/html_text.h"
#include "crawler/sitemap_entries.h"
#include "fetch/coding.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace crawler {
namespace {

/// One URL a line, in UTF-8.
class SitemapText {
 public:
  explicit SitemapText(SitemapEntries& entries) : entries_(entries) { line_.start(); }

  void feed(std::string_view octets) {
    for (std::size_t end = 0; (end = octets.find('\n')) != std::string_view::npos;
         octets.remove_prefix(end + 1)) {
      if (entries_.full()) return;
      line_.add(octets.substr(0, end));
      end_line();
    }
    line_.add(octets);
  }
  void end_line() {
    const std::string_view line = line_.end();
    if (!line.empty() || line_.cut()) {
      auto url = base::Url::parse(line);
      // Only a file that has a URL is a sitemap; any other text is lines, too.
      if (url) entries_.sitemap().kind = Sitemap::Kind::text;
      entries_.add(std::move(url), {});
    }
    line_.start();
  }

 private:
  SitemapEntries& entries_;
  XmlText line_;
};

class SitemapReader {
 public:
  SitemapReader(const base::Url& url, std::string_view host, Sitemap& sitemap)
      : sitemap_(sitemap),
        entries_(url, host, sitemap),
        handler_(entries_),
        xml_(handler_, ""),
        text_(entries_) {}

  /// False when no more are wanted.
  bool feed(std::string_view octets) {
    const std::size_t room = kSitemapOctetsMax - octets_;
    octets_ += std::min(room, octets.size());
    if (octets.size() > room) {
      pass(octets.substr(0, room));
      stop(fmt::format("more than {} octets", kSitemapOctetsMax));
      return false;
    }
    return pass(octets);
  }

  void stop(std::string why) {
    if (sitemap_.problem.empty()) sitemap_.problem = std::move(why);
    stopped_ = true;
  }

  void finish() {
    if (form_ == Form::text) {
      if (!stopped_) text_.end_line();  // what was cut off may be half a URL
      if (sitemap_.kind == Sitemap::Kind::none) stop("neither XML nor a list of URLs");
    } else if (form_ == Form::xml) {
      if (!stopped_) xml_.finish();
      handler_.finish();
      if (sitemap_.problem.empty()) sitemap_.problem = xml_.problem();
    } else {
      stop("empty");
    }
  }

 private:
  enum class Form { unknown, xml, text };

  bool pass(std::string_view octets) {
    if (form_ == Form::unknown) {
      octets = without_leading_space(octets);
      if (octets.empty()) return true;
      const bool marked = octets.starts_with("\xFE\xFF") || octets.starts_with("\xFF\xFE");
      if (octets.starts_with("\xEF\xBB\xBF")) octets = without_leading_space(octets.substr(3));
      form_ = octets.starts_with('<') || marked ? Form::xml : Form::text;
    }
    const bool more = form_ != Form::xml || xml_.feed(octets);
    if (form_ == Form::text) text_.feed(octets);
    if (entries_.full()) stop("too many entries that are of no use");
    return more && !stopped_;
  }

  Sitemap& sitemap_;
  SitemapEntries entries_;
  SitemapXml handler_;
  XmlReader xml_;
  SitemapText text_;
  Form form_ = Form::unknown;
  std::size_t octets_ = 0;
  bool stopped_ = false;
};

void unfold(std::string_view body, SitemapReader& reader) {
  const auto gzip = fetch::make_gzip();
  std::array<char, kXmlPieceOctets> piece;
  using Step = fetch::CodingStream::Step;
  for (Step step = Step::full; step == Step::full;) {
    std::span<char> room(piece);
    step = gzip->step(body, room);
    if (!reader.feed({piece.data(), piece.size() - room.size()})) return;
    if (step == Step::bad || step == Step::large) reader.stop("broken gzip");
  }
  if (!gzip->complete()) reader.stop("gzip that ends early");
}

}  // namespace

std::string_view to_string(Sitemap::Kind kind) {
  switch (kind) {
    case Sitemap::Kind::none: return "none";
    case Sitemap::Kind::urlset: return "urlset";
    case Sitemap::Kind::index: return "index";
    case Sitemap::Kind::text: return "text";
    case Sitemap::Kind::rss: return "rss";
    case Sitemap::Kind::atom: return "atom";
  }
  return "unknown";
}

Sitemap read_sitemap(std::string_view body, const base::Url& url, std::string_view host) {
  Sitemap sitemap;
  SitemapReader reader(url, host, sitemap);
  if (body.starts_with("\x1f\x8b")) {
    unfold(body, reader);
  } else {
    reader.feed(body);
  }
  reader.finish();
  return sitemap;
}

}  // namespace crawler

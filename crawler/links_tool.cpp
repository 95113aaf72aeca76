#include "crawler/links_tool.h"

#include "base/escape.h"
#include "base/time_text.h"

#include <nlohmann/json.hpp>
#include <sysexits.h>

#include <istream>
#include <ostream>

namespace crawler {
namespace {

using Json = nlohmann::json;

std::vector<std::string> words_of(const IndexRules& rules) {
  std::vector<std::string> out;
  if (rules.nofollow) out.emplace_back("nofollow");
  if (rules.noindex) out.emplace_back("noindex");
  if (rules.noarchive) out.emplace_back("noarchive");
  if (rules.unavailable_after) out.push_back("unavailable_after: " + base::rfc3339(*rules.unavailable_after));
  return out;
}

std::string one_line(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json page_json(const Page& page) {
  Json links = Json::array();
  for (const Link& link : page.links)
    links.push_back({{"url", link.url.text()}, {"kind", to_string(link.kind)}, {"nofollow", link.nofollow}});
  return {{"links", std::move(links)},
          {"kind", to_string(page.kind)},
          {"title", page.title},
          {"canonical", page.canonical ? Json(page.canonical->text()) : Json(nullptr)},
          {"charset", page.charset},
          {"rules", words_of(page.rules)},
          {"dropped", page.dropped}};
}

void show(const Page& page, std::ostream& out) {
  for (const Link& link : page.links)
    out << to_string(link.kind) << (link.nofollow ? " nofollow " : " ") << link.url.text() << '\n';
  out << "kind:      " << to_string(page.kind) << '\n';
  if (!page.title.empty()) out << "title:     " << base::escaped(page.title) << '\n';
  if (!page.charset.empty()) out << "charset:   " << page.charset << '\n';
  out << "rules:     ";
  const auto rules = words_of(page.rules);
  for (std::size_t i = 0; i < rules.size(); ++i) out << (i > 0 ? ", " : "") << rules[i];
  out << (rules.empty() ? "none" : "") << "\ndropped:   " << page.dropped << '\n';
}

/// JSON has no text for half a surrogate pair, and browsers read it as U+FFFD: so do we.
std::string without_lone_surrogates(std::string text) {
  const auto unit = [&](std::size_t at) {
    const bool escape = at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u';
    return escape ? std::strtoul(text.substr(at + 2, 4).c_str(), nullptr, 16) : 0UL;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') continue;
    const unsigned long first = unit(i);
    const unsigned long second = first == 0 ? 0 : unit(i + 6);
    if (first >= 0xD800 && first < 0xDC00 && second >= 0xDC00 && second < 0xE000) {
      i += 11;
    } else if (first >= 0xD800 && first < 0xE000) {
      text.replace(i + 2, 4, "FFFD");
      i += 5;
    } else {
      ++i;
    }
  }
  return text;
}

base::Result<base::Url> read_pair(const std::string& input, const Json& base) {
  if (base.is_null()) return base::Url::parse(input);
  const auto document = base::Url::parse(base.get<std::string>());
  if (document) return base::Url::resolve(input, *document);
  const bool other_scheme = document.error() == make_error_code(base::UrlError::not_http);
  return other_scheme ? base::Url::parse(input) : document;
}

}  // namespace

int answer_links(const LinksQuestion& question, std::ostream& out) {
  const Page page = read_page(question.body, question.content_type, "", question.url, question.options);
  if (question.json) {
    out << one_line(page_json(page), 2) << '\n';
  } else {
    show(page, out);
  }
  out.flush();
  return out ? EX_OK : EX_IOERR;
}

int answer_urls(const std::vector<std::string>& texts, const std::optional<base::Url>& base,
                std::ostream& out, std::ostream& talk) {
  int code = EX_OK;
  for (const std::string& text : texts) {
    const auto url = base ? base::Url::resolve(text, *base) : base::Url::parse(text);
    if (url) {
      out << url->text() << '\n';
    } else {
      talk << base::escaped(text) << ": " << url.error().message() << '\n';
      code = EX_DATAERR;
    }
  }
  out.flush();
  return out ? code : EX_IOERR;
}

int answer_url_lines(std::istream& in, std::ostream& out, std::ostream& talk) {
  int code = EX_OK;
  std::string text;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json reply = {{"href", nullptr}};
    try {
      const Json question = Json::parse(without_lone_surrogates(text));
      const auto url =
          read_pair(question.at("input").get<std::string>(), question.value("base", Json(nullptr)));
      if (url) reply["href"] = url->text();
    } catch (const std::exception& failure) {
      talk << "line " << number << ": " << base::escaped(failure.what()) << '\n';
      code = EX_DATAERR;
    }
    out << one_line(reply, -1) << '\n';
  }
  out.flush();
  return out ? code : EX_IOERR;
}

}  // namespace crawler

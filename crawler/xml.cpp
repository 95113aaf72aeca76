#include "crawler/xml.h"

#include "crawler/charset.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <vector>

namespace crawler {
namespace {

/// The one code point that `octets` are, or -1.
int code_point(std::string_view octets, const Charset& charset) {
  const std::string text = decoded(octets, charset);
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.size() == 1) return at(0);
  if (text.size() == 2) return (at(0) & 0x1F) << 6 | (at(1) & 0x3F);
  if (text.size() != 3 || text == "\xEF\xBF\xBD") return -1;
  return (at(0) & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F);
}

/// What pairs of octets mean, each found out once: a document has few different ones, and iconv is slow by
/// the letter.
struct Pairs {
  static constexpr int kNotYet = -2;
  const Charset& charset;
  std::vector<int> codes = std::vector<int>(std::size_t{1} << 16U, kNotYet);

  static int code(void* data, const char* octets) {
    Pairs& self = *static_cast<Pairs*>(data);
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(octets[i]); };
    int& found = self.codes[static_cast<std::size_t>(at(0) << 8U | at(1))];
    if (found == kNotYet) found = code_point({octets, 2}, self.charset);
    return found;
  }
  static void release(void* data) { delete static_cast<Pairs*>(data); }
};

bool is_multibyte(const Charset& charset) {
  for (const char* name : {"gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"}) {
    if (charset.name == name) return true;
  }
  return false;
}

/// Encodings that Expat does not know by itself: those of one octet, and pairs of the Asian ones.
int unknown_encoding(void*, const XML_Char* name, XML_Encoding* info) {
  const Charset* charset = charset_labelled(name);
  if (charset == nullptr || charset->decoder == nullptr || !charset->like_ascii()) return XML_STATUS_ERROR;
  for (int octet = 0; octet < 256; ++octet) {
    const char c = static_cast<char>(octet);
    info->map[octet] = octet < 0x80 ? octet : code_point({&c, 1}, *charset);
    if (info->map[octet] == -1 && is_multibyte(*charset)) info->map[octet] = -2;
  }
  info->data = new Pairs{*charset};
  info->convert = Pairs::code;
  info->release = Pairs::release;
  return XML_STATUS_OK;
}

}  // namespace

struct XmlReader::State {
  XmlHandler& handler;
  XML_Parser parser = nullptr;
  std::size_t depth = 0;
  std::size_t elements = 0;
  std::size_t fed = 0;
  bool over = false;
  std::string problem;

  explicit State(XmlHandler& h) : handler(h) {}

  void stop(std::string why) {
    over = true;
    problem = std::move(why);
    XML_StopParser(parser, XML_FALSE);
  }

  static State& of(void* data) { return *static_cast<State*>(data); }

  static void start(void* data, const XML_Char* name, const XML_Char** attributes) {
    State& self = of(data);
    if (self.over) return;
    if (++self.elements > kXmlElementsMax) return self.stop("too many elements");
    if (++self.depth > kXmlDepthMax) return self.stop("elements too deep in one another");
    if (!self.handler.start(name, XmlAttributes(attributes), self.depth)) self.stop({});
  }
  static void end(void* data, const XML_Char*) {
    State& self = of(data);
    if (!self.over) self.handler.end(self.depth--);
  }
  static void text(void* data, const XML_Char* text, int size) {
    State& self = of(data);
    if (!self.over) self.handler.text({text, static_cast<std::size_t>(size)});
  }
  static void doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*,
                      int has_internal_subset) {
    if (has_internal_subset != 0) of(data).stop("a DOCTYPE with declarations");
  }
  static void entity(void* data, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                     const XML_Char*, const XML_Char*) {
    of(data).stop("an entity declaration");
  }

  bool parse(std::string_view piece, bool last) {
    fed += piece.size();
    const auto status = XML_Parse(parser, piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
    if (over) return false;
    if (status != XML_STATUS_OK) {
      over = true;
      problem = fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser),
                            XML_ErrorString(XML_GetErrorCode(parser)));
      return false;
    }
    const auto read = static_cast<std::size_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser)));
    if (!last && fed > read && fed - read > kXmlTokenMax) stop("a tag or comment too long");
    return !over;
  }
};

XmlReader::XmlReader(XmlHandler& handler, std::string_view encoding)
    : state_(std::make_unique<State>(handler)) {
  // Expat knows no labels: what the standard calls UTF-8 or UTF-16 is told by the standard's name.
  const Charset* charset = charset_labelled(encoding);
  const std::string name(charset == nullptr ? "" : charset->name);
  state_->parser = XML_ParserCreate(name.empty() ? nullptr : name.c_str());
  if (state_->parser == nullptr) throw std::bad_alloc();
  XML_SetUserData(state_->parser, state_.get());
  XML_SetElementHandler(state_->parser, State::start, State::end);
  XML_SetCharacterDataHandler(state_->parser, State::text);
  XML_SetStartDoctypeDeclHandler(state_->parser, State::doctype);
  XML_SetEntityDeclHandler(state_->parser, State::entity);
  XML_SetUnknownEncodingHandler(state_->parser, unknown_encoding, nullptr);
  XML_SetParamEntityParsing(state_->parser, XML_PARAM_ENTITY_PARSING_NEVER);
}

XmlReader::~XmlReader() {
  XML_ParserFree(state_->parser);
}

bool XmlReader::feed(std::string_view octets) {
  while (!octets.empty() && !state_->over) {
    const std::string_view piece = octets.substr(0, kXmlPieceOctets);
    octets.remove_prefix(piece.size());
    state_->parse(piece, false);
  }
  return !state_->over;
}

void XmlReader::finish() {
  if (!state_->over) state_->parse({}, true);
}

const std::string& XmlReader::problem() const {
  return state_->problem;
}

std::string_view XmlAttributes::operator[](std::string_view name) const {
  for (const char* const* pair = pairs_; *pair != nullptr; pair += 2) {
    if (name == pair[0]) return pair[1];
  }
  return {};
}

std::string_view local_name(std::string_view name) {
  return name.substr(name.rfind(':') + 1);
}

}  // namespace crawler

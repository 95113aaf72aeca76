// libidn2 checks names as a registry does, browsers only as UTS #46 asks. Where the two differ, browsers win:
// - a domain that is all ASCII is taken as it is, `xn--` labels included;
// - ASCII labels of other domains, too, so that `-a-.é.com` and `r3---sn.é.com` pass;
// - symbols such as U+2603 are refused by libidn2 unless it is told to process the transitional way, which
// differs
//   for four code points only: a label with one of those keeps its refusal;
// - hyphens may stand anywhere: libidn2 is shown another octet in their place.
#include "base/idn.h"

#include <idn2.h>

#include <algorithm>
#include <memory>

namespace base {
namespace {

/// Takes the place of a hyphen before libidn2. Punycode copies ASCII and only counts it, so that it can be
/// put back.
constexpr char kHyphenStandIn = '!';

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_a_label(std::string_view label) {
  return label.size() >= 4 && (label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n' &&
         label.substr(2, 2) == "--";
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// The four code points of which transitional processing thinks differently.
bool has_deviation(std::string_view label) {
  for (const std::string_view deviation : {"\u00DF", "\u03C2", "\u200C", "\u200D"}) {
    if (label.find(deviation) != std::string_view::npos) return true;
  }
  return false;
}

struct Answer {
  int code = IDN2_OK;
  std::string label;
};

Answer ask(const std::string& label, int flags) {
  struct Free {
    void operator()(char* p) const { idn2_free(p); }
  };
  char* raw = nullptr;
  Answer answer;
  answer.code = idn2_to_ascii_8z(label.c_str(), &raw, flags | IDN2_NFC_INPUT);
  const std::unique_ptr<char, Free> owned(raw);
  if (answer.code == IDN2_OK && raw != nullptr) answer.label = raw;
  return answer;
}

Answer ask_as_browser(const std::string& label) {
  // The round trip would refuse ASCII that a host may not hold; the caller does. Labels that come as `xn--`
  // need it.
  const int round_trip = is_a_label(label) ? 0 : static_cast<int>(IDN2_NO_ALABEL_ROUNDTRIP);
  Answer answer = ask(label, static_cast<int>(IDN2_NONTRANSITIONAL) | round_trip);
  if (answer.code == IDN2_DISALLOWED && !has_deviation(label)) {
    answer = ask(label, static_cast<int>(IDN2_TRANSITIONAL) | round_trip);
  }
  return answer;
}

Answer ask_without_hyphens(std::string label) {
  replace_all(label, "\uFF0D", "-");
  const auto hyphens = std::count(label.begin(), label.end(), '-');
  std::replace(label.begin(), label.end(), '-', kHyphenStandIn);
  Answer answer = ask_as_browser(label);
  if (answer.code != IDN2_OK) return answer;
  std::string& text = answer.label;
  if (std::count(text.begin(), text.end(), kHyphenStandIn) != hyphens) answer.code = IDN2_DISALLOWED;
  std::replace(text.begin(), text.end(), kHyphenStandIn, '-');
  return answer;
}

bool needs_mapping(std::string_view label) {
  return !is_ascii(label) || is_a_label(label);
}

bool append_mapped(std::string label, std::string& out) {
  if (label.size() > kIdnLabelOctetsMax || label.find('\0') != std::string::npos) return false;
  replace_all(label, "\u1E9E", "\u00DF");  // since Unicode 15.1; libidn2 still says "ss"
  Answer answer = ask_as_browser(label);
  const bool hyphens = answer.code == IDN2_HYPHEN_STARTEND || answer.code == IDN2_2HYPHEN;
  if (hyphens && !is_a_label(label)) answer = ask_without_hyphens(std::move(label));
  out += answer.label;
  return answer.code == IDN2_OK;
}

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view domain) {
  if (is_ascii(domain)) return std::string(domain);
  if (domain.size() > kIdnOctetsMax) return std::nullopt;
  std::string whole(domain);
  for (const std::string_view dot : {"\u3002", "\uFF0E", "\uFF61"}) replace_all(whole, dot, ".");
  std::string ascii;
  std::size_t mapped = 0;
  for (std::size_t start = 0;;) {
    const std::size_t dot = whole.find('.', start);
    const std::string label = whole.substr(start, dot - start);
    if (!needs_mapping(label)) {
      ascii += label;
    } else if (++mapped > kIdnLabelsMax || !append_mapped(label, ascii)) {
      return std::nullopt;
    }
    if (dot == std::string::npos) return ascii;
    ascii += '.';
    start = dot + 1;
  }
}

}  // namespace base

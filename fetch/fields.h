#pragma once
// Small words of HTTP fields (RFC 9110 §5.6).
#include <string_view>

namespace fetch {

/// Equal when ASCII case does not matter.
bool same_word(std::string_view a, std::string_view b);

/// Without blanks (SP, HT) at both ends.
std::string_view trimmed(std::string_view text);

/// Takes the next element of a comma-separated list from the front of `rest`, without blanks around it.
std::string_view next_element(std::string_view& rest);

}  // namespace fetch

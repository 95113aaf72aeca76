#pragma once
// Links, rules and title of one HTML document.
#include "crawler/charset.h"
#include "crawler/html_tokenizer.h"
#include "crawler/link_set.h"
#include "crawler/links.h"

namespace crawler {

/// Adds what `html` in `charset`, found at `url`, leads to and asks for. Encodings that are not like ASCII
/// are decoded before.
void read_html(std::string_view html, const Charset& charset, bool xml, const base::Url& url,
               const PageOptions& options, Page& page, LinkSet& links);

/// Text as it may be shown: UTF-8 (U+FFFD for what is none), white space and controls collapsed into blanks,
/// at most kTitleOctetsMax octets.
std::string title_text(std::string_view text);

}  // namespace crawler

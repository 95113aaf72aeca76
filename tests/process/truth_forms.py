"""The forms in which one page refers to another, each with what a crawler has to make of it, and the traps beside them.

Every form has a page of its own (/c/NAME) and names what it leads to, by default /t/NAME. What it must not lead to is mostly /no/NAME: a
request for anything that no form leads to is a mistake. Expectations are written down, not computed by rules that a crawler has too.

In the templates `$to`, `$no` and `$part` stand for /t/NAME, /no/NAME and /e/NAME; truth_site.py says what else there is. HTML is as WHATWG
HTML §13.2 reads it with scripting off, a reference as the WHATWG URL Standard does.
"""

import dataclasses

LONG = 1700  # octets of a query that is not too long for traps.max_url_length, 2048
TOO_LONG = 2500


@dataclasses.dataclass(frozen=True)
class Page:
    """What the server answers. `whole` is the document when head and body do not make it."""

    body: str = ""
    head: str = ""
    whole: str | None = None
    status: int = 200
    kind: str = "text/html"
    fields: tuple[tuple[str, str], ...] = ()
    codec: str | None = None  # None: that of the site, which also says so; else the octets are these and no charset is named
    packed: bool = False  # in gzip, without a Content-Encoding


@dataclasses.dataclass(frozen=True)
class Form:
    """`pages`: target -> page. What is in `leads` and has no page gets one without links. A target may have an origin in front."""

    name: str
    pages: dict[str, Page]
    leads: tuple[str, ...] = ("$to",)
    embeds: tuple[str, ...] = ()  # further ones, when parts of pages are visited
    robots: str = ""  # lines of robots.txt


CARRIER = "/c/$name"
GOOD = '<a href="$to">good</a>'


def form(name: str, page: Page, *leads: str, **rest) -> Form:
    return Form(name, {CARRIER: page}, leads or ("$to",), **rest)


# --- elements and attributes: all of these lead to $to ---

ELEMENTS = {
    "a": '<a href="$to">x</a>',
    "a-single-quotes": "<a href='$to'>x</a>",
    "a-unquoted": "<a href=$to>x</a>",
    "a-unquoted-first": "<a href=$to class=x>x</a>",
    "a-upper-case": '<A HREF="$to">x</A>',
    "a-mixed-case": '<a hReF="$to">x</a>',
    "a-spaces-around-equals": '<a href = "$to" >x</a>',
    "a-line-ends-in-tag": "<a\nid=x\r\n\thref\n=\n'$to'\f>x</a>",
    "a-slash-before-attribute": '<a/href="$to"/>x',
    "a-attributes-without-space": '<a title="x"href="$to">x</a>',
    "a-greater-in-attribute": '<a title="a > b" href="$to">x</a>',
    "a-less-in-attribute": "<a title='<a href=\"$no\">' href=\"$to\">x</a>",
    "a-quote-in-attribute": "<a title=\"it's\" data-x='\"' href=\"$to\">x</a>",
    "a-many-attributes": "<a " + " ".join(f'data-{n}="/no/$name"' for n in range(60)) + ' href="$to">x</a>',
    "a-first-of-two": '<a href="$to" href="$no">x</a>',
    "a-first-of-two-cases": '<a HREF="$to" href="$no">x</a>',
    "a-never-closed": '<p><a href="$to">x<p>y<a href="$to">',
    "a-within-a": '<a href="/c/a">x<a href="$to">y</a></a>',
    "a-block-inside": '<a href="$to"><div><h1>x</h1></div></a>',
    "a-in-table": '<table><a href="$to">x</a><tr><td>y</table>',
    "a-in-form": '<form action="$no"><input formaction="$no"><button formaction="$no">x</button><a href="$to">x</a></form>',
    "a-in-noscript": '<noscript><a href="$to">x</a></noscript>',
    "a-in-svg": '<svg><g><a href="$to"><text>x</text></a></g></svg>',
    "a-in-svg-style": '<svg><style><a href="$to">x</a></style></svg>',
    "a-in-svg-title": '<svg><title><a href="$to">x</a></title></svg>',
    "a-in-math": '<math><mtext><a href="$to">x</a></mtext></math>',
    "a-after-svg-style-closed-itself": '<svg><style/><a href="$to">x</a></svg>',
    "a-after-stray-end-tags": '</div></p></table></svg></script></body></html><a href="$to">x</a>',
    "a-after-odd-less": '<p>1 < 2 <> <3 </> </ > <<a href="$to">x</a>',
    "a-after-empty-comment": '<!--><a href="$to">x</a><!---->',
    "a-after-dash-comment": '<!---><a href="$to">x</a>',
    "a-after-banged-comment": '<!-- x --!><a href="$to">x</a>',
    "a-after-dashes": '<!-- a -- b --- c ---><a href="$to">x</a>',
    "a-after-script": "<script>if (a < b) '</scr' + 'ipt>'</script ><a href=\"$to\">x</a>",
    "a-after-style": '<style>p > a { content: "<" }</STYLE\n><a href="$to">x</a>',
    "a-after-textarea": '<textarea></textare></textarea/><a href="$to">x</a>',
    "a-after-nul": 'x\0y<a href="$to">x</a>',
    "a-nofollower": '<a rel="nofollower noopener noreferrer external" href="$to">x</a>',
    "a-followed-too": '<a rel=nofollow href="$to">x</a><a href="$to">y</a>',
    "a-rel-first-of-two": '<a rel=next rel=nofollow href="$to">x</a>',
    "a-twice": '<a href="$to">x</a><a href="$to#y">y</a><area href="$to">',
    "area": '<map name=m><area shape=rect coords="0,0,1,1" href="$to"></map>',
    "area-upper-case": "<MAP><AREA HREF='$to'/></MAP>",
    "iframe": '<iframe src="$to">x</iframe>',
    "iframe-unquoted": "<iframe src=$to></iframe>",
    "link-in-body": '<p>x<link rel=next href="$to">',
}

HEADS = {
    "link-canonical": '<link rel="canonical" href="$origin$to">',
    "link-alternate": '<link rel=alternate hreflang=de href="$to">',
    "link-alternate-media": '<link rel="alternate" media="only screen and (max-width: 640px)" href="../t/$name"/>',
    "link-next": "<link href='$to' rel='next'>",
    "link-prev": '<link rel="prev" href="$to">',
    "link-rel-words": '<link rel="\tfoo  NEXT bar" href="$to">',
    "link-upper-case": '<LINK REL="CANONICAL" HREF="$to">',
    "link-in-noscript": '<noscript><link rel=alternate href="$to"></noscript>',
    "refresh": '<meta http-equiv="refresh" content="0;url=$to">',
    "refresh-upper-case": '<META CONTENT="5; URL=$to" HTTP-EQUIV="Refresh">',
    "refresh-quoted": "<meta http-equiv=refresh content=\"0; url = '$to' x\">",
    "refresh-without-url": '<meta http-equiv="refresh" content="3;$to">',
    "refresh-comma": '<meta http-equiv="refresh" content="1.5, url=../t/$name">',
    "refresh-absolute": '<meta http-equiv="refresh" content="  10  ;  url=$origin$to#x">',
    "refresh-in-noscript": '<noscript><meta http-equiv=refresh content="0;url=$to"></noscript>',
    "refresh-entity": '<meta http-equiv=refresh content="0;url=&sol;t&#47;$name">',
    "robots-noindex": f'<meta name=robots content="noindex, noarchive">{GOOD}',
    "robots-follow": f'<meta name=robots content="noindex,follow">{GOOD}',
    "robots-others": f'<meta name=otherbot content="nofollow"><meta name=googlebot content="none">{GOOD}',
    "robots-in-property": f'<meta property=robots content="nofollow">{GOOD}',
    "robots-preview-none": f'<meta name=robots content="max-image-preview:none, max-snippet:-1">{GOOD}',
    "robots-in-comment": f'<!-- <meta name=robots content="nofollow"> -->{GOOD}',
    "base-path": '<base href="/t/"><a href="$name">x</a>',
    "base-absolute": '<base href="$origin/t/x/y"><a href="../$name">x</a>',
    "base-relative": '<base href="../t/x"><a href="$name">x</a>',
    "base-protocol-relative": '<base href="//$authority/t/"><a href="./$name">x</a>',
    "base-late": '<a href="$name">x</a><base href="/t/">',
    "base-in-body": '</head><body><p>x<base href="/t/"><a href="$name">x</a>',
    "base-first-of-two": '<base href="/t/"><base href="/no/"><a href="$name">x</a>',
    "base-without-href": '<base target=_top><base href="/t/"><a href="$name">x</a>',
    "base-javascript": '<base href="javascript:x"><base href="/no/"><a href="../t/$name">x</a>',
    "base-in-comment": '<!-- <base href="/no/"> --><base href="/t/"><a href="$name">x</a>',
    "base-of-link": '<base href="/t/"><link rel=next href="$name">',
    "base-of-refresh": '<base href="/t/"><meta http-equiv=refresh content="0;url=$name">',
    "base-of-frame": '<base href="/t/"></head><body><iframe src="$name"></iframe>',
    "base-entity": '<base href="&#47;t&#x2f;"><a href="$name">x</a>',
}

# --- spelling of a reference: as written in href="...", and what is asked for when that is not $to ---

SPELLINGS: dict[str, str | tuple[str, str]] = {
    "relative": "../t/$name",
    "relative-dot": "./../t/./$name",
    "dot-segments": "/x/./../t/y/../$name",
    "dots-above-root": "/../../t/$name",
    "dots-encoded": "/t/x/%2e%2E/$name",
    "dots-half-encoded": "/t/x/.%2e/$name",
    "dot-at-end": ("$to/.", "$to/"),
    "dots-at-end": ("$to/x/..", "$to/"),
    "three-dots": ("$to/.../x", "$to/.../x"),
    "slash-at-end": ("$to/", "$to/"),
    "empty-segments": ("/t//$name//x", "/t//$name//x"),
    "absolute": "$origin$to",
    "protocol-relative": "//$authority$to",
    "next-host": ("$next$to/$host", "$next$to/$host"),
    "next-host-protocol-relative": ("//$next_authority$to/$host", "$next$to/$host"),
    "upper-case-host": "HTTP://$upper_host:$port$to",
    "scheme-with-path": "http:$to",
    "scheme-with-relative": "http:../t/$name",
    "slashes-too-many": "http:////$authority$to",
    "slashes-three": "///$authority$to",
    "backslashes": r"\t\$name",
    "backslash-one": r"..\t/$name",
    "backslash-authority": r"\\$authority\t\$name",
    "backslash-scheme": r"http:\\$authority\t\$name",
    "backslash-and-slash": r"/\$authority/t/$name",
    "backslash-query": (r"$to?a\b", r"$to?a\b"),
    "port-zeros": "http://$host:00$port$to",
    "user": "http://user@$authority$to",
    "user-and-password": "http://us%40er:pass:word@x@$authority$to",
    "host-percent": "http://$percent_host:$port$to",
    "host-wide": "http://$wide_host:$port$to",
    "host-other-dot": "http://$dotted_host:$port$to",
    "host-soft-hyphen": "http://&shy;$host:$port$to",
    "idn": ("http://b&uuml;cher.test:$port$to/$host", "$idn$to/$host"),
    "idn-upper-case": ("//B&Uuml;CHER.TEST:$port$to/$host", "$idn$to/$host"),
    "idn-combining": ("//bu&#x308;cher.test:$port$to/$host", "$idn$to/$host"),
    "idn-percent": ("//b%C3%BCcher.test:$port$to/$host", "$idn$to/$host"),
    "idn-ascii": ("//XN--Bcher-kva.test:$port$to/$host", "$idn$to/$host"),
    "address": ("$number$to/$host", "$number$to/$host"),
    "address-hexadecimal": ("http://0x7F.0x1f.0.0xC8:$port$to/$host", "$number$to/$host"),
    "address-octal": ("http://0177.037.0.0310:$port$to/$host", "$number$to/$host"),
    "address-one-number": ("http://2132738248:$port$to/$host", "$number$to/$host"),
    "address-three-numbers": ("http://127.31.200:$port$to/$host", "$number$to/$host"),
    "robots-allowed": ("/closed/open/$name", "/closed/open/$name"),
    "robots-rule-for-the-end": ("/x/$name.secret?x", "/x/$name.secret?x"),
    "fragment": "$to#part",
    "fragment-empty": "$to#",
    "fragment-like-url": "$to#/no/$name?a#b",
    "query-alone": ("?q=$name", "/c/$name?q=$name"),
    "query-empty": ("$to?", "$to?"),
    "query-like-path": ("$to?a=/../b//c?d&amp;/./", "$to?a=/../b//c?d&/./"),
    "query-order": ("$to?b=2&amp;a=1&amp;b=1", "$to?b=2&a=1&b=1"),
    "query-blanks": ("$to?a+b c%20d", "$to?a+b%20c%20d"),
    "query-quotes": ("$to?q='a&quot;b`{c}|d^e[f]", "$to?q=%27a%22b`{c}|d^e[f]"),
    "query-angles": ("$to?q=<a>", "$to?q=%3Ca%3E"),
    "query-word": ("$to?q=$word", "$to?q=$query_word"),
    "query-word-references": ("$to?q=$word_references", "$to?q=$query_word"),
    "query-letter": ("$to?q=&eacute;x", "$to?q=${query_letter}x"),
    "query-emoji": ("$to?q=&#x1F600;", "$to?q=$query_emoji"),
    "query-escapes-kept": ("$to?q=%c3%A9%41%zz%", "$to?q=%c3%A9%41%zz%"),
    "query-long": ("$to?" + "x" * LONG, "$to?" + "x" * LONG),
    "path-word": ("$to/$word", "$to/$path_word"),
    "path-word-references": ("$to/$word_references", "$to/$path_word"),
    "path-word-and-query": ("$to/$word/?$word", "$to/$path_word/?$query_word"),
    "path-emoji": ("$to/&#128512;", "$to/%F0%9F%98%80"),
    "path-blank": ("$to/a b", "$to/a%20b"),
    "path-quotes": ("$to/&quot;x'y`z", "$to/%22x'y%60z"),
    "path-braces": ("$to/{x}|[y]^", "$to/%7Bx%7D|[y]%5E"),
    "path-angles": ("$to/&lt;x>", "$to/%3Cx%3E"),
    "path-reserved": ("$to/;a=1,b:c@d!$$&amp;'()*+=~", "$to/;a=1,b:c@d!$$&'()*+=~"),
    "path-percent": ("$to/100%/%zz/%4", "$to/100%/%zz/%4"),
    "path-escapes-kept": ("$to/%41%2f%c3%a9", "$to/%41%2f%c3%a9"),
    "path-controls": ("$to/\x01\x7f", "$to/%01%7F"),
    "colon-in-path": ("./a:b/../../t/$name", "$to"),
    "spaces-around": " \n $to\t\r\n ",
    "form-feed-around": "\f$to\x1f",
    "line-ends-within": "/t\n/\t$name\r\n",
    "line-ends-in-scheme": "ht\ntp:/\t/$authority$to",
    "line-end-references": "/t&#10;/&NewLine;&Tab;$name",
    "entity-slash": "&sol;t&#47;$name",
    "entity-hexadecimal": "&#x2f;t&#X2F;$name",
    "entity-open": "&#47t&#47$name",
    "entity-colon": "http&colon;//$authority$to",
    "entity-amp": ("$to?a=1&amp;b=2", "$to?a=1&b=2"),
    "entity-bare-amp": ("$to?a=1&b=2", "$to?a=1&b=2"),
    "entity-double": ("$to?a&amp;amp;b", "$to?a&amp;b"),
    "entity-kept": ("$to?a=1&copy=2&ampb=3", "$to?a=1&copy=2&ampb=3"),
    "entity-unknown": ("$to?a&nosuch;b", "$to?a&nosuch;b"),
    "entity-open-at-end": ("$to?x&lt", "$to?x%3C"),
    "entity-nul": ("$to/&#0;", "$to/%EF%BF%BD"),
    "entity-windows": ("$to/&#128;", "$to/%E2%82%AC"),
    "entity-too-large": ("$to/&#x110000;", "$to/%EF%BF%BD"),
}
DEFAULT_PORT_SPELLINGS = {
    "port-default": ("http://port80.test$to/$host", "$port80$to/$host"),
    "port-80": ("http://port80.test:80$to/$host", "$port80$to/$host"),
    "port-empty": ("http://port80.test:$to/$host", "$port80$to/$host"),
    "port-zeros-80": ("http://PORT80.test:0080$to/$host", "$port80$to/$host"),
}

# --- references that lead nowhere; a good link stands behind each, so that the page was surely read ---

REFUSED = {
    "mailto": "mailto:a@$host?subject=$no",
    "javascript": "javascript:location='$no'",
    "javascript-upper-case": "JavaScript:location='$no'",
    "javascript-entity": "&#106;avascript:open('$no')",
    "javascript-line-end": "java\nscript:open('$no')",
    "tel": "tel:+49-89-1234",
    "ftp": "ftp://$authority$no",
    "data": "data:text/html,<a href='$no'>",
    "file": "file://$no",
    "websocket": "ws://$authority$no",
    "scheme-unknown": "httpx://$authority$no",
    "view-source": "view-source:$origin$no",
    "blob": "blob:$origin$no",
    "about": "about:blank",
    "fragment-alone": "#$no",
    "empty": "",
    "blanks-alone": " \n ",
    "port-too-large": "http://$host:65536$no",
    "port-no-number": "http://$host:8x$no",
    "host-empty": "http://",
    "host-with-blank": "http://$host x:$port$no",
    "host-with-percent": "http://$host%00:$port$no",
    "host-brackets": "http://[::1$no",
    "other-host": "http://outside.test:$port$no",
    "other-host-relative": "//outside.test:$port$no",
    "other-host-below": "http://sub.$host:$port$no",
    "other-host-behind-user": "http://$host@outside.test:$port$no",
    "other-host-before-backslash": r"http://outside.test:$port\@$authority$no",
    "other-host-before-fragment": "http://outside.test:$port#@$authority$no",
    "closed": "/closed/$name",
    "closed-encoded": "/close%64/$name",
    "closed-dots": "/x/../closed/$name",
    "closed-absolute": "$origin/closed/$name?x",
    "closed-suffix": "/x/$name.secret",
    "closed-word": "/%e4%b8%ad/$name",
    "too-long": "$no?" + "x" * TOO_LONG,
}

DECOYS = {
    "nofollow": '<a rel=nofollow href="$no">x</a>',
    "nofollow-upper-case": '<a REL="NoFollow" href="$no">x</a>',
    "nofollow-among-words": '<a href="$no" rel="external\nnofollow noopener">x</a>',
    "ugc": '<a rel="ugc" href="$no">x</a>',
    "sponsored": "<a rel='sponsored' href=\"$no\">x</a>",
    "nofollow-area": '<map><area rel=nofollow href="$no"></map>',
    "nofollow-link": '<link rel="alternate nofollow" href="$no">',
    "comment": '<!-- <a href="$no">x</a> -->',
    "comment-nested": '<!-- <!-- x --!-> <a href="$no">x</a> -->',
    "comment-of-browser": '<!--[if IE]><a href="$no">x</a><![endif]-->',
    "declaration": '<!x <a href="$no">',
    "processing-instruction": '<?php <a href="$no">?>',
    "cdata-in-html": '<![CDATA[ <a href="$no">x</a> ]]>',
    "cdata-in-svg": '<svg><![CDATA[ <a href="$no">x</a> ]]></svg>',
    "script": "<script>document.write('<a href=\"$no\">x</a>')</script>",
    "script-in-comment": '<script><!-- <script></script> <a href="$no">x</a> --></script>',
    "script-json": '<script type="application/ld+json">{"url": "$origin$no"}</script>',
    "style": '<style>a { background: url($no) } /* <a href="$no">x</a> */</style>',
    "style-import": '<style>@import "$no";</style><p style="background: url($no)">x</p>',
    "textarea": '<textarea><a href="$no">x</a></textarea>',
    "xmp": '<xmp><a href="$no">x</a></xmp>',
    "noframes": '<noframes><a href="$no">x</a></noframes>',
    "noembed": '<noembed><a href="$no">x</a></noembed>',
    "iframe-content": '<iframe><a href="$no">x</a></iframe>',
    "end-tag": '</a href="$no">x</p>',
    "other-attributes": '<a data-href="$no" hrefx="$no" xhref="$no" ping="$no" name="$no" src="$no">x</a>',
    "other-elements": '<div href="$no">x</div><abbr href="$no">y</abbr><q cite="$no">z</q><del cite="$no">d</del>',
    "text": "<p>$origin$no &lt;a href=\"$no\"&gt;</p>",
    "refresh-text": '<p>&lt;meta http-equiv="refresh" content="0;url=$no"&gt;</p>',
    "refresh-without-time": '<meta http-equiv="refresh" content="url=$no">',
    "refresh-other-name": '<meta name="refresh" content="0;url=$no">',
    "form": '<form action="$no"><input type=submit></form><button formaction="$no">x</button>',
    "link-without-rel": '<link href="$no"><link rel="" href="$no">',
    "link-other-rel": "".join(f'<link rel={rel} href="$no">' for rel in ("author", "license", "search", "preconnect", "me")),
}
DECOYS_AT_END = {
    "plaintext": '<plaintext><a href="$no">x</a>',
    "open-comment": '<!-- <a href="$no">x</a>',
    "open-script": '<script><a href="$no">x</a>',
    "open-textarea": '<textarea><a href="$no">x</a>',
    "open-tag": '<a href="$no" class=x',
    "open-attribute": '<a href="$no>x</a>',
}

# Rules for robots: (what stands in the head, fields of the answer, whether the page's links are followed).
RULES = {
    "meta-nofollow": ('<meta name="robots" content="nofollow">', (), False),
    "meta-none": ("<META NAME=ROBOTS CONTENT=NONE>", (), False),
    "meta-among-words": ("<meta name='Robots' content='noarchive , NoFollow,noindex'>", (), False),
    "meta-our-token": ('<meta name="crawld" content="index,nofollow">', (), False),
    "meta-late": ('</head><body><a href="$no">x</a><meta name=robots content=nofollow>', (), False),
    "tag-nofollow": ("", (("X-Robots-Tag", "nofollow"),), False),
    "tag-none": ("", (("x-robots-tag", "NONE"),), False),
    "tag-among-words": ("", (("X-Robots-Tag", "noindex,nofollow"),), False),
    "tag-our-token": ("", (("X-Robots-Tag", "crawld: noindex, nofollow"),), False),
    "tag-in-second-field": ("", (("X-Robots-Tag", "otherbot: noindex"), ("X-Robots-Tag", "nofollow")), False),
    "tag-after-others": ("", (("X-Robots-Tag", "otherbot: noindex, crawld: nofollow"),), False),
    "tag-noindex": ("", (("X-Robots-Tag", "noindex"),), True),
    "tag-other-token": ("", (("X-Robots-Tag", "otherbot: nofollow"),), True),
    "tag-other-token-words": ("", (("X-Robots-Tag", "otherbot: noindex, nofollow"),), True),
    "tag-date": ("", (("X-Robots-Tag", "unavailable_after: 25 Jun 2037 15:00:00 GMT"),), True),
}

# --- parts of pages: left alone, or visited when embeds are on ---

EMBEDS: dict[str, str | tuple[str, ...]] = {  # a tuple: the element, and what it leads to
    "img": '<img src="$part" alt="">',
    "img-upper-case": "<IMG ALT=x SRC=$part>",
    "img-srcset": ('<img srcset="$part/1, $part/2 2x,\n$part/3 300w">', "$part/1", "$part/2", "$part/3"),
    "img-srcset-comma": ('<img srcset="$part,x 1x">', "$part,x"),
    "img-srcset-data": ('<img srcset="data:image/png;base64,AAAA 1x, $part 2x">', "$part"),
    "img-src-and-srcset": ('<img src="$part" srcset="$part/2 2x">', "$part", "$part/2"),
    "picture-source": ('<picture><source srcset="$part 1x, $part/2 2x"><img src="/e/img"></picture>', "$part", "$part/2"),
    "source": "<video><source src='$part' type=video/mp4></video>",
    "video": '<video src="$part"></video>',
    "video-poster": '<video poster="$part"></video>',
    "audio": '<audio src="$part"></audio>',
    "link-stylesheet": '<link rel="stylesheet" href="$part">',
    "link-icon": '<link rel="shortcut icon" href="$part">',
    "script-src": '<script src="$part"></script>',
    "object": '<object data="$part"></object>',
    "embed": '<embed src="$part">',
}
NEVER_EMBEDS = {
    "link-alternate-style": '<link rel="alternate stylesheet" href="$part">',  # for a reader to choose
    "img-in-comment": '<!-- <img src="$part"> -->',
    "img-data": '<img src="data:image/png;base64,AAAA" data-src="$part">',
    "img-of-others": '<img src="http://outside.test:$port$part"><img src="/closed/$name">',
    "img-in-script": "<script>'<img src=\"$part\">'</script>",
    "img-in-textarea": '<textarea><img src="$part"></textarea>',
}


def spelled(entry: str | tuple[str, str]) -> tuple[str, str]:
    return (entry, "$to") if isinstance(entry, str) else entry


def element_forms() -> list[Form]:
    forms = rule_forms() + embed_forms()
    forms += [form(name, Page(body)) for name, body in ELEMENTS.items()]
    forms += [form(name, Page(head=head)) for name, head in HEADS.items()]
    frames = '<html><head>$meta</head><frameset cols="50%,50%"><frame src="$to/1"><FRAME SRC=\'$to/2\'></frameset></html>'
    forms.append(form("frames", Page(whole=frames), "$to/1", "$to/2"))
    forms.append(form("path-case", Page('<a href="$to/Case">x</a><a href="$to/case">y</a>'), "$to/Case", "$to/case"))
    forms.append(form("text-of-link-header", Page("<p>Link: &lt;$no&gt;; rel=next</p>" + GOOD)))
    forms += [form(f"decoy-{name}", Page(body + GOOD)) for name, body in DECOYS.items()]
    forms += [form(f"decoy-{name}", Page(GOOD + body)) for name, body in DECOYS_AT_END.items()]
    forms.append(form("decoy-title", Page(GOOD, '<title><a href="$no">x</a></title>')))
    forms.append(form("decoy-in-gone", Page('<a href="$no">x</a>', status=404), CARRIER))
    forms.append(form("decoy-in-forbidden", Page('<a href="$no">x</a>', status=403), CARRIER))
    return forms


def reference_forms(default_port: bool) -> list[Form]:
    """`default_port`: the server also listens on port 80."""
    spellings = SPELLINGS | (DEFAULT_PORT_SPELLINGS if default_port else {})
    forms = []
    for name, entry in spellings.items():
        href, lead = spelled(entry)
        forms.append(form(f"href-{name}", Page(f'<a href="{href}">x</a>'), lead))
    return forms + [form(f"refused-{name}", Page(f'<a href="{href}">x</a>{GOOD}')) for name, href in REFUSED.items()]


def rule_forms() -> list[Form]:
    forms = []
    for name, (head, fields, follows) in RULES.items():
        page = Page(GOOD if follows else '<a href="$no">x</a><link rel=next href="$no">', head, fields=fields)
        forms.append(form(f"rule-{name}", page, "$to" if follows else CARRIER))
    return forms


def embed_forms() -> list[Form]:
    forms = []
    for name, entry in EMBEDS.items():
        element, *parts = (entry, "$part") if isinstance(entry, str) else entry
        forms.append(form(name, Page(element + GOOD), embeds=tuple(parts)))
    return forms + [form(name, Page(element + GOOD)) for name, element in NEVER_EMBEDS.items()]

"""More forms of truth_forms.py: header fields, redirects, kinds of documents, feeds and sitemaps."""

import dataclasses
import typing

from truth_forms import CARRIER, GOOD, Form, Page, form, spelled

DEPTH_MAX = 6  # scope.max_depth of the crawl
REDIRECTS_MAX = 10  # in a row, as the daemon follows them

# --- HTTP ---

LINK_FIELDS = {
    "field-next": ("<$to>; rel=next",),
    "field-quoted": ('<$to>; rel="next"',),
    "field-canonical": ('<$origin$to>; rel="canonical"',),
    "field-alternate": ('<../t/$name>; rel="alternate"; hreflang="de"',),
    "field-prev": ("<$to>;rel=prev",),
    "field-words": ('<$to>; title="x"; REL="foo Next bar"',),
    "field-second-of-value": ('<$no>; rel=preload; as=style, <$to>; rel="next"',),
    "field-second": ("<$no>; rel=help", "<$to>; rel=next"),
    "field-quoted-separators": (r'<$to>; title="a, <$no>; rel=next, \"b\";"; rel=next',),
    "field-commas-in-url": ("<$to/a,b;c>; rel=next",),
    "field-spaces": (" ,, < $to > ; rel = next ,",),
}
LINK_FIELD_LEADS = {"field-commas-in-url": "$to/a,b;c"}
LINK_FIELD_DECOYS = {
    "field-preload": ("<$no>; rel=preload; as=script", "<$no>; rel=preconnect"),
    "field-without-rel": ("<$no>", '<$no>; title="next"'),
    "field-rel-in-title": ('<$no>; title="; rel=next"; rel=help',),
    "field-first-rel-counts": ('<$no>; rel="help"; rel="next"',),
    "field-not-closed": ("<$no; rel=next",),
    "field-mailto": ("<mailto:a@$host>; rel=next", "<http://outside.test:$port$no>; rel=next"),
}

LOCATIONS: dict[str, str | tuple[str, str]] = {
    "absolute": "$origin$to",
    "path": "$to",
    "relative": "../t/$name",
    "protocol-relative": "//$authority$to",
    "fragment": "$to#x",
    "blank": ("$to/a b", "$to/a%20b"),
    "utf-8": ("$to/\u00e9", "$to/%C3%A9"),
    "query-alone": ("?q=$name", "/c/$name?q=$name"),
    "backslashes": r"\t\$name",
    "next-host": ("$next$to/$host", "$next$to/$host"),
}
REDIRECTS_NOWHERE = {
    "to-outside": "http://outside.test:$port$no",
    "to-closed": "/closed/$name",
    "to-itself": "$name",
    "to-mailto": "mailto:a@$host",
    "to-bad-host": "http://[$no",
}

OTHER_KINDS = {  # whether links are read: (Content-Type, document, leads)
    "xhtml": ("application/xhtml+xml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><p><a href="$to">x</a></p></body></html>', True),
    "type-upper-case": ("Text/HTML ; x=y", "<p><a href='$to'>x</a>", True),
    "type-absent": ("", "<html><a href='$to'>x</a>", True),
    "type-plain": ("text/plain", "<html><a href='$no'>x</a> $origin$no", False),
    "type-json": ("application/json", '{"html": "<a href=\'$no\'>x</a>", "url": "$origin$no"}', False),
    "type-script": ("text/javascript", "location = '$no'; '<a href=\"$no\">'", False),
    "type-style": ("text/css", "@import '$no'; p { background: url($no) }", False),
    "type-octets": ("application/octet-stream", "<html><a href='$no'>x</a>", False),
    "type-image": ("image/png", "<html><a href='$no'>x</a>", False),
}

# --- feeds ---

RSS = '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"%s><channel><title>t</title><link>$origin/</link>%s</channel></rss>'
ATOM = '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>%s</feed>'
RDF = (
    '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
    '<channel rdf:about="$origin/"><title>t</title><link>$origin/</link></channel>%s</rdf:RDF>'
)
RSS_TYPE, ATOM_TYPE = "application/rss+xml", "application/atom+xml"
RSS_ITEM = "<item><title>x</title><link>$origin$to</link></item>"
ATOM_SPACE = ' xmlns:atom="http://www.w3.org/2005/Atom"'
FEEDS: dict[str, tuple[str, str] | tuple[str, str, str]] = {  # Content-Type, document, what it leads to
    "rss": (RSS_TYPE, RSS % ("", RSS_ITEM)),
    "rss-xml": ("application/xml", RSS % ("", RSS_ITEM)),
    "rss-text-xml": ("text/xml; charset=utf-8", RSS % ("", RSS_ITEM)),
    "rss-cdata": (RSS_TYPE, RSS % ("", "<item><link><![CDATA[ $origin$to?a=1&b=2 ]]></link></item>"), "$to?a=1&b=2"),
    "rss-entity": (RSS_TYPE, RSS % ("", "<item><link>\n$origin$to?a=1&amp;b=2\n</link></item>"), "$to?a=1&b=2"),
    "rss-next": (RSS_TYPE, RSS % (ATOM_SPACE, '<atom:link rel="next" href="$origin$to"/>')),
    "rss-decoys": (
        RSS_TYPE,
        RSS % ("", "<item><description>&lt;a href='$no'&gt;</description><!-- <link>$origin$no</link> -->"
        '<enclosure url="$origin$no" length="1" type="audio/mpeg"/><link>$origin$to</link></item>'),
    ),
    "rss-guid": (RSS_TYPE, RSS % ("", '<item><guid>$origin$to</guid></item><item><guid isPermaLink="false">$origin$no</guid></item>')),
    "rss-others": (
        RSS_TYPE,
        RSS % ("", "<item><link>http://outside.test:$port$no</link></item><item><link>/closed/$name</link></item>" + RSS_ITEM),
    ),
    "rdf": ("application/rdf+xml", RDF % '<item rdf:about="$origin$to"><title>x</title><link>$origin$to</link></item>'),
    "atom": (ATOM_TYPE, ATOM % '<entry><id>x</id><link href="$origin$to"/></entry>'),
    "atom-alternate": (ATOM_TYPE, ATOM % '<entry><link rel="alternate" type="text/html" href="$to"/></entry>'),
    "atom-next": (ATOM_TYPE, ATOM % '<link rel="next" href="$origin$to"/>'),
    "atom-base": (ATOM_TYPE, ATOM % '<entry xml:base="/t/"><link href="$name"/></entry>'),
    "atom-prefix": (
        ATOM_TYPE, '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="$origin$to"/></a:entry></a:feed>',
    ),
    "atom-decoys": (
        ATOM_TYPE,
        ATOM % '<link rel="self" href="$origin/c/$name"/><entry><link rel="enclosure" href="$origin$no"/><link rel="edit" href="$no"/>'
        '<content type="html">&lt;a href="$no"&gt;</content><link href="$origin$to"/></entry>',
    ),
}  # fmt: skip

# --- sitemaps, named in robots.txt ---

MAP = "/s/$name"
SPACE = ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(*entries: str, space: str = SPACE) -> str:
    """`entries`: a location, or a whole <url> element."""
    urls = (entry if entry.startswith("<") else f"<url><loc>{entry}</loc><lastmod>2026-01-01</lastmod></url>" for entry in entries)
    return f"{XML}<urlset{space}>{''.join(urls)}</urlset>"


ENTRY = urlset("$origin$to")
# name -> (document, what it leads to besides itself, further properties of the page)
SITEMAPS: dict[str, tuple[str, tuple[str, ...], dict[str, typing.Any]]] = {
    "urlset": (urlset("$origin$to/1", "$origin$to/2"), ("$to/1", "$to/2"), {}),
    "whitespace": (urlset("\n   $origin$to\t\n"), ("$to",), {}),
    "entity": (urlset("$origin$to?a=1&amp;b=2&#38;c=3"), ("$to?a=1&b=2&c=3",), {}),
    "cdata": (urlset("<url><loc><![CDATA[$origin$to?a=1&b=2]]></loc></url>"), ("$to?a=1&b=2",), {}),
    "not-ascii": (urlset("$origin$to/\u00e9"), ("$to/%C3%A9",), {}),
    "prefix": (f"{XML}<s:urlset{SPACE.replace('=', ':s=', 1)}><s:url><s:loc>$origin$to</s:loc></s:url></s:urlset>", ("$to",), {}),
    "old-space": (urlset("$origin$to", space=' xmlns="http://www.google.com/schemas/sitemap/0.84"'), ("$to",), {}),
    "no-space": (urlset("$origin$to", space=""), ("$to",), {}),
    "text-xml": (ENTRY, ("$to",), {"kind": "text/xml"}),
    "byte-order-mark": ("\ufeff" + ENTRY, ("$to",), {}),
    "utf-16": (ENTRY.replace("UTF-8", "UTF-16"), ("$to",), {"codec": "utf-16"}),
    "latin-1": (urlset("$origin$to/\u00e9").replace("UTF-8", "ISO-8859-1"), ("$to/%C3%A9",), {"codec": "iso-8859-1"}),
    "gzip": (ENTRY, ("$to",), {"kind": "application/gzip", "packed": True}),
    "gzip-as-xml": (ENTRY, ("$to",), {"packed": True}),
    "text": ("$origin$to/1\n$origin$to/2\n", ("$to/1", "$to/2"), {"kind": "text/plain"}),
    "text-line-ends": ("\ufeff$origin$to/1\r\n\r\n  $origin$to/2  \r\n$origin$to/3", ("$to/1", "$to/2", "$to/3"), {"kind": "text/plain"}),
    "text-gzip": ("$origin$to\n", ("$to",), {"kind": "application/x-gzip", "packed": True}),
    "rss": (RSS % ("", RSS_ITEM), ("$to",), {"kind": RSS_TYPE}),
    "atom": (ATOM % '<entry><link href="$origin$to"/></entry>', ("$to",), {"kind": ATOM_TYPE}),
    "broken": (ENTRY.replace("</urlset>", "<url><loc></urlset>"), ("$to",), {}),
    "cut-off": (ENTRY.replace("</urlset>", "<url><loc>$origin$no"), ("$to",), {}),
    "missing": ("", (), {"status": 404}),
    "a-page": ("<!doctype html><a href='$to'>$origin$no</a>", ("$to",), {"kind": "text/html"}),  # whatever robots.txt calls it
    "doctype": (XML + '<!DOCTYPE urlset [<!ENTITY x "$origin$no">]><urlset><url><loc>&x;</loc></url></urlset>', (), {}),
    "others": (urlset("http://outside.test:$port$no", "$next$no", "http://sub.$host:$port$no", "$origin$to"), ("$to",), {}),
    "closed": (urlset("$origin/closed/$name", "$origin/x/$name.secret", "$origin$to"), ("$to",), {}),
    "schemes": (urlset("ftp://$authority$no", "mailto:a@$host", "javascript:x", "$origin$to"), ("$to",), {}),
    "comment": (urlset("<!-- <url><loc>$origin$no</loc></url> -->", "$origin$to"), ("$to",), {}),
    "images": (
        urlset("<url><loc>$origin$to</loc><image:image><image:loc>$origin$no</image:loc></image:image>"
               "<video:video><video:content_loc>$origin$no</video:content_loc></video:video></url>",
               space=SPACE + ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
               ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'),
        ("$to",), {},
    ),
}  # fmt: skip


def http_forms() -> list[Form]:
    forms = []
    for name, values in LINK_FIELDS.items():
        fields = tuple(("Link", value) for value in values)
        forms.append(form(name, Page("x", fields=fields), LINK_FIELD_LEADS.get(name, "$to")))
    for name, values in LINK_FIELD_DECOYS.items():
        forms.append(form(f"decoy-{name}", Page(GOOD, fields=tuple(("Link", value) for value in values))))
    for status in (301, 302, 303, 307, 308):
        for name, entry in LOCATIONS.items():
            location, lead = spelled(entry)
            forms.append(form(f"redirect-{status}-{name}", redirect(location, status), lead))
    forms += [form(f"redirect-{name}", redirect(location), CARRIER) for name, location in REDIRECTS_NOWHERE.items()]
    chain = {CARRIER: redirect("$to/1")} | {f"$to/{n}": redirect(f"$to/{n + 1}") for n in range(1, REDIRECTS_MAX)}
    forms.append(Form("redirect-chain", chain, tuple(f"$to/{n}" for n in range(1, REDIRECTS_MAX + 1))))
    more = chain | {f"$to/{REDIRECTS_MAX}": redirect("$no")}
    forms.append(Form("redirect-too-often", more, tuple(f"$to/{n}" for n in range(1, REDIRECTS_MAX + 1))))
    forms.append(form("location-of-200", Page(GOOD, fields=(("Location", "$no"),))))
    for name, (kind, text, leads) in OTHER_KINDS.items():
        forms.append(form(f"kind-{name}", Page(whole=text, kind=kind), "$to" if leads else CARRIER))
    return forms


def redirect(location: str, status: int = 302) -> Page:
    return Page('<a href="$no">x</a>', status=status, fields=(("Location", location),))


def depth_forms() -> list[Form]:
    """The carrier is one link away from the seed, $to/2 two, and what is DEPTH_MAX + 1 away is too far."""
    pages = {CARRIER: Page('<a href="$to/2">x</a>')}
    pages |= {f"$to/{n}": Page(f'<a href="$to/{n + 1}">x</a>') for n in range(2, DEPTH_MAX)}
    deepest = {f"$to/{DEPTH_MAX}": Page('<a href="$no">x</a>')}
    around = {f"$to/{DEPTH_MAX}": redirect("$to/last"), "$to/last": Page('<a href="$no">x</a>')}
    leads = tuple(f"$to/{n}" for n in range(2, DEPTH_MAX + 1))
    return [Form("depth", pages | deepest, leads), Form("depth-redirect", pages | around, (*leads, "$to/last"))]


def feed_forms() -> list[Form]:
    forms = []
    for name, (kind, text, *leads) in FEEDS.items():
        forms.append(form(f"feed-{name}", Page(whole=text, kind=kind, codec="utf-8"), *leads))
    found = '<link rel="alternate" type="application/rss+xml" href="$to/feed">'
    feed = Page(whole=RSS % ("", "<item><link>$origin$to/item</link></item>"), kind=RSS_TYPE, codec="utf-8")
    return forms + [Form("feed-of-page", {CARRIER: Page(head=found), "$to/feed": feed}, ("$to/feed", "$to/item"))]


def sitemap_forms() -> list[Form]:
    forms = []
    for name, (text, leads, more) in SITEMAPS.items():
        page = Page(whole=text, **{"kind": "application/xml", "codec": "utf-8"} | more)
        forms.append(Form(f"sitemap-{name}", {MAP: page}, (MAP, *leads), robots=f"Sitemap: $origin{MAP}\n"))

    def xml(text: str, **more) -> Page:
        return Page(whole=text, **{"kind": "application/xml", "codec": "utf-8"} | more)

    def index(*places: str) -> Page:
        maps = "".join(f"<sitemap><loc>{place}</loc></sitemap>" for place in places)
        return xml(f"{XML}<sitemapindex{SPACE}>{maps}</sitemapindex>")

    children = {
        f"{MAP}/1": xml(urlset("$origin$to/1")), f"{MAP}/2.xml.gz": xml(urlset("$origin$to/2"), packed=True),
        f"{MAP}/3.txt": xml("$origin$to/3\n", kind="text/plain"),
    }  # fmt: skip
    places = ["http://outside.test:$port$no", *(f"$origin{path}" for path in children)]
    leads = (MAP, *children, "$to/1", "$to/2", "$to/3")
    line = f"Sitemap: $origin{MAP}\n"
    forms.append(Form("sitemap-index", {MAP: index(*places)} | children, leads, robots=line))
    forms.append(Form("sitemap-index-gzip", {
        MAP: dataclasses.replace(index(f"$origin{MAP}/1"), packed=True), f"{MAP}/1": xml(ENTRY),
    }, (MAP, f"{MAP}/1", "$to"), robots=line))  # fmt: skip
    forms.append(Form("sitemap-relative", {MAP: xml(ENTRY)}, (MAP, "$to"), robots=f"sitemap : {MAP} # here\nSITEMAP:$origin{MAP}\n"))
    forms.append(Form("sitemap-moved", {MAP: redirect(f"{MAP}/x"), f"{MAP}/x": xml(ENTRY)}, (MAP, f"{MAP}/x", "$to"), robots=line))
    forms.append(Form("sitemap-leads-on", {MAP: xml(ENTRY), "$to": Page('<a href="$to/on">x</a>')}, (MAP, "$to", "$to/on"), robots=line))
    there = f"$next{MAP}/$host"
    forms.append(Form("sitemap-elsewhere", {there: xml(urlset("$origin$to", "$next$no"))}, (there, "$to"), robots=f"Sitemap: {there}\n"))
    return forms


def answer_forms() -> list[Form]:
    return [*http_forms(), *depth_forms(), *feed_forms(), *sitemap_forms()]

"""A crawl with Scrapy as fast as we could make it: links by a pattern, no middleware that is not needed, nothing kept.

Usage: scrapy runspider scrapy_tuned.py -a seeds=FILE -a interval=MS
"""

import pathlib
import re
import urllib.parse

import scrapy

LINK = re.compile(rb"""<a\s[^>]*?href\s*=\s*["']?([^"' >]+)""", re.IGNORECASE)


class Tuned(scrapy.Spider):
    name = "tuned"
    custom_settings = {
        "ROBOTSTXT_OBEY": True, "LOG_ENABLED": False, "COOKIES_ENABLED": False, "RETRY_ENABLED": False, "REDIRECT_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False, "AJAXCRAWL_ENABLED": False, "HTTPERROR_ALLOW_ALL": False, "REFERER_ENABLED": False,
        "AUTOTHROTTLE_ENABLED": False, "DEPTH_STATS_VERBOSE": False, "CONCURRENT_REQUESTS": 400, "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "RANDOMIZE_DOWNLOAD_DELAY": False, "REACTOR_THREADPOOL_MAXSIZE": 2,
        "SPIDER_MIDDLEWARES": {"scrapy.spidermiddlewares.depth.DepthMiddleware": None,
                               "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None},
    }  # fmt: skip

    def __init__(self, seeds, interval, **more):
        super().__init__(**more)
        self.start_urls = pathlib.Path(seeds).read_text().split()
        self.download_delay = int(interval) / 1000
        self.hosts = {urllib.parse.urlsplit(url).netloc for url in self.start_urls}
        self.seen = set(self.start_urls)

    def parse(self, response):
        for href in set(LINK.findall(response.body)):
            url = urllib.parse.urljoin(response.url, href.decode("utf-8", "replace")).partition("#")[0]
            if url not in self.seen and urllib.parse.urlsplit(url).netloc in self.hosts:
                self.seen.add(url)
                yield scrapy.Request(url, dont_filter=True)

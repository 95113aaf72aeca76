"""A crawl with Scrapy as its tutorial has it: CrawlSpider, LinkExtractor, and the settings of a new project.

Usage: scrapy runspider scrapy_delivered.py -a seeds=FILE
"""

import pathlib
import urllib.parse

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Delivered(CrawlSpider):
    name = "delivered"
    rules = [Rule(LinkExtractor(), callback="parse_item", follow=True)]
    custom_settings = {"ROBOTSTXT_OBEY": True, "LOG_LEVEL": "INFO"}

    def __init__(self, seeds, **more):
        super().__init__(**more)
        self.start_urls = pathlib.Path(seeds).read_text().split()
        self.allowed_domains = sorted({urllib.parse.urlsplit(url).hostname for url in self.start_urls})

    def parse_item(self, response):
        return None

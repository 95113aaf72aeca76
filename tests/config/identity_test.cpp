// Who the crawler says it is.
#include "config/identity.h"

#include "tests/config/help.h"

namespace config {
namespace {

constexpr Bounds kContactBounds{1, 256};

std::string wrong_contact(std::string_view text) {
  return read_contact(text, kContactBounds).wrong;
}

TEST(Contact, UrlsAndMailAddressesAreTaken) {
  for (const std::string_view text :
       {"https://crawler.operator.net/about", "http://operator.net", "https://operator.net/about#crawler",
        "HTTPS://Operator.NET/x?y=z", "https://b\u00FCcher.de/", "bot@operator.net",
        "first.last+crawl@sub.operator.co.uk", "https://192.0.2.7/", "https://examples.com/",
        "bot@notexample.com", "https://example.de/", "https://[2001:db8::1]/"}) {
    const auto reading = read_contact(text, kContactBounds);
    if (text.find("\u00FC") != text.npos) {
      EXPECT_NE(reading.wrong, "") << text;  // a header is ASCII
    } else {
      EXPECT_EQ(reading.wrong, "") << text;
      EXPECT_EQ(reading.value, text);
    }
  }
}

TEST(Contact, NamesForExamplesAreRefused) {
  for (const std::string_view text :
       {"https://example.com/", "http://www.example.com", "https://EXAMPLE.org/bot",
        "https://a.b.example.net/", "https://example.com./", "bot@example.com", "Bot@Example.ORG",
        "bot@mail.example.net", "https://site.example/", "bot@site.example", "https://ex%61mple.com/"}) {
    const std::string wrong = wrong_contact(text);
    EXPECT_NE(wrong.find("is a name for examples): site owners must be able to reach you"), std::string::npos)
        << text << ": " << wrong;
  }
  EXPECT_EQ(wrong_contact("bot@example.com"),
            "\"bot@example.com\" reaches nobody (example.com is a name for examples): site owners must be "
            "able to reach you");
}

TEST(Contact, MachinesThatNobodyElseCanReachAreRefused) {
  for (const std::string_view text :
       {"http://localhost/", "http://bot.localhost/", "root@localhost", "http://127.0.0.1/", "http://127.1/",
        "http://[::1]/", "http://0.0.0.0/", "https://intranet/", "bot@host"}) {
    EXPECT_NE(wrong_contact(text).find("reaches nobody"), std::string::npos)
        << text << ": " << wrong_contact(text);
  }
}

TEST(Contact, WhatIsNeitherIsRefused) {
  for (const std::string_view text : {"",
                                      "me",
                                      "operator.net",
                                      "ftp://operator.net/",
                                      "@operator.net",
                                      "a@",
                                      "a@b@operator.net",
                                      ".a@operator.net",
                                      "a.@operator.net",
                                      "a..b@operator.net",
                                      "a@-b.net",
                                      "a@b-.net",
                                      "a@b..net",
                                      "a@operator.net.",
                                      "a@1.2.3.4",
                                      "\"a b\"@operator.net",
                                      "a b@operator.net",
                                      "https://",
                                      "https:///",
                                      "https://operator.net:99999/",
                                      "https://user:pw@operator.net/",
                                      "https:////user@operator.net/",
                                      "https://operator.net/a b",
                                      "https://operator.net/(bot)",
                                      "https://operator.net/\r\nX: y",
                                      "mailto:bot@operator.net",
                                      "https:\\\\operator.net"}) {
    EXPECT_NE(wrong_contact(text), "") << text;
  }
  EXPECT_EQ(wrong_contact("operator.net"),
            "\"operator.net\" is neither an http(s) URL nor a mail address: it is sent with every request, "
            "so that site owners can reach you");
  EXPECT_EQ(wrong_contact("mailto:bot@operator.net"),
            "\"mailto:bot@operator.net\" is a mailto: link: write the mail address alone");
  EXPECT_EQ(wrong_contact("https://user:pw@operator.net/"),
            "\"https://user:pw@operator.net/\" has a user name in it, which every site would see");
}

TEST(Contact, PartsOfMailAddressesAreBounded) {
  const std::string label(63, 'b');
  EXPECT_EQ(wrong_contact(std::string(64, 'a') + "@" + label + ".net"), "");
  EXPECT_NE(wrong_contact(std::string(65, 'a') + "@" + label + ".net"), "");
  EXPECT_NE(wrong_contact("a@" + label + "b.net"), "");
  EXPECT_EQ(wrong_contact("https://operator.net/" + std::string(235, 'x')), "");
  EXPECT_EQ(wrong_contact("https://operator.net/" + std::string(236, 'x')),
            "has 257 octets, which is more than 256");
}

TEST(Contact, NamesThatDoNotResolveOnTheInternetAreAWarning) {
  const Loaded loaded = read("agent: {contact: \"bot@crawler.test\"}\n");
  EXPECT_EQ(loaded.errors, Lines{});
  EXPECT_EQ(loaded.warnings, (Lines{"c.yaml:1:18: agent.contact: \"bot@crawler.test\" cannot be reached from "
                                    "the internet: set one that can "
                                    "before visiting sites of others"}));
  EXPECT_TRUE(unreachable_contact("https://a.b.invalid/"));
  EXPECT_FALSE(unreachable_contact("https://invalid.net/"));
}

TEST(Tokens, Rfc9309_2_2_1_LettersUnderscoreAndHyphen) {
  EXPECT_EQ(good("agent: {tokens: [My-Bot_x, crawld], contact: a@operator.net}\n").agent.tokens,
            (std::vector<std::string>{"My-Bot_x", "crawld"}));
  for (const std::string_view text : {"", "Bot/2.0", "bot2", "my bot", "b\u00F6t", "*", "bot*"})
    EXPECT_NE(read_token(text).wrong, "") << text;
  EXPECT_EQ(read_token("bot2").wrong,
            "\"bot2\" cannot be a token: a product token is made of letters, _ and - only (RFC 9309 section "
            "2.2.1)");
  EXPECT_EQ(read_token("*").wrong, "\"*\" is every crawler's token: name this one");
  EXPECT_EQ(read_token(std::string(64, 'a')).wrong, "");
  EXPECT_NE(read_token(std::string(65, 'a')).wrong, "");
}

TEST(Tokens, OneAtLeastAndNoneTwice) {
  EXPECT_EQ(error("agent: {tokens: [], contact: a@operator.net}\n"),
            "c.yaml:1:17: agent.tokens: must have between 1 and 16 items, not 0");
  EXPECT_EQ(error("agent:\n  tokens: [bot,\n    x, BOT]\n  contact: a@operator.net\n"),
            "c.yaml:3:8: agent.tokens: \"BOT\" is in the list twice, first in line 2");
  EXPECT_EQ(error("agent: {tokens: bot, contact: a@operator.net}\n"),
            "c.yaml:1:17: agent.tokens: must be a list of product tokens, not a single value: write [ and ] "
            "around it");
}

TEST(UserAgent, IsMadeOfTokenVersionAndContact) {
  Config config;
  config.agent.contact = kContact;
  config.agent.tokens = {"mybot", "crawld"};
  EXPECT_EQ(config.user_agent(), std::string("mybot/") + CRAWLD_VERSION + " (+" + kContact + ")");
  config.agent.user_agent = "Other/1";
  EXPECT_EQ(config.user_agent(), "Other/1");
}

TEST(UserAgent, NamesTheFirstTokenAndIsPrintableAscii) {
  const auto with = [](const std::string& user_agent) {
    return error("agent:\n  tokens: [mybot]\n  contact: a@operator.net\n  user_agent: " + user_agent + "\n");
  };
  EXPECT_EQ(with("MyBot/2.0 (a@operator.net)"), "");
  EXPECT_EQ(with("Mozilla/5.0"),
            "c.yaml:4:15: agent.user_agent: must contain the first of agent.tokens, \"mybot\", so that site "
            "owners know what to write in robots.txt");
  EXPECT_EQ(with("\"mybot\\r\\nX: y\""),
            "c.yaml:4:15: agent.user_agent: \"mybot\\x0d\\x0aX: y\" has characters other than printable "
            "ASCII in it");
  EXPECT_NE(with("myb\u00F6t mybot"), "");
  EXPECT_NE(with("\" mybot\""), "");
  EXPECT_EQ(with("mybot" + std::string(507, 'x')), "");
  EXPECT_EQ(with("mybot" + std::string(508, 'x')),
            "c.yaml:4:15: agent.user_agent: has 513 octets, which is more than 512");
}

TEST(UserAgent, WithoutTheContactIsAWarning) {
  EXPECT_EQ(
      read("agent: {contact: a@operator.net, user_agent: crawld}\n").warnings,
      (Lines{"c.yaml:1:46: agent.user_agent: does not name agent.contact, so site owners will not see it"}));
  EXPECT_EQ(read("agent: {contact: a@operator.net, user_agent: crawld a@operator.net}\n").warnings, Lines{});
}

}  // namespace
}  // namespace config

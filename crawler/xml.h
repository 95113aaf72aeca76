#pragma once
// XML from strangers: Expat with limits. No entity but the five that are always there, no internal DTD
// subset, no file and no network. Pure.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace crawler {

inline constexpr std::size_t kXmlDepthMax = 64;  ///< elements one in another
/// Elements of one document: 40 for each of the most entries that a sitemap may have, and a fraction of a
/// second for Expat.
inline constexpr std::size_t kXmlElementsMax = 2'000'000;
/// Octets of one tag or comment. Expat reads the beginning of an unfinished one again with each piece.
inline constexpr std::size_t kXmlTokenMax = std::size_t{512} * 1024;
inline constexpr std::size_t kXmlPieceOctets = std::size_t{64} * 1024;  ///< Expat gets at once

/// Attributes of a start tag, as long as it is told.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}
  /// Empty when there is none of this name.
  std::string_view operator[](std::string_view name) const;

 private:
  const char* const* pairs_;
};

/// What is told while a document is read. Names come as written, with prefix. Text is UTF-8, in pieces.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  /// `depth` of the root is 1. False ends the reading.
  virtual bool start(std::string_view name, const XmlAttributes& attributes, std::size_t depth) = 0;
  virtual void text(std::string_view text) = 0;
  virtual void end(std::size_t depth) = 0;
};

class XmlReader {
 public:
  /// `encoding`: a label that stands above what the document says (RFC 7303 §3.2); empty when there is none.
  /// `handler` has to outlive it.
  XmlReader(XmlHandler& handler, std::string_view encoding);
  ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  /// The next octets. False when no more are wanted: the handler has ended it, or problem() tells.
  bool feed(std::string_view octets);
  /// No more octets.
  void finish();
  /// Empty as long as all is well.
  const std::string& problem() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The name without its prefix: `loc` of `sm:loc`.
std::string_view local_name(std::string_view name);

}  // namespace crawler

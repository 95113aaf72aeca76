#pragma once
// One response, from the first octet of its head to the last of its body, decoded. Pure: no sockets, no time.
#include "fetch/decode.h"
#include "fetch/framing.h"
#include "fetch/head.h"
#include "fetch/step.h"

#include <optional>
#include <string>
#include <string_view>

namespace fetch {

/// Interim responses (1xx) before the real one.
inline constexpr int kInterimMax = 8;
/// Octets that a body may take on the wire: this, and twice what it may be in the end. Chunks of one octet
/// and trailing garbage cost that much; nobody else does.
inline constexpr std::uint64_t kWireFree = 1024 * 1024;
inline constexpr std::uint64_t kWireFactor = 2;

class Response {
 public:
  /// `head_max` octets for all heads and trailers together, `body_max` decoded octets of the body.
  Response(std::uint64_t head_max, std::size_t body_max);

  enum class State {
    head,    ///< waiting for the end of the head
    body,    ///< the head is there
    done,    ///< all there, or as much of it as was wanted
    failed,  ///< see failure()
  };

  /// The next octets of the connection. Octets after the end are noted: such a connection is not used again.
  State feed(std::string_view octets);
  /// The connection ended; `orderly` when the peer said so (FIN, and close_notify under TLS). Done or failed.
  State end(bool orderly);

  State state() const { return state_; }
  /// Only when failed: protocol, head_limit, truncated, decode; reset when nothing came at all.
  const Step& failure() const { return failure_; }
  /// Octets were fed.
  bool started() const { return octets_ > 0; }
  std::uint64_t octets() const { return octets_; }
  /// The connection may carry another exchange: the end is certain, nothing was odd, and the server agrees.
  bool reusable() const;

  /// As soon as the head is there, also after a failure in the body.
  int status() const { return head_.status; }
  Headers& headers() { return head_.headers; }
  /// Only when done, and once.
  std::string take_body();
  bool cut() const { return cut_; }

 private:
  State fail(Error error, std::string_view detail);
  State feed_head(std::string_view& octets);
  State begin_body();
  State feed_body(std::string_view& octets);
  State finish_body();

  const std::uint64_t head_max_;
  const std::size_t body_max_;
  State state_ = State::head;
  Step failure_;
  HeadReader reader_;
  std::uint64_t head_octets_ = 0;
  int interim_ = 0;
  Head head_;
  Framing framing_ = Framing::none();
  std::optional<Decoder> decoder_;
  std::uint64_t octets_ = 0;
  std::uint64_t body_octets_ = 0;
  bool odd_ = false;
  bool closing_ = false;  // the end of the connection is the end of the body
  bool cut_ = false;
};

}  // namespace fetch

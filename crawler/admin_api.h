#pragma once
// What each path of the admin endpoint answers and does (crawler/ADMIN.md).
#include "crawler/admin_http.h"
#include "crawler/control.h"

namespace crawler {

/// Origins that a question about hosts looks at.
inline constexpr std::size_t kHostsLookedAt = 100'000;
/// Such questions that are answered at once: each holds all those rows.
inline constexpr unsigned kHostQuestionsMax = 2;
/// Rows of one answer.
inline constexpr std::size_t kRowsMax = 1'000;
/// Seeds that the endpoint has added which are remembered as such.
inline constexpr std::size_t kAddedMax = 100'000;

/// One for each daemon; on its main thread. `control` must outlive it.
class AdminApi {
 public:
  explicit AdminApi(Control& control) : control_(control) {}
  base::Async<AdminResponse> answer(AdminRequest request);

 private:
  using Ask = base::Async<AdminResponse> (AdminApi::*)(const AdminRequest&);
  struct Route;
  static const Route* find(std::string_view path);

  base::Async<AdminResponse> ready(const AdminRequest&);
  base::Async<AdminResponse> metrics(const AdminRequest&);
  base::Async<AdminResponse> status(const AdminRequest&);
  base::Async<AdminResponse> history(const AdminRequest&);
  base::Async<AdminResponse> hosts(const AdminRequest&);
  base::Async<AdminResponse> host(const AdminRequest&);
  base::Async<AdminResponse> recent(const AdminRequest&);
  base::Async<AdminResponse> explain(const AdminRequest&);
  base::Async<AdminResponse> seeds(const AdminRequest&);
  base::Async<AdminResponse> levels(const AdminRequest&);

  base::Async<AdminResponse> pause(const AdminRequest&);
  base::Async<AdminResponse> resume(const AdminRequest&);
  base::Async<AdminResponse> drain(const AdminRequest&);
  base::Async<AdminResponse> delay(const AdminRequest&);
  base::Async<AdminResponse> requeue(const AdminRequest&);
  base::Async<AdminResponse> add_seed(const AdminRequest&);
  base::Async<AdminResponse> reload(const AdminRequest&);
  base::Async<AdminResponse> set_level(const AdminRequest&);

  base::Async<AdminResponse> hold(std::string host, Order order, std::string sentence);
  base::Async<std::optional<std::vector<HostRow>>> all_rows(bool& complete);
  base::Async<bool> offer(Offer offer);

  Control& control_;
  unsigned host_questions_ = 0;  ///< under way
};

}  // namespace crawler

// What is asked for now and then: the seeds, and every decision about one URL.
import { countdown, facts, foreign, h, hostLink, hostOf, named, outward, pager, quiet, section, table } from "./dom.js";
import { orderText } from "./hosts.js";
import { duration, list, number, object, text } from "./words.js";

const PAGE = 100; // seeds

const offsetOf = (parameters) => Math.min(1e9, Math.max(0, Number.parseInt(parameters.get("offset") ?? "0", 10) || 0));

export const seeds = {
  title: () => "Seeds",
  load: (parameters, get) => get("/api/v1/seeds", { limit: PAGE, offset: offsetOf(parameters) || "" }),
  draw: (data, parameters) => {
    const offset = offsetOf(parameters);
    const rows = list(data?.seeds).slice(0, PAGE).map(object);
    return [
      h("h1", { tabindex: "-1" }, "Seeds"),
      h("section", { class: "card" },
        pager(rows.length ? `${number(offset + 1)}–${number(offset + rows.length)} of ${number(data.total)}` : "", offset, rows.length, PAGE, data?.total, (to) => `#/seeds?offset=${to}`),
        table("Seeds", [{ label: "URL" }, { label: "Weight", number: true }, { label: "Where it stands" }, { label: "Fate" }],
          rows.map((seed) => [text(seed.url, 1000), outward(seed.url), number(seed.weight), foreign(seed.where), seed.fate ? named(seed.fate) : "not visited yet"]),
          { busy: !data, empty: "there are no seeds" })),
    ];
  },
};

/** What it comes to, in one sentence. The first reason that stands in the way wins. */
function verdict(said) {
  if (said.in_scope !== "yes") return ["Not visited: out of scope (", named(said.in_scope), ")."];
  if (said.access === "defer") return ["Not now: robots.txt is not reachable, so nothing of this origin may be fetched."];
  if (said.access === "unknown" || said.access === null || said.access === undefined) return ["Not known yet: robots.txt is asked for first."];
  if (said.allowed !== true) return ["Not visited: robots.txt forbids it", said.rule ? [" (line ", number(said.line), ": ", foreign(said.rule), ")"] : null, "."];
  if (object(said.order).paused) return ["Allowed, but an order holds its host."];
  return ["May be visited", said.next ? [", its host next: ", countdown(said.next)] : null, "."];
}

function explained(said) {
  return section("What is decided",
    h("p", { class: "verdict", id: "verdict" }, verdict(said)),
    facts(["URL", outward(said.url)], ["In scope", named(said.in_scope)], ["robots.txt", foreign(said.robots)],
      ["Group", foreign(said.group)], ["Rule", said.rule ? [h("code", {}, foreign(said.rule)), ` (line ${number(said.line)})`] : "none decides"],
      ["Interval", `${duration(said.interval_seconds)} (`, named(said.interval_reason), ")"], ["Next", countdown(said.next)],
      ["Known", said.known === true ? "yes" : said.known === false ? "no, it was never found" : "–"], ["Fate", named(said.fate)],
      ["Order", orderText(said.order) ?? "none"], ["Host", hostLink(hostOf(said.url))]));
}

export const explain = {
  title: () => "Explain",
  load: async (parameters, get) => (parameters.get("url") ? get("/api/v1/explain", { url: parameters.get("url") }) : {}),
  draw: (data, parameters) => [
    h("h1", { tabindex: "-1" }, "Explain"),
    quiet("Why a URL is visited, or is not: scope, the line of robots.txt that decides, the interval and the next instant."),
    h("form", { class: "choices", "data-form": "explain" },
      h("label", { class: "wide" }, "URL", h("input", { id: "url", type: "url", required: true, autocomplete: "off", spellcheck: "false", maxlength: "4096", placeholder: "https://www.a.test/page", "data-field": parameters.get("url") ?? "", value: parameters.get("url") ?? "" })),
      h("button", { type: "submit" }, "Explain")),
    parameters.get("url") ? (data ? explained(object(data)) : quiet("…")) : null,
  ],
};

// One host: its origins, what their robots.txt says, when they may be asked, what happened last.
import { dayBar, dayTable } from "./charts.js";
import { countdown, facts, foreign, h, named, outward, quiet, table, when } from "./dom.js";
import { orderText, stateBadge } from "./hosts.js";
import { visitsTable } from "./overview.js";
import { duration, isNumber, list, number, object, octets, text, visible, windowOf, word } from "./words.js";

/** `name` as one word of a shell, or null when nothing of the kind should be pasted anywhere. */
export function shellWord(name) {
  if (typeof name !== "string" || name.length > 253) return null;
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return name;
  return /^\[?[0-9a-fA-F:.]+\]?$/.test(name) ? `'${name}'` : null;
}

function commands(name) {
  const word = shellWord(name);
  if (!word) return quiet("This name is not fit for a command line.");
  const lines = [`crawld pause ${word}`, `crawld resume ${word}`];
  return [
    quiet("This page gives no orders. On the machine of the crawler:"),
    h("ul", { class: "commands" }, lines.map((line) => h("li", {}, h("code", {}, line), " ", h("button", { type: "button", "data-copy": line, "aria-label": `Copy ${line}` }, "Copy")))),
  ];
}

const rateText = (rate) => {
  const { documents, seconds, window } = object(rate);
  return `${number(documents)} in ${duration(seconds)}${window ? `, ${windowOf(window)}` : ""}`;
};
const each = (items, show) => (items.length ? h("ul", { class: "plain" }, items.slice(0, 50).map((item) => h("li", {}, show(item)))) : "–");

function rulesTable(robots) {
  const rules = list(robots.rules).slice(0, 500).map(object);
  const left = isNumber(robots.rule_count) && robots.rule_count > rules.length ? `${number(robots.rule_count)} rules, the first ${rules.length} are shown.` : null;
  return [
    h("div", { class: "tall" }, table("Rules of robots.txt that are for this crawler", [{ label: "Line", number: true }, { label: "Rule" }, { label: "Means" }],
      rules.map((rule, index) => [String(index), number(rule.line), h("code", {}, foreign(rule.text, 500)), rule.allow === null || rule.allow === undefined ? "–" : rule.allow ? "allowed" : "forbidden"]),
      { empty: "no rule: all may be visited" })),
    left ? quiet(left) : null,
  ];
}

function bodyText(robots) {
  if (typeof robots.body !== "string") return null;
  const lines = robots.body.slice(0, 65536).split(/\r\n|\n|\r/);
  const size = new TextEncoder().encode(robots.body).length;
  return h("details", {}, h("summary", {}, `robots.txt as it came (${octets(size)}${robots.body_cut ? ", cut" : ""})`),
    h("pre", { tabindex: "0", role: "region", "aria-label": "robots.txt as it came" }, h("bdi", {}, lines.map((line) => visible(line).replaceAll("\\u{9}", "  ")).join("\n"))));
}

function robotsPart(said) {
  if (!said) return quiet("robots.txt was never asked for.");
  const robots = object(said);
  const warnings = list(robots.warnings).map(object);
  return [
    h("p", {}, foreign(robots.about, 400)),
    facts(["Standing", named(robots.access)], ["Group", foreign(robots.group)],
      ["Crawl-delay", isNumber(robots.crawl_delay) ? duration(robots.crawl_delay) : "–"],
      ["Request-rate (UTC)", each(list(robots.rates), rateText)], ["Visit-time (UTC)", each(list(robots.visit_times), windowOf)],
      ["Sitemaps", each(list(robots.sitemaps), (url) => outward(url))]),
    rulesTable(robots),
    warnings.length ? [h("h3", {}, "Warnings"), h("ul", { class: "plain" }, warnings.slice(0, 100).map((warning) => h("li", {}, `Line ${number(warning.line)}: `, foreign(warning.text, 400))))] : null,
    bodyText(robots),
  ];
}

function origin(host, index, width) {
  const order = orderText(host.order);
  return h("section", { class: "card origin", "data-key": text(host.origin, 1000) },
    h("h2", {}, foreign(host.origin)),
    order ? h("p", { class: "notice" }, order) : null,
    facts(["State", [stateBadge(host.state), host.waiting !== host.state && host.waiting !== "nothing" ? [" ", named(host.waiting)] : null]],
      ["Interval", `${duration(host.interval_seconds)} (`, named(host.interval_reason), ")"], ["Next", countdown(host.next)],
      ["Owed", number(host.owed)], ["Accepted", number(host.accepted)], ["Visits", number(host.visits)], ["Latency", duration(host.latency_seconds)],
      ["Failures in a row", number(host.failures)], ["Last request", when(host.last_request)]),
    h("h3", {}, "The day (UTC)"),
    list(host.day).length ? [dayBar(host.day, width - 34, `hatch-${index}`), h("details", {}, h("summary", {}, "As a table, with reasons"), dayTable(host.day))] : quiet("Nothing is known of its intervals."),
    h("h3", {}, "robots.txt"), robotsPart(host.robots),
    h("h3", {}, "Recent visits"), visitsTable(`Recent visits of ${text(host.origin)}`, list(host.recent).slice(0, 50)));
}

export const host = {
  title: (_, name) => text(name, 80),
  load: (_, get, name) => get("/api/v1/host", { name }),
  draw: (data, _, { width }, name) => {
    const origins = list(Array.isArray(data) ? data : (data?.hosts ?? data?.origins)).slice(0, 16).map(object);
    return [
      quiet(h("a", { href: "#/hosts" }, "All hosts")),
      h("h1", { tabindex: "-1" }, foreign(name)),
      commands(name),
      data ? origins.map((one, index) => origin(one, index, width)) : quiet("…"),
      data && !origins.length ? quiet("Nothing is known of it.") : null,
    ];
  },
};

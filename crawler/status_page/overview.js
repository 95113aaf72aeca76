// The first view: how fast, how much, what is next, what went wrong.
import { bars, hourChart } from "./charts.js";
import { countdown, facts, foreign, h, hostLink, hostOf, named, outward, quiet, section, table, when } from "./dom.js";
import { duration, isNumber, list, NOTHING, number, object, octets, rate, text, word } from "./words.js";

const RECENT = 15; // visits

const tile = (name, value, ...more) => h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, h("strong", {}, value), h("span", { class: "quiet" }, more)));

function tiles({ status }) {
  const { requests_per_second: quick, requests_per_second_minute: slow, octets_per_second: received } = status;
  const [urls, hosts, totals, next] = ["urls", "hosts", "totals", "next"].map((name) => object(status[name]));
  const unkind = isNumber(totals.violations) && totals.violations > 0;
  return h("dl", { class: "tiles" },
    tile("Requests a second", rate(quick), `${rate(slow)} in the last minute`),
    tile("Received a second", octets(received), `${octets(totals.octets)} since the start`),
    tile("Next request", next.at ? countdown(next.at) : NOTHING, next.at ? [hostLink(hostOf(next.origin)), ` (${word(next.reason)})`] : "nothing can become due"),
    tile("URLs owed", number(urls.owed), `${number(urls.queued)} queued, ${number(urls.retry)} to retry`),
    tile("In flight", number(hosts.in_flight), `${number(hosts.ready)} ready, ${number(hosts.waiting)} waiting`),
    tile("Politeness", unkind ? "Violated" : isNumber(totals.violations) ? "Kept" : NOTHING, unkind ? h("span", { class: "bad" }, `${number(totals.violations)} violations`) : `${number(totals.violations)} violations`));
}

function totalsTable({ status }) {
  const [urls, hosts, totals] = ["urls", "hosts", "totals"].map((name) => object(status[name]));
  return facts(["Requests", number(totals.requests)], ["Requests for robots.txt", number(totals.robots_requests)],
    ["Records written", `${number(totals.records)}, ${octets(totals.record_octets)}`], ["URLs seen", number(urls.seen)], ["URLs to visit again", number(urls.again)],
    ["Origins", number(urls.origins)], ["Origins idle", number(hosts.idle)], ["Origins asleep on disk", number(hosts.asleep)], ["Origins paused", number(hosts.paused)]);
}

function diskTable(status) {
  const standing = ({ free, pause_below: least, resume_above: enough }) => {
    if (!isNumber(free)) return NOTHING;
    if (free < least) return h("span", { class: "bad" }, "too little: the crawl pauses");
    return free < enough ? h("span", { class: "warn" }, "little") : "enough";
  };
  return table("Disk space of each directory", [{ label: "Directory" }, { label: "Free", number: true }, { label: "Standing" }],
    list(status.disk).map(object).map((disk) => [text(disk.path), [foreign(disk.what), quiet(foreign(disk.path))], octets(disk.free),
      [standing(disk), quiet(`pauses below ${octets(disk.pause_below)}, resumes above ${octets(disk.resume_above)}`)]]),
    { busy: !status.state, empty: "no directory is watched" });
}

const waitsTable = (status) =>
  table("The longest waits of hosts that have something to do", [{ label: "Origin" }, { label: "Due", number: true }, { label: "Why" }],
    list(status.longest_waits).map(object).map((wait) => [text(wait.origin), hostLink(hostOf(wait.origin), wait.origin), countdown(wait.at), word(wait.reason)]),
    { busy: !status.state, empty: "no host waits" });

/** Visits, newest first; `visits` is null before they are known. */
export function visitsTable(caption, visits) {
  const columns = [{ label: "At (UTC)" }, { label: "URL" }, { label: "Fate" }, { label: "Status", number: true }, { label: "Size", number: true },
    { label: "Took", number: true }, { label: "Links", number: true }];
  const rows = list(visits).map(object).map((visit) => [
    `${visit.at} ${visit.url}`.slice(0, 500), when(visit.at), outward(visit.url, 120),
    [word(visit.fate), visit.reason ? quiet(named(visit.reason)) : null],
    visit.status ? text(visit.status) : NOTHING, octets(visit.octets), duration(visit.seconds), number(visit.links),
  ]);
  return table(caption, columns, rows, { busy: !visits, empty: "nothing was visited yet" });
}

export const overview = {
  title: () => "Overview",
  load: async (_, get) => {
    const [history, recent] = await Promise.all([get("/api/v1/history"), get("/api/v1/recent", { limit: RECENT })]);
    return { history: object(history), visits: list(recent?.visits) };
  },
  draw: (data, _, { status, width }) => [
    h("h1", { class: "unseen", tabindex: "-1" }, "Overview"),
    tiles({ status }),
    section("The last hour", hourChart(data?.history ?? null, width - 34)),
    h("div", { class: "columns" },
      section("Longest waits", waitsTable(status)), section("Disk", diskTable(status)),
      section("Fates", bars(status.fates, "nothing was visited yet")), section("Errors by reason", bars(status.errors, "none so far"))),
    section("Totals", totalsTable({ status })),
    section("Recent visits", visitsTable("Recent visits", data?.visits ?? null)),
  ],
};

// All hosts: search, state, sort, pages. What is chosen stands in the address, so that it can be kept and sent.
import { countdown, h, hostLink, named, pager, quiet, table, when } from "./dom.js";
import { duration, isNumber, list, number, object, text, word } from "./words.js";

export const PAGE = 50; // rows
const STATES = ["ready", "waiting", "paused", "blocked", "in_flight", "idle", "asleep"];
const COLUMNS = [
  { label: "Origin", sort: "origin" }, { label: "State", sort: "state" }, { label: "Interval", sort: "interval" }, { label: "Next", sort: "next" },
  { label: "Owed", sort: "owed", number: true }, { label: "Visits", sort: "visits", number: true },
  { label: "Latency", sort: "latency", number: true }, { label: "Failures", sort: "failures", number: true },
  { label: "Last (UTC)", sort: "last" }, { label: "Last fates" },
];

/** What the address asks for. */
function wish(parameters) {
  const by = COLUMNS.some((column) => column.sort === parameters.get("sort")) ? parameters.get("sort") : "owed";
  const order = parameters.get("order");
  const offset = Number.parseInt(parameters.get("offset") ?? "0", 10);
  return {
    state: STATES.includes(parameters.get("state")) ? parameters.get("state") : "",
    filter: (parameters.get("filter") ?? "").slice(0, 253),
    by,
    descending: order ? order === "desc" : by !== "origin" && by !== "state" && by !== "next",
    offset: isNumber(offset) && offset > 0 ? Math.min(offset, 1e9) : 0,
  };
}

/** The address of the view for these wishes; what is the default is left out. */
export function hostsAddress(parameters, changes) {
  const wanted = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries({ offset: "", ...changes })) {
    if (value === "" || value === null || value === "0") wanted.delete(name);
    else wanted.set(name, value);
  }
  return `#/hosts${String(wanted) ? `?${wanted}` : ""}`;
}

/** A click on the head of a column: sorts by it, or turns the order around. */
export function sortAddress(parameters, by) {
  const now = wish(parameters);
  if (now.by === by) return hostsAddress(parameters, { sort: by, order: now.descending ? "asc" : "desc" });
  return hostsAddress(parameters, { sort: by, order: "" });
}

/** fetched ×3 · disallowed */
function fatesText(fates) {
  const runs = [];
  for (const fate of list(fates).slice(0, 5)) {
    const name = word(fate);
    if (runs.at(-1)?.name === name) runs.at(-1).times += 1;
    else runs.push({ name, times: 1 });
  }
  return runs.map(({ name, times }) => (times > 1 ? `${name} ×${times}` : name)).join(" · ") || "–";
}

export const stateBadge = (state) => h("span", { class: "badge", "data-state": STATES.includes(state) ? state : "other" }, named(state));

/** An order of the operator, or null. */
export function orderText(order) {
  const { paused, until, delay_seconds: delay, since } = object(order);
  const parts = [];
  if (paused) parts.push(["paused ", until ? ["until ", when(until)] : "until it is resumed"]);
  if (isNumber(delay)) parts.push(`never more than one request in ${duration(delay)}`);
  if (!parts.length) return null;
  return ["Order: ", parts.map((part, index) => [index ? "; " : "", part]), since ? [" (since ", when(since), ")"] : null];
}

function row(host) {
  return [
    text(host.origin, 1000),
    [hostLink(host.host, host.origin ?? host.host), object(host.order).paused || host.order?.delay_seconds ? quiet("under an order") : null],
    [stateBadge(host.state), host.waiting && host.waiting !== "nothing" && host.waiting !== host.state ? quiet(named(host.waiting)) : null],
    [duration(host.interval_seconds), quiet(named(host.interval_reason))],
    countdown(host.next), number(host.owed), number(host.visits), duration(host.latency_seconds), number(host.failures),
    when(host.last_request), h("bdi", {}, fatesText(host.last_fates)),
  ];
}

function form(wanted) {
  return h("form", { class: "choices", role: "search", "data-form": "hosts" },
    h("label", {}, "Part of the name", h("input", { id: "filter", type: "search", autocomplete: "off", spellcheck: "false", maxlength: "253", "data-field": wanted.filter, value: wanted.filter })),
    h("label", {}, "State", h("select", { id: "state-filter", "data-field": wanted.state },
      h("option", { value: "" }, "any"), STATES.map((state) => h("option", { value: state }, word(state))))));
}

function pages(data, { offset }, parameters) {
  const { matched, total } = object(data);
  const shown = Math.min(list(data?.hosts).length, PAGE);
  const range = shown ? `${number(offset + 1)}–${number(offset + shown)} of ${number(matched)}${total > matched ? `, ${number(total)} in all` : ""}` : `none of ${number(total)}`;
  return [
    pager(data ? range : "…", offset, shown, PAGE, matched, (to) => hostsAddress(parameters, { offset: String(to) })),
    data?.complete === false ? quiet("There are more origins than the endpoint looks at.") : null,
  ];
}

export const hosts = {
  title: () => "Hosts",
  load: (parameters, get) => {
    const { state, filter, by, descending, offset } = wish(parameters);
    return get("/api/v1/hosts", { state, filter, sort: by, order: descending ? "desc" : "asc", limit: PAGE, offset: offset || "" });
  },
  draw: (data, parameters) => {
    const wanted = wish(parameters);
    const rows = list(data?.hosts).slice(0, PAGE).map(object).map(row);
    return [
      h("h1", { tabindex: "-1" }, "Hosts"),
      form(wanted),
      h("section", { class: "card" },
        pages(data, wanted, parameters),
        table("Hosts, one row an origin", COLUMNS, rows, { sorted: wanted, busy: !data, empty: "no host is like that" })),
    ];
  },
};

// What the page writes: numbers, times and words. Whatever the endpoint sends becomes plain text here.

export const NOTHING = "–";
const LONGEST = 200; // characters of one text in a table or a line: no name takes the page

/** Control and direction characters show themselves: no name looks like another, and none turns the text around it. */
export function visible(value) {
  return String(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);
}

/** Anything as a short text. */
export function text(value, most = LONGEST) {
  if (value === null || value === undefined || value === "") return NOTHING;
  const whole = visible(typeof value === "object" ? JSON.stringify(value) : String(value).slice(0, 8 * most));
  return whole.length <= most ? whole : `${whole.slice(0, most - 1)}…`;
}

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
/** `value` where it is a list, else an empty one. */
export const list = (value) => (Array.isArray(value) ? value : []);
/** `value` where it is an object, else an empty one. */
export const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});

const PLAIN = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function number(value) {
  if (!isNumber(value)) return NOTHING;
  const size = Math.abs(value);
  return size < 1e7 ? PLAIN.format(value) : size < 1e15 ? COMPACT.format(value) : value.toExponential(1);
}

export function rate(value) {
  if (!isNumber(value)) return NOTHING;
  return Math.abs(value) < 10 ? value.toFixed(value !== 0 && Math.abs(value) < 1 ? 2 : 1) : number(value);
}

export function octets(value) {
  if (!isNumber(value)) return NOTHING;
  let left = value;
  for (const unit of ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]) {
    if (Math.abs(left) < 1000) return `${unit === "B" || left >= 100 ? Math.round(left) : left.toFixed(1)} ${unit}`;
    left /= 1024;
  }
  return `${value.toExponential(1)} B`;
}

export function duration(seconds) {
  if (!isNumber(seconds)) return NOTHING;
  const all = Math.max(0, seconds);
  if (all > 0 && all < 1) return `${Math.max(1, Math.round(all * 1000))} ms`;
  if (all < 60) return `${all < 10 ? Math.round(all * 10) / 10 : Math.floor(all)} s`;
  const whole = Math.floor(all);
  if (whole < 3600) return pair(whole, 60, "min", 1, "s");
  if (whole < 86400) return pair(whole, 3600, "h", 60, "min");
  return whole < 3155760000 ? pair(whole, 86400, "d", 3600, "h") : "over 100 years";
}

function pair(all, large, largeName, small, smallName) {
  const rest = Math.floor((all % large) / small);
  return `${number(Math.floor(all / large))} ${largeName}${rest ? ` ${rest} ${smallName}` : ""}`;
}

/** An instant of the endpoint in milliseconds, or NaN. Date.parse alone finds a date in nearly anything. */
export const parse = (value) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : NaN);

// The daemon's clock, not the one of the machine in front: countdowns are right wherever the page is looked at.
let ahead = Date.now() - performance.now();
export const now = () => performance.now() + ahead;
export function setNow(instant) {
  const at = parse(instant);
  if (isNumber(at)) ahead = at - performance.now();
}

/** 18:30:05 today, with the date on other days. UTC. */
export function instant(value) {
  const at = typeof value === "number" ? value : parse(value);
  if (!(Math.abs(at) < 8e15)) return NOTHING;
  const [day, whole] = new Date(at).toISOString().split("T");
  const time = whole.slice(0, 8);
  return day === new Date(now()).toISOString().slice(0, 10) ? time : `${day} ${time}`;
}

/** "in 41 s", "now" when it is past. */
export function until(value) {
  const at = parse(value);
  if (!isNumber(at)) return NOTHING;
  const left = Math.ceil((at - now()) / 1000);
  return left <= 0 ? "now" : `in ${duration(left)}`;
}

/** 450 is 07:30. */
export function minute(value) {
  if (!isNumber(value)) return NOTHING;
  const whole = Math.min(1440, Math.max(0, Math.floor(value)));
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
}

/** "0600-0845" as robots.txt has it. */
export function windowOf(value) {
  const digits = /^(\d\d)(\d\d)-(\d\d)(\d\d)$/.exec(value);
  return digits ? `${digits[1]}:${digits[2]}–${digits[3]}:${digits[4]}` : text(value);
}

// Words that say more than the endpoint's own with blanks for underscores.
const WORDS = {
  // why it waits
  interval: "its interval", latency: "answers slowly", pause: "backing off", address: "shares an address",
  site: "shares a site",
  visit_time: "outside Visit-time",
  // where the interval comes from
  default_interval: "default", request_rate: "Request-rate", rate_floor: "rate floor", crawl_delay: "Crawl-delay",
  max_crawl_delay: "longest Crawl-delay", host_override: "set for this host",
  // what robots.txt is worth
  unknown: "not known yet", stale_rules: "old rules, it does not answer", allow_all: "no robots.txt, all allowed",
  defer: "not reachable, nothing may be fetched",
};

/** One of the endpoint's words in English. */
export function word(value) {
  if (typeof value === "string" && Object.hasOwn(WORDS, value)) return WORDS[value];
  return typeof value === "string" && /^[a-z_]{1,40}$/.test(value) ? value.replaceAll("_", " ") : text(value, 80);
}

// Drawings: SVG made by script, each with the same facts as text.
import { h, quiet, s, table } from "./dom.js";
import { duration, instant, isNumber, list, minute, now, number, object, parse, word } from "./words.js";

const HOUR = 3600000;
const LEFT = 44, RIGHT = 12, TOP = 10, HEIGHT = 190, BOTTOM = 24; // pixels

const round = (value) => Math.round(value * 10) / 10;
const count = (value) => (isNumber(value) ? Math.min(Math.max(0, value), 1e12) : 0);

/** The least of 1, 2, 5, 10, 20, … that is not under `most`/4: the distance of the lines. */
function stepOf(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 4)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= most / 4) ?? power * 10;
}

function samplesOf(history) {
  return list(history?.samples).map(object)
    .map((sample) => ({ at: parse(sample.at), requests: count(sample.requests), errors: count(sample.errors) }))
    .filter((sample) => isNumber(sample.at)).slice(-360);
}

/** For those who do not see the drawing. */
function hourTable(samples, seconds) {
  const rows = new Map();
  for (const { at, requests, errors } of samples) {
    const from = Math.floor(at / 600000) * 600000;
    const sum = rows.get(from) ?? [0, 0];
    rows.set(from, [sum[0] + requests, sum[1] + errors]);
  }
  const columns = [{ label: "From (UTC)" }, { label: "Requests", number: true }, { label: "Errors", number: true }];
  return h("details", {}, h("summary", {}, "As a table, ten minutes a row"),
    table(`Requests and errors of the last hour, sums of ten minutes; counted each ${seconds} s`, columns,
      [...rows].slice(-7).map(([from, [requests, errors]]) => [String(from), instant(from), number(requests), number(errors)])));
}

/** What happened in the last hour. `history` is null before it is known. */
export function hourChart(history, width) {
  const samples = samplesOf(history);
  const seconds = isNumber(history?.step_seconds) && history.step_seconds > 0 ? history.step_seconds : 10;
  const most = Math.max(3, ...samples.map((sample) => Math.max(sample.requests, sample.errors)));
  const step = stepOf(most);
  const top = Math.ceil(most / step) * step;
  const end = now();
  const inner = Math.max(100, width - LEFT - RIGHT);
  const x = (at) => round(LEFT + inner * Math.min(1, Math.max(0, 1 - (end - at) / HOUR)));
  const y = (value) => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top));

  const lines = [];
  for (let value = 0; value <= top; value += step) {
    lines.push(s("line", { class: "grid", x1: LEFT, x2: LEFT + inner, y1: y(value), y2: y(value) }),
      s("text", { class: "axis", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)));
  }
  const every = width < 520 ? 1200000 : 600000;
  for (let at = Math.ceil((end - HOUR) / every) * every; at <= end; at += every) {
    lines.push(s("line", { class: "grid", x1: x(at), x2: x(at), y1: y(0), y2: y(0) + 5 }),
      s("text", { class: "axis", x: x(at), y: HEIGHT - 4, "text-anchor": "middle" }, new Date(at).toISOString().slice(11, 16)));
  }

  let line = "", area = "", begun = null, last = null;
  const close = () => begun !== null && (area += `L${x(last)} ${y(0)}L${x(begun)} ${y(0)}Z`);
  for (const { at, requests } of samples) {
    const gap = last === null || at - last > 1500 * seconds; // nothing is drawn where nothing was counted
    if (gap) close();
    if (gap) begun = at;
    line += `${gap ? "M" : "L"}${x(at)} ${y(requests)}`;
    area += gap ? `M${x(at)} ${y(0)}L${x(at)} ${y(requests)}` : `L${x(at)} ${y(requests)}`;
    last = at;
  }
  close();
  const bars = samples.filter((sample) => sample.errors > 0).map((sample) => `M${x(sample.at)} ${y(0)}V${y(sample.errors)}`).join("");

  const sum = (name) => samples.reduce((all, sample) => all + sample[name], 0);
  const said = samples.length
    ? `${number(sum("requests"))} requests and ${number(sum("errors"))} errors in the last hour`
    : history ? "nothing was counted yet" : "…";
  const busiest = samples.reduce((best, sample) => (sample.requests > best.requests ? sample : best), { requests: 0, at: end });
  const label = `Chart: ${said}${busiest.requests ? `; most at ${instant(busiest.at)} UTC, ${number(busiest.requests)} in ${number(seconds)} s` : ""}.`;
  return h("figure", { class: "hour" },
    h("figcaption", {}, h("span", {}, `Counts of each ${number(seconds)} s (UTC): ${said}.`),
      h("span", { class: "legend" },
        s("svg", { class: "swatch", viewBox: "0 0 20 10", "aria-hidden": "true" }, s("rect", { class: "area", width: 20, height: 10 }), s("path", { class: "line", d: "M0 1H20" })), "requests",
        s("svg", { class: "swatch", viewBox: "0 0 20 10", "aria-hidden": "true" }, s("path", { class: "errors", d: "M4 10V2M10 10V5M16 10V0", "stroke-width": 2.5 })), "errors")),
    s("svg", { width, height: HEIGHT, role: "img", "aria-label": label }, lines, s("path", { class: "area", d: area }),
      s("path", { class: "line", d: line }), s("path", { class: "errors", d: bars, "stroke-width": width < 520 ? 1 : 2.5 })),
    hourTable(samples, seconds));
}

/** The stretches of a UTC day as `day` has them, in order, each within the day. */
export function stretches(day) {
  return list(day).map(object).filter((part) => isNumber(part.from) && isNumber(part.to))
    .map((part) => ({ ...part, from: Math.min(1440, Math.max(0, part.from)), to: Math.min(1440, Math.max(0, part.to)) }))
    .filter((part) => part.to > part.from).slice(0, 1440);
}

const sayStretch = (part) => (part.open === false ? "not asked" : `one request in ${duration(part.interval_seconds)}`);

/** The intervals of a UTC day on one bar, with this instant marked. `id` makes the pattern's name unique. */
export function dayBar(day, width, id) {
  const parts = stretches(day);
  const inner = Math.max(100, width - 2 * RIGHT);
  const x = (minutes) => round(RIGHT + (inner * minutes) / 1440);
  const open = parts.filter((part) => part.open !== false && isNumber(part.interval_seconds));
  const logs = open.map((part) => Math.log(Math.max(0.001, part.interval_seconds)));
  const [least, most] = [Math.min(...logs), Math.max(...logs)];
  const shade = (part) => {
    if (part.open === false) return "closed";
    const place = most > least ? (Math.log(Math.max(0.001, part.interval_seconds)) - least) / (most - least) : 0;
    return `pace-${Math.round(3 * (isNumber(place) ? place : 0))}`; // 0: the fastest of the day
  };
  const at = (now() % 86400000) / 60000;
  const bar = parts.map((part) => {
    const [from, wide] = [x(part.from), x(part.to) - x(part.from)];
    const label = part.open === false ? "not asked" : duration(part.interval_seconds);
    let [left, right] = [from, from + wide];
    if (left < x(at) && x(at) < right) [left, right] = x(at) - left > right - x(at) ? [left, x(at)] : [x(at), right]; // beside the mark
    return s("g", {},
      s("rect", { class: `stretch ${shade(part)}`, x: from, y: 22, width: round(wide), height: 34, fill: part.open === false ? `url(#${id})` : null, "data-from": part.from, "data-to": part.to, "data-open": String(part.open !== false) }),
      right - left > 9 * label.length ? s("text", { class: `inside ${shade(part)}`, x: (left + right) / 2, y: 44, "text-anchor": "middle" }, label) : null);
  });
  const hours = [];
  for (let hour = 0; hour <= 24; hour += width < 520 ? 6 : 3) {
    hours.push(s("line", { class: "grid", x1: x(hour * 60), x2: x(hour * 60), y1: 56, y2: 62 }),
      s("text", { class: "axis", x: x(hour * 60), y: 76, "text-anchor": hour === 0 ? "start" : hour === 24 ? "end" : "middle" }, minute(hour * 60)));
  }
  const near = at < 90 ? "start" : at > 1350 ? "end" : "middle";
  const label = `The UTC day: ${parts.slice(0, 24).map((part) => `${minute(part.from)} to ${minute(part.to)} ${sayStretch(part)}`).join("; ")}. It is ${minute(at)}.`;
  return s("svg", { class: "day", width, height: 80, role: "img", "aria-label": label },
    s("defs", {}, s("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { class: "hatch-ground", width: 8, height: 8 }), s("line", { class: "hatch", x1: 0, x2: 0, y1: 0, y2: 8 }))),
    bar, hours, s("path", { class: "now-line", d: `M${x(at)} 18V60` }),
    s("text", { class: "now-text", x: x(at), y: 13, "text-anchor": near }, `now ${minute(at)}`));
}

/** The same as a table, with reasons. */
export const dayTable = (day) =>
  table("Intervals of the UTC day", [{ label: "UTC" }, { label: "Interval" }, { label: "Reason" }],
    stretches(day).slice(0, 96).map((part) => [String(part.from), `${minute(part.from)}–${minute(part.to)}`, sayStretch(part), part.open === false ? "–" : word(part.reason)]));

/** Counts by name, the largest first, each with a bar. */
export function bars(counts, empty) {
  const all = Object.entries(object(counts)).filter(([, value]) => isNumber(value)).sort((one, other) => other[1] - one[1]);
  if (!all.length) return quiet(counts ? empty : "…");
  const most = Math.max(1, ...all.map(([, value]) => value));
  return h("ul", { class: "bars" }, all.slice(0, 16).map(([name, value]) =>
    h("li", { "data-key": name }, h("bdi", { class: "name" }, word(name)),
      s("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, s("rect", { width: round(Math.max(1, 100 * (value / most))), height: 8 })),
      h("span", { class: "amount" }, number(value)))),
    all.length > 16 ? h("li", {}, `and ${all.length - 16} others`) : null);
}

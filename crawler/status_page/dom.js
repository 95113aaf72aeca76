// Elements are made here and nowhere else. Text is only ever text: nothing is parsed as HTML.
import { instant, NOTHING, text, until, visible, word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (/^on|^style$|^srcdoc$/i.test(name)) throw new Error(`attribute ${name}`);
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** h("p", {class: "note"}, "text", other, [more]) */
export const h = (tag, attributes = {}, ...children) => make(document.createElement(tag), attributes, children);
/** The same for SVG. */
export const s = (tag, attributes = {}, ...children) => make(document.createElementNS(SVG, tag), attributes, children);

/** A text from outside: isolated, so that its direction is its own business. */
export const foreign = (value, most) => h("bdi", { title: String(value ?? "").length > 60 ? visible(value).slice(0, 2000) : null }, text(value, most));

/** A word of the endpoint. */
export const named = (value) => h("bdi", {}, word(value));
export const quiet = (...said) => h("div", { class: "quiet" }, said);

/** A link out of the page, only for http and https; anything else stays text. */
export function outward(url, most) {
  let to = null;
  try {
    to = new URL(url);
  } catch {
    // stays text
  }
  if (typeof url !== "string" || !to || !["http:", "https:"].includes(to.protocol)) return foreign(url, most);
  return h("a", { href: to.href, rel: "noreferrer noopener", target: "_blank" }, foreign(url, most));
}

export const hostLink = (name, shown = name) =>
  typeof name === "string" && name ? h("a", { href: `#/host/${encodeURIComponent(name.toWellFormed?.() ?? name)}` }, foreign(shown)) : foreign(shown);

/** The host's name of an origin. */
export function hostOf(origin) {
  try {
    return new URL(origin).hostname.replace(/^\[|\]$/g, "");
  } catch {
    return null;
  }
}

/** An instant of the past. */
export const when = (value) =>
  instant(value) === NOTHING ? NOTHING : h("time", { datetime: text(value), title: `${text(value)} (UTC)` }, instant(value));
/** An instant to come, counted down by tick(). */
export const countdown = (value) =>
  until(value) === NOTHING ? NOTHING : h("time", { datetime: text(value), "data-until": text(value), title: `${text(value)} (UTC)` }, until(value));

export function tick() {
  for (const time of document.querySelectorAll("[data-until]")) {
    const said = until(time.dataset.until);
    if (time.textContent !== said) time.textContent = said;
  }
}

const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute("data-key") : null);
const same = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
const OWN = { DETAILS: ["open"], INPUT: ["value"] }; // what the reader has done stays

function move(parent, node, before) {
  if (parent.moveBefore) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}

/** Makes `live` say what `wanted` says, changing as little as can be: what has the focus, is scrolled or selected stays so. */
export function patch(live, wanted) {
  const own = OWN[live.nodeName] ?? [];
  for (const { name } of [...live.attributes]) {
    if (!wanted.hasAttribute(name) && !own.includes(name)) live.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (live.getAttribute(name) !== value && !own.includes(name)) live.setAttribute(name, value);
  }
  patchChildren(live, [...wanted.childNodes]);
}

export function patchChildren(live, wanted) {
  const keyed = new Map([...live.childNodes].filter(keyOf).map((node) => [keyOf(node), node]));
  let at = live.firstChild;
  for (const child of wanted) {
    let match = keyOf(child) ? keyed.get(keyOf(child)) : at;
    keyed.delete(keyOf(child));
    if (match && match !== at && match === at?.nextSibling) {
      move(live, at, null); // the first of a queue went to its end, or away: one move instead of many
      at = match;
    }
    if (!match || !same(match, child)) {
      live.insertBefore(child, at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else move(live, match, at);
    if (match.nodeType === 1) patch(match, child);
    else if (match.data !== child.data) match.data = child.data;
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/**
 * A table that is a list of cards where it is narrow. `columns`: {label, sort, number, wide}; `rows`: [key, cell, cell, …];
 * `sorted`: {by, descending} when it can be sorted. Explicit roles, because cards are no table to some browsers.
 */
export function table(caption, columns, rows, { sorted = null, empty = "nothing", busy = false } = {}) {
  const head = columns.map((column) => {
    const how = sorted && column.sort === sorted.by ? (sorted.descending ? "descending" : "ascending") : "none";
    const label = column.sort && sorted ? h("button", { type: "button", "data-sort": column.sort }, column.label) : column.label;
    return h("th", { scope: "col", role: "columnheader", class: column.number && "number", "aria-sort": column.sort && sorted ? how : null }, label);
  });
  const cell = (value, index) =>
    h("td", { role: "cell", class: columns[index].number && "number", "data-label": columns[index].label.replace(" (UTC)", "") }, h("div", {}, value));
  const body = rows.map(([key, ...cells]) => h("tr", { role: "row", "data-key": key }, cells.map(cell)));
  if (!rows.length) body.push(h("tr", { role: "row" }, h("td", { role: "cell", class: "empty", colspan: columns.length }, busy ? "…" : empty)));
  return h("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { role: "table", class: sorted && "sortable" },
      h("caption", { class: "unseen" }, caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head)),
      h("tbody", { role: "rowgroup" }, body)));
}

/** Pairs of a term and what is said of it; null pairs are left out. */
export const facts = (...pairs) =>
  h("dl", { class: "facts-list" }, pairs.filter(Boolean).map(([term, ...said]) => h("div", {}, h("dt", {}, term), h("dd", {}, said))));

/** What is shown of how much, and buttons to go on. `address(offset)` is where a page is. */
export function pager(said, offset, shown, size, total, address) {
  const step = (name, to, possible) =>
    h("button", { type: "button", "aria-disabled": possible ? null : "true", "data-go": possible && address(Math.max(0, to)) }, name);
  return h("div", { class: "pages" }, h("span", { id: "counted" }, said),
    h("span", {}, step("Previous", offset - size, offset > 0), " ", step("Next", offset + size, offset + shown < total)));
}

export const section = (title, ...content) => h("section", { class: "card" }, h("h2", {}, title), content);

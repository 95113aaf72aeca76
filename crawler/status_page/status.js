// The status page: asks the endpoint every 5 s while it is looked at, and draws the view that the address names.
import { explain, seeds } from "./asked.js";
import { h, patchChildren, tick } from "./dom.js";
import { host } from "./host.js";
import { hosts, hostsAddress, sortAddress } from "./hosts.js";
import { overview } from "./overview.js";
import { duration, instant, isNumber, now, number, object, setNow, text, visible, word } from "./words.js";

const EVERY = 5000; // ms between the end of one refresh and the next
const PATIENCE = 8000; // ms until an endpoint that says nothing counts as one that does not answer
const TYPING = 250; // ms after the last key until a search begins
const REPEAT = 60000; // ms between two announcements of a sentence that changes by itself

const $ = (id) => document.getElementById(id);
const VIEWS = { "": overview, hosts, seeds, explain, host };

let route = null; // {name, view, parameters, key}
let status = {};
let data = null;
let problem = null; // what the endpoint had against the view's question
let running = null; // AbortController of the refresh under way
let timer = 0;
let asOf = null; // instant of the last good answer, by the daemon's clock
let goneSince = null;
const said = { state: "", gist: "", at: -Infinity };

class Refusal extends Error {} // the endpoint answered, and said no

async function get(path, query = {}) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]));
  const answer = await fetch(String(parameters) ? `${path}?${parameters}` : path, { cache: "no-store", credentials: "omit", signal: running.signal });
  const body = await answer.json(); // what is no JSON comes from something else than the endpoint
  if (answer.ok) return body;
  throw new Refusal(object(object(body).error).message ?? `the endpoint answered ${answer.status}`);
}

async function refresh() {
  clearTimeout(timer);
  running?.abort();
  const mine = (running = new AbortController());
  const patience = setTimeout(() => mine.abort(), PATIENCE);
  const asked = route;
  try {
    const view = asked.view.load(asked.parameters, get, asked.name).catch((error) => error);
    const [newStatus, newData] = await Promise.all([get("/api/v1/status"), view]);
    if (mine !== running) return;
    if (newData instanceof Error && !(newData instanceof Refusal)) throw newData;
    status = object(newStatus);
    setNow(status.now);
    asOf = now();
    goneSince = null;
    problem = newData instanceof Refusal ? newData.message : null;
    data = problem ? null : newData;
  } catch (error) {
    if (mine !== running) return;
    goneSince ??= now();
  } finally {
    clearTimeout(patience);
    if (mine === running) {
      if (document.visibilityState !== "hidden") timer = setTimeout(refresh, EVERY);
      draw();
    }
  }
}

// --- what is drawn ---

/** What the band says: [state, its word, sentence, facts]. */
function band() {
  if (goneSince !== null) {
    const old = asOf === null ? "There was no answer yet." : `What you see is of ${instant(asOf)} UTC.`;
    return ["gone", "No answer", `The endpoint has not answered since ${instant(goneSince)} UTC.`, `${old} It is asked again every ${EVERY / 1000} s.`];
  }
  if (asOf === null) return ["asking", "Asking", "The endpoint is being asked.", "–"];
  const reload = object(status.reload);
  const facts = [
    `crawld ${text(status.version, 20)}`,
    `up ${duration(status.uptime_seconds)}`,
    reload.successful === false ? `the configuration of ${instant(reload.at)} was refused` : null,
    isNumber(status.orders) && status.orders > 0 ? `${number(status.orders)} ${status.orders === 1 ? "order" : "orders"} in force` : null,
    `as of ${instant(asOf)} UTC`,
  ];
  const name = word(status.state);
  return [text(status.state, 20), name.slice(0, 1).toUpperCase() + name.slice(1), text(status.sentence, 400), facts.filter(Boolean).join(" · ")];
}

function put(id, value) {
  if ($(id).textContent !== value) $(id).textContent = value;
}

function drawBand() {
  const [state, name, sentence, facts] = band();
  $("band").dataset.state = state;
  put("state", name);
  put("sentence", sentence);
  put("facts", facts);
  document.title = `${name} – ${route.view.title(route.parameters, route.name)} – crawld`;
  // Read out when the state changes, and now and then when the sentence does in more than its numbers.
  const gist = sentence.replace(/\d+/g, "");
  if (state === said.state && (gist === said.gist || performance.now() - said.at < REPEAT)) return;
  Object.assign(said, { state, gist, at: performance.now() });
  put("says", `${name}. ${sentence}`);
}

function draw() {
  drawBand();
  if (asOf === null) return; // all at once, when there is something to say
  const main = $("main");
  const focused = document.activeElement;
  const region = focused?.closest?.("[role=region]");
  const wanted = route.view.draw(data, route.parameters, { status, width: main.clientWidth }, route.name).flat(Infinity).filter(Boolean);
  if (problem) wanted.splice(1, 0, h("p", { class: "notice bad", role: "alert" }, `The endpoint says: ${text(problem, 600)}`));
  patchChildren(main, wanted);
  if (focused === document.activeElement || !main.contains(region ?? focused)) return;
  (focused.isConnected ? focused : region).focus({ preventScroll: true });
}

/** Fields say what the address says, except the one that is being typed into. */
function fill() {
  for (const field of $("main").querySelectorAll("[data-field]")) {
    if (field !== document.activeElement) field.value = field.dataset.field;
  }
}

// --- where we are ---

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [key, ...rest] = path.split("/");
  let name = rest.join("/");
  try {
    name = decodeURIComponent(name);
  } catch {
    // shown as it is
  }
  return { key, view: Object.hasOwn(VIEWS, key) ? VIEWS[key] : overview, name, parameters: new URLSearchParams(query ?? "") };
}

function go() {
  const before = route;
  route = place();
  problem = null;
  const fresh = before?.view !== route.view || before?.name !== route.name;
  if (fresh) {
    data = null;
    $("main").replaceChildren();
  }
  for (const link of $("views").children) {
    const here = VIEWS[link.hash.replace(/^#\/?/, "")] === route.view;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  draw();
  fill();
  if (fresh && before) {
    scrollTo(0, 0);
    $("main").querySelector("h1")?.focus();
  }
  refresh();
}

/** Another address without another step back. */
function turn(address) {
  history.replaceState(null, "", address);
  go();
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    put("says", `Copied: ${visible(button.dataset.copy)}`);
    button.dataset.copied = "yes";
  } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    put("says", "Selected, not copied.");
  }
}

let typing = 0;
const search = () => turn(hostsAddress(route.parameters, { filter: $("filter").value.trim() }));

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (event.target.id === "skip") {
    event.preventDefault(); // the address belongs to the views
    $("main").focus();
  } else if (button?.dataset.sort) location.hash = sortAddress(route.parameters, button.dataset.sort);
  else if (button?.dataset.go) location.hash = button.dataset.go;
  else if (button?.dataset.copy) copy(button);
});
document.addEventListener("input", ({ target }) => {
  clearTimeout(typing);
  if (target.id === "filter") typing = setTimeout(search, TYPING);
  if (target.id === "state-filter") turn(hostsAddress(route.parameters, { state: target.value }));
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  if (event.target.dataset.form === "hosts") search();
  if (event.target.dataset.form === "explain") location.hash = `#/explain?${new URLSearchParams({ url: $("url").value.trim() })}`;
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") clearTimeout(timer);
  else refresh();
});
addEventListener("hashchange", go);
let drawnWidth = $("main").clientWidth;
new ResizeObserver(() => {
  if ($("main").clientWidth === drawnWidth) return;
  drawnWidth = $("main").clientWidth;
  requestAnimationFrame(draw); // the charts are as wide as the page
}).observe($("main"));
setInterval(() => document.visibilityState !== "hidden" && tick(), 1000);
go();

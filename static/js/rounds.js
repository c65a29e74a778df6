/**
 * A round's page: lays other rounds' curves over its own, polls what is new, moves the pipeline, draws curves, appends
 * the log, cancels and resumes.
 * Not for: laying out curves (curves.js), deciding (plain forms).
 */
import { controlOf } from "./curve-shapes.js";
import { Curve, smoothingControl } from "./curves.js";
import { el, find, findAll, pageData } from "./lib/dom.js";
import { getJSON, postJSON } from "./lib/http.js";
import { toast } from "./lib/toast.js";

const POLL_BUSY = 1000;
const POLL_CANCELLING = 300;
const POLL_IDLE = 5000;
const MOST_LINES = 2000;

const url = find("#live").dataset.url;
const after = { metrics: 0, lines: 0 };
/**
 * @type {Map<string, {token: number, state: string, series: Map<string, Map<number, number>>, curves: Map<string,
 *   Curve>}>}
 */
const jobs = new Map();
let chosen = null;
/** {targets: {kind: {metric: {label, value}[]}}, others: {number, label, alike, url}[]} */
const beside = pageData("curves-beside");
/**
 * What was fetched of the rounds that are laid over this one's: kind → metric → points.
 * @type {Map<number, Map<string, Map<string, Map<number, number>>>>}
 */
const laid = new Map();
let share = 0;

const over = (state) => !["queued", "running", "cancelling"].includes(state);

/** Seconds as a person says them. */
export function duration(seconds) {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** The line of time under a stage. */
export function timeText(job) {
  if (job.state === "running" && job.eta !== null) return `${duration(job.eta)} left`;
  if (job.seconds !== null && job.state !== "queued")
    return `${over(job.state) ? "took" : "for"} ${duration(job.seconds)}`;
  return "\u00a0";
}

function open(kind) {
  for (const panel of findAll(".job")) panel.hidden = panel.id !== `job-${kind}`;
  for (const tab of findAll(".stage")) {
    const here = tab.id === `tab-${kind}`;
    tab.setAttribute("aria-selected", String(here));
    tab.tabIndex = here ? 0 : -1;
  }
}

function update(job) {
  const known = jobs.get(job.id) || { token: job.token, state: "", series: new Map(), curves: new Map() };
  jobs.set(job.id, known);
  if (known.token !== job.token) {
    // A new attempt computes the last steps again; the server has dropped the old ones.
    known.token = job.token;
    after.metrics = 0;
    for (const other of jobs.values()) other.series.clear();
  }
  const tab = find(`.stage[data-job="${job.id}"]`);
  const panel = find(`.job[data-job="${job.id}"]`);
  tab.dataset.state = job.state;
  find('[data-field="state"]', tab).textContent = job.state;
  find('[data-field="time"]', tab).textContent = timeText(job);
  const bar = find("progress", tab);
  bar.max = job.total || 1;
  bar.value = job.state === "completed" ? bar.max : job.done;
  const device = find('[data-field="device"]', panel);
  device.textContent = job.device ? `On ${job.device}` : "";
  const error = find('[data-field="error"]', panel);
  error.textContent = job.error;
  error.hidden = !job.error;
  find('[data-act="cancel"]', panel).hidden = !["queued", "running"].includes(job.state);
  find('[data-act="resume"]', panel).hidden = !job.can_resume;
  const changed = known.state !== "" && known.state !== job.state;
  known.state = job.state;
  return changed;
}

function addMetrics(rows) {
  const touched = new Set();
  for (const row of rows) {
    after.metrics = Math.max(after.metrics, row.id);
    const job = jobs.get(row.job);
    if (!job) continue;
    for (const [name, value] of Object.entries(row.values)) {
      if (typeof value !== "number") continue;
      const series = job.series.get(name) ?? new Map();
      job.series.set(name, series.set(row.step, value));
    }
    touched.add(row.job);
  }
  for (const id of touched) drawCurves(id);
}

function drawCurves(id) {
  /** @type {any} */
  const job = jobs.get(id);
  const home = find(`.job[data-job="${id}"] [data-curves]`);
  const { kind } = home.dataset;
  for (const [name, series] of job.series) {
    // A control lies under what it is the control of, so that one sees both.
    if (job.series.has(controlOf(name))) continue;
    if (!job.curves.has(name)) {
      const curve = new Curve(name);
      curve.setTargets(beside.targets[kind]?.[name] ?? []);
      curve.setSmoothing(share);
      curve.setOthers(laidOver(kind, name));
      job.curves.set(name, curve);
      home.append(curve.figure);
    }
    job.curves.get(name).set(sorted(series));
    const control = job.series.get(`control_${name}`);
    if (control) job.curves.get(name).setControl(sorted(control));
  }
}

const sorted = (series) => [...series].sort((a, b) => a[0] - b[0]);

/** A metric of a kind of job in the rounds that are laid over, as Curve.setOthers takes it. */
function laidOver(kind, name) {
  return beside.others.filter((other) => laid.has(other.number)).map((one) => {
    const points = sorted(laid.get(one.number)?.get(kind)?.get(name) ?? []);
    return { label: one.label, alike: one.alike, points };
  });
}

/** All metrics of another round, by kind of job and name. */
async function metricsOf(address) {
  const found = new Map();
  for (let last = 0, news = null; !news || news.metrics.length; ) {
    news = await getJSON(`${address}?metrics_after=${last}&lines_after=${Number.MAX_SAFE_INTEGER}`);
    const kinds = new Map(news.jobs.map((job) => [job.id, job.kind]));
    for (const { id, job, step, values } of news.metrics) {
      last = id;
      const kind = kinds.get(job);
      if (!found.has(kind)) found.set(kind, new Map());
      for (const [name, value] of Object.entries(values)) {
        if (typeof value !== "number") continue;
        if (!found.get(kind).has(name)) found.get(kind).set(name, new Map());
        found.get(kind).get(name).set(step, value);
      }
    }
  }
  return found;
}

function eachCurve(change) {
  for (const [id, job] of jobs) {
    const { kind } = find(`.job[data-job="${id}"] [data-curves]`).dataset;
    for (const [name, curve] of job.curves) change(curve, kind, name);
  }
}

for (const box of findAll("[data-lay-over]")) {
  box.addEventListener("change", async () => {
    const other = beside.others.find((other) => other.number === Number(box.value));
    try {
      if (box.checked) laid.set(other.number, await metricsOf(other.url));
      else laid.delete(other.number);
    } catch (error) {
      box.checked = false;
      toast(error.message, { bad: true });
    }
    eachCurve((curve, kind, name) => curve.setOthers(laidOver(kind, name)));
  });
}

find("#smoothing")?.append(smoothingControl((chosenShare) => {
  share = chosenShare;
  eachCurve((curve) => curve.setSmoothing(share));
}));

function addLines(rows) {
  for (const row of rows) {
    after.lines = Math.max(after.lines, row.id);
    const log = find(`.job[data-job="${row.job}"] [data-log]`);
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
    log.append(el("li", { class: `level-${row.level}` }, el("time", { text: row.at }), " ", row.text));
    while (log.children.length > MOST_LINES) log.firstChild.remove();
    if (atEnd) log.scrollTop = log.scrollHeight;
  }
}

function showWorker(problem) {
  const notice = find("#no-worker");
  notice.hidden = !problem;
  if (!problem) return;
  find("[data-text]", notice).textContent = problem.text;
  find("[data-command]", notice).textContent = problem.command;
  find("[data-copy]", notice).dataset.copy = problem.command;
}

function follow(list) {
  const now = list.find((job) => job.state !== "completed") || list.at(-1);
  // When all is done, the agent's curves are what one comes back for.
  if (chosen === null) open(now.state === "completed" ? "agent" : now.kind);
  find("#round-state").textContent = list.every((job) => job.state === "completed")
    ? find("#round-state").dataset.decided || "waits for a decision"
    : `${now.kind.replace("_", " ")} ${now.state}`;
}

async function poll() {
  let wait = POLL_IDLE;
  try {
    const news = await getJSON(`${url}?metrics_after=${after.metrics}&lines_after=${after.lines}`);
    const before = after.metrics;
    const changed = news.jobs.map(update).some(Boolean);
    // After a new attempt the metrics are asked for again from the start.
    if (after.metrics === before) addMetrics(news.metrics);
    addLines(news.lines);
    showWorker(news.no_worker);
    find("#round-state").dataset.decided = news.decision;
    follow(news.jobs);
    if (changed) document.body.dispatchEvent(new CustomEvent("round-changed"));
    if (!news.jobs.every((job) => over(job.state)) || after.metrics !== before) wait = POLL_BUSY;
    if (news.jobs.some((job) => job.state === "cancelling")) wait = POLL_CANCELLING;
  } catch {
    find("#round-state").textContent = "connection lost, trying again";
  }
  timer = setTimeout(poll, document.hidden ? POLL_IDLE : wait);
}

let timer = 0;
const soon = () => { clearTimeout(timer); poll(); };

for (const tab of findAll(".stage")) {
  tab.addEventListener("click", () => { chosen = tab.id.slice(4); open(chosen); });
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = findAll(".stage");
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    event.preventDefault();
    next.focus();
    next.click();
  });
}

for (const form of findAll("form[data-act]")) {
  const button = find("button", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true; // two presses are one
    try {
      update(await postJSON(form.action, {}));
      soon();
    } catch (error) {
      toast(error.message, { bad: true });
    } finally {
      button.disabled = false;
    }
  });
}

poll();

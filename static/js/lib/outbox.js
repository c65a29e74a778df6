/**
 * The outbox: what a person has made and the server has not yet acknowledged. Kept in IndexedDB, one database a
 * signed-in person, so that a crash, a closed lid or an offline minute loses nothing; sent again until acknowledged.
 *
 * The server takes any item any number of times with one effect, so sending too often is harmless and two windows
 * may share an outbox. An answer of 401, 403 or 419 leaves everything pending. Not for: what a mark means (marks.js).
 */

const SIGNED_OUT = new Set([401, 403, 419]);
const BATCH = 100;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

/** Items in memory alone: for tests, and where the browser refuses IndexedDB. */
export function memoryStore() {
  const items = new Map();
  return {
    durable: false,
    put: async (item) => void items.set(item.id, structuredClone(item)),
    remove: async (id) => void items.delete(id),
    all: async () => [...items.values()].map((item) => structuredClone(item)),
  };
}

/** Items in IndexedDB under this name; falls back to memory where the browser refuses. */
export async function indexedStore(name) {
  const ask = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  let database;
  try {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("items", { keyPath: "id" });
    database = await ask(opening);
  } catch {
    return memoryStore();
  }
  const write = (act) => new Promise((resolve, reject) => {
    const transaction = database.transaction("items", "readwrite", { durability: "strict" });
    act(transaction.objectStore("items"));
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
  });
  return {
    durable: true,
    put: (item) => write((store) => store.put(item)),
    remove: (id) => write((store) => store.delete(id)),
    all: () => ask(database.transaction("items").objectStore("items").getAll()),
  };
}

/** Send a batch as JSON; resolves to {status, data}, status 0 when the network failed. */
export function jsonSender(url, person, readToken) {
  return async (marks) => {
    try {
      const response = await fetch(url, {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": readToken() },
        body: JSON.stringify({ person, marks }),
      });
      const json = (response.headers.get("content-type") || "").includes("json");
      return { status: response.status, data: json ? await response.json() : null };
    } catch {
      return { status: 0, data: null };
    }
  };
}

export class Outbox {
  /**
   * @param {{store: ReturnType<typeof memoryStore>, send: (marks: object[]) => Promise<{status: number, data: any}>,
   *   onChange?: () => void, onStale?: (mark: object) => void, wait?: (run: () => void, ms: number) => any}} options
   *   `onStale` gets the version that the server kept when it had a newer one
   */
  constructor({ store, send, onChange = () => {}, onStale = () => {}, wait = (run, ms) => setTimeout(run, ms) }) {
    Object.assign(this, { store, send, onChange, onStale, wait });
    /** What is not acknowledged: id to {mark, failed: sentence or null}. */
    this.items = new Map();
    /** "", "offline", "signed-out" or "server": why the last attempt left marks pending. */
    this.trouble = "";
    this.sentence = "";
    this.running = null;
    this.again = false;
    this.delay = FIRST_WAIT;
    this.latencies = [];
  }

  /** Read what an earlier visit left behind, and send it. */
  async open() {
    for (const item of await this.store.all()) if (!this.items.has(item.id)) this.items.set(item.id, item);
    this.onChange();
    this.flush();
    return [...this.items.values()].map((item) => item.mark);
  }

  /** Keep a version of a mark (replacing an older one of it) and send it. Resolves once it is stored here. */
  async put(mark) {
    const item = { id: mark.id, mark, failed: null };
    this.items.set(mark.id, item);
    this.onChange();
    try {
      await this.store.put(item);
    } finally {
      this.flush();
    }
  }

  /** "saved", "pending" or "failed". */
  status(id) {
    const item = this.items.get(id);
    return item ? (item.failed ? "failed" : "pending") : "saved";
  }

  /** Why the server refused a mark, or "". */
  reason(id) {
    return this.items.get(id)?.failed ?? "";
  }

  get pending() {
    return [...this.items.values()].filter((item) => !item.failed).length;
  }

  get failed() {
    return [...this.items.values()].filter((item) => item.failed).length;
  }

  /** Try failed marks again, after what was wrong was put right. */
  retry() {
    for (const item of this.items.values()) item.failed = null;
    this.delay = FIRST_WAIT;
    return this.flush();
  }

  /** Send everything pending, in batches; resolves when there is nothing to send or an attempt failed. */
  flush() {
    this.again = true;
    this.running ??= this.#run().finally(() => { this.running = null; });
    return this.running;
  }

  async #run() {
    while (this.again) {
      this.again = false;
      let batch;
      while ((batch = this.#batch()).length) {
        if (!(await this.#sendOne(batch))) return;
      }
    }
  }

  #batch() {
    return [...this.items.values()].filter((item) => !item.failed).slice(0, BATCH);
  }

  async #sendOne(batch) {
    const started = performance.now();
    const { status, data } = await this.send(batch.map((item) => item.mark));
    if (status !== 200 || !Array.isArray(data?.results)) return this.#postpone(status, data);
    this.latencies.push(performance.now() - started);
    this.trouble = this.sentence = "";
    this.delay = FIRST_WAIT;
    const answers = new Map(data.results.map((result) => [result.id, result]));
    for (const item of batch) await this.#settle(item, answers.get(item.id));
    this.onChange();
    return true;
  }

  async #settle(sent, answer) {
    const now = this.items.get(sent.id);
    const changedMeanwhile = now && now.mark.revision > sent.mark.revision;
    if (!answer || answer.status === "refused") {
      if (changedMeanwhile) return;
      const item = { ...sent, failed: answer?.sentence || "The server gave no answer about this mark." };
      this.items.set(sent.id, item);
      await this.store.put(item);
      return;
    }
    if (answer.status === "stale" && answer.mark && !changedMeanwhile) this.onStale(answer.mark);
    if (changedMeanwhile) return;
    this.items.delete(sent.id);
    await this.store.remove(sent.id);
  }

  #postpone(status, data) {
    this.trouble = status === 0 ? "offline" : SIGNED_OUT.has(status) ? "signed-out" : "server";
    this.sentence = data?.error || {
      offline: "The server can't be reached.",
      "signed-out": "You are signed out.",
      server: `The server answered ${status}.`,
    }[this.trouble];
    this.onChange();
    this.wait(() => this.flush(), this.delay);
    this.delay = Math.min(LONGEST_WAIT, this.delay * 2);
    return false;
  }
}

/**
 * The outbox: what a person has made and the server has not yet acknowledged. Kept in IndexedDB, one database a
 * signed-in person, so that a crash, a closed lid or an offline minute loses nothing; sent again until acknowledged.
 *
 * The server takes any item any number of times with one effect, so sending too often is harmless and two windows
 * may share an outbox. An answer of 401, 403 or 419 leaves everything pending. A batch that can't be taken is halved
 * until the bad mark in it is found: that one is failed, with a sentence, and the others are saved. Not for: what a
 * mark means (marks.js).
 */

/** @typedef {{id: string, mark: any, failed: string|null}} Item */

const SIGNED_OUT = new Set([401, 403, 419]);
/** Answers that say nothing about what was sent: a little later the same is taken. */
const BUSY = new Set([408, 425, 429, 502, 503, 504]);
const BATCH = 100;
/** So often does a server break at a mark before it is the mark that is at fault. */
const PATIENCE = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

/** Items in memory alone: for tests, and where the browser refuses IndexedDB. */
export function memoryStore() {
  /** @type {Map<string, Item>} */
  const items = new Map();
  return {
    durable: false,
    /** @param {Item} item */
    put: async (item) => void items.set(item.id, structuredClone(item)),
    /** @param {string} id */
    remove: async (id) => void items.delete(id),
    all: async () => [...items.values()].map((item) => structuredClone(item)),
  };
}

/** Items in IndexedDB under this name; falls back to memory where the browser refuses. @param {string} name */
export async function indexedStore(name) {
  /** @param {IDBRequest} request @returns {Promise<any>} */
  const ask = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  /** @type {IDBDatabase} */
  let database;
  try {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("items", { keyPath: "id" });
    database = await ask(opening);
  } catch {
    return memoryStore();
  }
  /** @param {(store: IDBObjectStore) => void} act @returns {Promise<void>} */
  const write = (act) => new Promise((resolve, reject) => {
    const transaction = database.transaction("items", "readwrite", { durability: "strict" });
    act(transaction.objectStore("items"));
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
  });
  return {
    durable: true,
    /** @param {Item} item */
    put: (item) => write((store) => store.put(item)),
    /** @param {string} id */
    remove: (id) => write((store) => store.delete(id)),
    all: () => ask(database.transaction("items").objectStore("items").getAll()),
  };
}

/**
 * Send a batch as JSON; resolves to {status, data}, status 0 when the network failed.
 * @param {string} url
 * @param {string} person
 * @param {() => string|undefined} readToken
 */
export function jsonSender(url, person, readToken) {
  return async (/** @type {object[]} */ marks) => {
    try {
      const response = await fetch(url, {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": readToken() ?? "" },
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
   * @param {{store: any, send: (marks: object[]) => Promise<{status: number, data: any}>,
   *   onChange?: () => void, onStale?: (mark: any) => void, onSaved?: (mark: any) => void,
   *   wait?: (run: () => void, ms: number) => any}} options
   *   `onStale` gets the version that the server kept when it had a newer one or that lost its
   *   place to one that it took, `onSaved` what it took
   */
  constructor({
    store, send, onChange = () => {}, onStale = () => {}, onSaved = () => {}, wait = (run, ms) => setTimeout(run, ms),
  }) {
    this.store = store;
    this.send = send;
    this.onChange = onChange;
    this.onStale = onStale;
    this.onSaved = onSaved;
    this.wait = wait;
    /** What is not acknowledged, by its id; `failed` is a sentence. @type {Map<string, Item>} */
    this.items = new Map();
    /** "", "offline", "signed-out" or "server": why the last attempt left marks pending. */
    this.trouble = "";
    this.sentence = "";
    /** @type {Promise<void>|null} */
    this.running = null;
    this.again = false;
    this.delay = FIRST_WAIT;
    /** @type {number[]} */
    this.latencies = [];
    this.size = BATCH;
    /** Marks at which the server broke when they came alone: id to how often, and how many batches had been taken
     * when that attempt began. @type {Map<string, {times: number, taken: number}>} */
    this.suspects = new Map();
    this.taken = this.takenBefore = 0;
    /** How often the server broke at a single mark since this attempt began or something was taken. */
    this.broke = 0;
  }

  /** Read what an earlier visit left behind, and send it. */
  async open() {
    for (const item of await this.store.all()) if (!this.items.has(item.id)) this.items.set(item.id, item);
    this.onChange();
    this.flush();
    return [...this.items.values()].map((item) => item.mark);
  }

  /**
   * Keep a version of a mark (replacing an older one of it) and send it. Resolves once it is stored here.
   * @param {any} mark
   */
  async put(mark) {
    const item = { id: mark.id, mark, failed: null };
    this.suspects.delete(mark.id);
    this.items.set(mark.id, item);
    this.onChange();
    try {
      await this.store.put(item);
    } finally {
      this.flush();
    }
  }

  /** "saved", "pending" or "failed". @param {string} id */
  status(id) {
    const item = this.items.get(id);
    return item ? (item.failed ? "failed" : "pending") : "saved";
  }

  /** Why the server refused a mark, or "". @param {string} id */
  reason(id) {
    return this.items.get(id)?.failed ?? "";
  }

  /** What the server refused: [{mark, sentence}]. */
  get refused() {
    return [...this.items.values()].filter((item) => item.failed)
      .map((item) => ({ mark: item.mark, sentence: item.failed }));
  }

  /** Forget a mark, and send it no more. @param {string} id */
  async discard(id) {
    this.items.delete(id);
    this.suspects.delete(id);
    await this.store.remove(id);
    this.onChange();
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
    this.suspects.clear();
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
    this.broke = 0;
    this.takenBefore = this.taken;
    while (this.again) {
      this.again = false;
      let batch;
      while ((batch = this.#batch()).length) {
        if (!(await this.#sendOne(batch))) return;
      }
    }
  }

  #sound() {
    return [...this.items.values()].filter((item) => !item.failed && !this.suspects.has(item.id));
  }

  /** The next marks to send; suspects come last, alone, and in turn. */
  #batch() {
    const sound = this.#sound();
    if (sound.length) return sound.slice(0, this.size);
    const waiting = [...this.items.values()].filter((item) => !item.failed);
    const times = (/** @type {Item} */ item) => this.suspects.get(item.id)?.times ?? 0;
    return waiting.sort((a, b) => times(a) - times(b)).slice(0, 1);
  }

  /** @param {Item[]} batch */
  async #sendOne(batch) {
    const started = performance.now();
    const { status, data } = await this.send(batch.map((item) => item.mark));
    if (status >= 400 && !SIGNED_OUT.has(status) && !BUSY.has(status)) return this.#narrow(batch, status, data);
    if (status !== 200 || !Array.isArray(data?.results)) return this.#postpone(status, data);
    this.latencies.push(performance.now() - started);
    this.trouble = this.sentence = "";
    this.delay = FIRST_WAIT;
    this.size = Math.min(BATCH, this.size * 2);
    this.taken += 1;
    this.broke = 0;
    const answers = new Map(data.results.map((/** @type {{id: string}} */ result) => [result.id, result]));
    for (const item of batch) await this.#settle(item, answers.get(item.id));
    this.onChange();
    return true;
  }

  /**
   * After a refused batch: half as many; of one mark alone, whose fault it is. True to go on at once.
   * @param {Item[]} batch
   * @param {number} status
   * @param {any} data
   */
  async #narrow(batch, status, data) {
    if (batch.length > 1) {
      this.size = Math.ceil(batch.length / 2);
      return true;
    }
    const [item] = batch;
    // A server that breaks may break at everything: it is the mark's fault only if it breaks at it again and again,
    // and takes others meanwhile. A 4xx speaks of what was sent.
    const suspect = this.suspects.get(item.id) ?? { times: 0, taken: this.takenBefore };
    suspect.times += 1;
    if (status < 500 || (suspect.times >= PATIENCE && this.taken > suspect.taken)) {
      const sentence = (status < 500 && data?.error) || `The server can't take this mark (it answered ${status}).`;
      this.trouble = this.sentence = "";
      await this.#settle(item, { status: "refused", sentence });
      this.onChange();
      return true;
    }
    this.suspects.set(item.id, suspect);
    this.broke += 1;
    if (this.broke < 2 && this.#sound().length) return true;
    this.size = BATCH;
    return this.#postpone(status, data);
  }

  /** @param {Item} sent @param {any} answer */
  async #settle(sent, answer) {
    const now = this.items.get(sent.id);
    const changedMeanwhile = now && now.mark.revision > sent.mark.revision;
    if (!answer || answer.status === "refused") {
      if (!now || changedMeanwhile) return;
      this.suspects.delete(sent.id);
      const item = { ...sent, failed: answer?.sentence || "The server gave no answer about this mark." };
      this.items.set(sent.id, item);
      await this.store.put(item);
      return;
    }
    if (answer.status === "stale" && answer.mark && !changedMeanwhile) this.onStale(answer.mark);
    if (answer.status !== "stale") this.onSaved(sent.mark);
    for (const mark of answer.displaced ?? []) this.onStale(mark);
    if (changedMeanwhile) return;
    this.items.delete(sent.id);
    this.suspects.delete(sent.id);
    await this.store.remove(sent.id);
  }

  /** @param {number} status @param {any} data */
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

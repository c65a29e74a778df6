/** Requests to our own server as JSON, with the CSRF token; errors are sentences. */

export class RequestError extends Error {
  /** @param {string} message @param {number} status 0 when the network failed */
  constructor(message, status, data = null) {
    super(message);
    this.status = status;
    this.data = data;
  }
}

/** @param {string} url @param {RequestInit} options */
async function request(url, options) {
  let response;
  try {
    response = await fetch(url, { credentials: "same-origin", ...options });
  } catch {
    throw new RequestError("The server can't be reached just now.", 0);
  }
  const isJson = (response.headers.get("content-type") || "").includes("json");
  const data = isJson ? await response.json() : null;
  if (!response.ok) throw new RequestError(data?.error || `The server answered ${response.status}.`,
    response.status, data);
  return data;
}

/** @param {string} url */
export const getJSON = (url) => request(url, { headers: { Accept: "application/json" } });

/** @param {string} url @param {any} body */
export const postJSON = (url, body) =>
  request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json",
      "X-CSRFToken": document.body.dataset.csrf ?? "" },
    body: JSON.stringify(body),
  });

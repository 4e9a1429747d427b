// Requests of the page to its server; addresses are below the page's own, which holds the token.

/** @param {Response} response */
async function good(response) {
  if (response.ok) return response;
  throw new Error((await response.text()).trim() || `The server answers with status ${response.status}.`);
}

/** @param {string} what @param {Record<string, string>} [fields] */
export async function get(what, fields = {}) {
  const query = new URLSearchParams(fields).toString();
  return (await good(await fetch(query ? `${what}?${query}` : what))).json();
}

const posted = (body, signal) => ({
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal,
});

/** @param {string} what @param {object} body */
export const post = async (what, body) => (await good(await fetch(what, posted(body)))).json();

/**
 * The lines of a stream, each as an object, as they come.
 * @param {object} question @param {AbortSignal} signal @param {(answer: any) => void} seen
 */
export async function ask(question, signal, seen) {
  const response = await good(await fetch('ask', posted(question, signal)));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    lines.filter((line) => line.trim() !== '').forEach((line) => seen(JSON.parse(line)));
  }
}

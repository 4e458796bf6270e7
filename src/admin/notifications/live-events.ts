import { authorizedFetch } from '../api/authorized-fetch.js';
import { apiOrigin } from '../api/origin.js';
import { sessionState, subscribe } from '../api/session-store.js';

/** `open` each time that the connection is new: what was sent before is unknown. */
export interface LiveMessage {
  readonly event: string;
  readonly data: unknown;
}

export type LiveListener = (message: LiveMessage) => void;

const PAUSE = { least: 1000, most: 30_000 } as const;

const listeners = new Set<LiveListener>();
const channel = new BroadcastChannel('headwater.live');
const receive = (message: LiveMessage): void => {
  for (const listener of listeners) listener(message);
};
channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => receive(data);

/** To this tab and the others. */
function pass(message: LiveMessage): void {
  receive(message);
  channel.postMessage(message);
}

const messages = /^event: (.*)\ndata: (.*)$/gm;

async function readAll(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const end = text.lastIndexOf('\n\n');
    if (end < 0) continue;
    for (const [, event = '', data = 'null'] of text.slice(0, end).matchAll(messages))
      pass({ event, data: JSON.parse(data) as unknown });
    text = text.slice(end + 2);
  }
}

const loggedIn = (): Promise<void> =>
  new Promise((resolve) => {
    if (sessionState().status === 'open') return resolve();
    const stop = subscribe(() => {
      if (sessionState().status !== 'open') return;
      stop();
      resolve();
    });
  });

/** Reads one connection until it ends, at the latest when the user logs out. */
async function readOnce(): Promise<void> {
  const closing = new AbortController();
  const stop = subscribe(() => {
    if (sessionState().status === 'none') closing.abort();
  });
  try {
    const response = await authorizedFetch(`${apiOrigin}/api/v1/me/events`, {
      headers: { Accept: 'text/event-stream' },
      signal: closing.signal,
    });
    if (!response.ok || response.body === null) throw new Error(String(response.status));
    pass({ event: 'open', data: null });
    await readAll(response.body);
  } finally {
    stop();
  }
}

async function keepReading(): Promise<never> {
  for (let pause: number = PAUSE.least; ; pause = Math.min(pause * 2, PAUSE.most)) {
    await loggedIn();
    const start = Date.now();
    await readOnce().catch(() => undefined);
    if (Date.now() - start > PAUSE.most) pause = PAUSE.least;
    await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())));
  }
}

let isStarted = false;

/** One tab of the browser is connected, and passes on to the others what it hears. */
function start(): void {
  if (isStarted) return;
  isStarted = true;
  // Browsers have locks in secure contexts only; without them each tab is connected.
  const locks = navigator.locks as LockManager | undefined;
  void (locks === undefined ? keepReading() : locks.request('headwater.live', keepReading));
}

/** Hears what the service tells the user. @returns what ends it */
export function listen(listener: LiveListener): () => void {
  listeners.add(listener);
  start();
  return () => listeners.delete(listener);
}

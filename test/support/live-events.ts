import type { TestApp } from './app.js';
import { waitFor } from './wait-for.js';

/** The event stream of a user; `seen` grows while it is open. */
export interface LiveEvents {
  readonly status: number;
  readonly seen: { readonly event: string; readonly data: unknown }[];
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  close(): void;
}

async function readInto(
  body: ReadableStream<Uint8Array>,
  seen: LiveEvents['seen'],
  opened: () => void,
): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      if (event !== undefined && data !== undefined) seen.push({ event, data: JSON.parse(data) });
      else if (part === ': open') opened();
    }
  }
}

/** Opens the stream of a user in a process, and waits until it is open. */
export const liveEvents = (app: Pick<TestApp, 'baseUrl'>, token: string): Promise<LiveEvents> =>
  eventsAt(app, '/api/v1/me/events', { Authorization: `Bearer ${token}` });

/** As {@link liveEvents}, of any path. */
export async function eventsAt(
  { baseUrl }: Pick<TestApp, 'baseUrl'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<LiveEvents> {
  const closing = new AbortController();
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: closing.signal,
  });
  const seen: LiveEvents['seen'] = [];
  let isOpen = false;
  const { body } = response;
  const ended =
    body === null ? Promise.resolve() : readInto(body, seen, () => (isOpen = true)).catch(() => undefined);
  if (response.ok) await waitFor('the event stream is open', () => isOpen);
  return { status: response.status, seen, ended, close: () => closing.abort() };
}

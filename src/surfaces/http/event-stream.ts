import type { ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { Principal } from '../../access/principal.js';
import { accessTopic, type LiveChannel } from '../../infrastructure/live-channel.js';

const RETRY_AFTER_SECONDS = 30;

/** @throws AppError 429 `rate_limit_exceeded` for the first limit that is reached */
export function assertStreamRoom(
  counts: readonly (readonly [scope: string, limit: number, open: number])[],
): void {
  for (const [scope, limit, open] of counts)
    if (open >= limit)
      throw new AppError(
        'rate_limit_exceeded',
        { scope, limit, retryAfter: RETRY_AFTER_SECONDS },
        `Too many event streams of this ${scope} are open. Close one first.`,
      );
}

/** Begins a stream of server-sent events that proxies neither keep nor gather. */
export function beginEventStream(response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.write(': open\n\n');
}

/** Whether the credential could still open the stream. A failure of the service does not end it. */
export const staysAdmitted = (entering: Promise<unknown>): Promise<boolean> =>
  entering.then(
    () => true,
    (error: unknown) => toAppError(error).status >= 500,
  );

/** Changes of rights within this time are checked together, after the caches of credentials have been purged. */
const RECHECK_MS = 100;
/** Timers wait no longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Whose rights keep a stream open. */
interface StreamHolder {
  /** The user or key that opened it, and the user whom the key acts for. */
  readonly ids: readonly string[];
  /** Milliseconds until the credential expires; absent: it does not, or pings notice it. */
  readonly expiresInMs?: () => number;
}

export function holderOf(principal: Principal, clock: () => Date): StreamHolder {
  if (principal.kind === 'anonymous') return { ids: [] };
  if (principal.kind === 'preview') return { ids: [principal.maker.id] };
  if (principal.kind === 'user') return { ids: [principal.id] };
  const { id, holderId, expiresAt } = principal;
  const ids = holderId === null ? [id] : [id, holderId];
  return expiresAt === null ? { ids } : { ids, expiresInMs: () => expiresAt.getTime() - clock().getTime() };
}

/**
 * Checks when the rights of the holder change, and when the credential expires.
 * @returns what stops it
 */
export function watchAccess(
  live: LiveChannel,
  { ids, expiresInMs }: StreamHolder,
  check: () => void,
): () => void {
  let soon: NodeJS.Timeout | undefined;
  const unlisten = ids.map((id) =>
    live.listen(accessTopic(id), () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        check();
      }, RECHECK_MS).unref();
    }),
  );
  let expiry: NodeJS.Timeout | undefined;
  /** A timer counts from the beginning of the turn that started it: behind a long turn it ends before its time. */
  const wait = (left: () => number): void => {
    const next = left();
    if (next <= 0) check();
    else expiry = setTimeout(wait, Math.min(next, LONGEST_MS), left).unref();
  };
  if (expiresInMs !== undefined) wait(expiresInMs);
  return () => {
    clearTimeout(soon);
    clearTimeout(expiry);
    for (const stop of unlisten) stop();
  };
}

interface AdmittedStream {
  readonly holder: StreamHolder;
  readonly pingMs: number;
  /** The checks of its opening. */
  enter(): Promise<unknown>;
  ping(): void;
  end(): void;
}

/**
 * Keeps a stream alive while its credential could open it. It is checked with each ping, and at once when the rights of
 * its holder change or the credential expires.
 * @returns what stops it
 */
export function keepAdmitted(live: LiveChannel, stream: AdmittedStream): () => void {
  const check = (isIn?: () => void): void => {
    void staysAdmitted(stream.enter()).then((stays) => (stays ? isIn?.() : stream.end()));
  };
  const pings = setInterval(() => {
    check(() => stream.ping());
  }, stream.pingMs).unref();
  const unwatch = watchAccess(live, stream.holder, () => {
    check();
  });
  return () => {
    clearInterval(pings);
    unwatch();
  };
}

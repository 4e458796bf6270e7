import type { Socket } from 'node:net';
import type { Logger } from '../logger.js';
import { type FromMember, type ToMember, PendingReplies } from './messages.js';

export interface ForkedProcess {
  readonly process: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): unknown };
  send(
    message: ToMember,
    socket: Socket | undefined,
    options: { keepOpen: boolean },
    callback: (error: Error | null) => void,
  ): unknown;
  on(event: 'message', listener: (message: FromMember) => void): unknown;
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
}

export interface FleetOptions {
  readonly size: number;
  /** Places are numbered from 1 to `size`; a replacement keeps the number. */
  fork(place: number): ForkedProcess;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Receives, in one line, why a process cannot be kept alive. */
  onFatal(reason: string): void;
  /** Receives a value that a process shares with the others. */
  onShared?(value: unknown): void;
  /** Merges the replies of all processes. */
  onAskAll?(): Promise<unknown>;
  readonly backoff?: Backoff;
}

interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that served this long did not fail at start. */
  readonly healthyMs: number;
  readonly attempts: number;
}

const defaultBackoff: Backoff = { firstMs: 100, maxMs: 15_000, healthyMs: 10_000, attempts: 8 };
/** A signal to the process group reaches the leader within this time. */
const GROUP_SIGNAL_MS = 300;
const ANSWER_MS = 1000;
/** Connections that wait while no process is ready; more are refused. */
const WAITING_CONNECTIONS = 1000;

interface Member {
  readonly forked: ForkedProcess;
  /** Unconfirmed connections; they go to another process if this one dies. */
  readonly inFlight: Map<number, Socket>;
  readyAt: number | undefined;
  isLeaving: boolean;
}

/**
 * Processes behind one port: distributes connections, replaces processes that end, and stops them in order. Sockets
 * and messages to a process keep their order, so a drain message after the last connection loses none.
 */
export class ProcessFleet {
  readonly #members = new Map<number, Member>();
  /** Consecutive failures at start, by place. */
  readonly #deaths = new Map<number, number>();
  readonly #waiting: Socket[] = [];
  readonly #replies = new PendingReplies();
  readonly #shared: unknown[] = [];
  #turn = 0;
  #last = 0;
  #wasReady = false;
  #isStopping = false;
  #reason: string | undefined;
  #onAllReady: (() => void) | undefined;
  #onAllEnded: (() => void) | undefined;

  constructor(private readonly options: FleetOptions) {}

  get readyCount(): number {
    return this.#ready().length;
  }

  /** Resolves once all processes serve. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAllReady = resolve;
      for (let place = 1; place <= this.options.size; place += 1) this.#fork(place);
    });
  }

  /** Passes a connection to the next process, or queues it until one is ready. */
  take(socket: Socket): void {
    const ready = this.#ready();
    this.#turn += 1;
    const member = ready[this.#turn % ready.length];
    if (member !== undefined) this.#hand(member, socket);
    else if (this.#waiting.length < WAITING_CONNECTIONS && !this.#isStopping) this.#waiting.push(socket);
    else socket.destroy();
  }

  /** Replies of the processes that respond in time. */
  async ask(): Promise<unknown[]> {
    const answers = await Promise.all(
      this.#ready().map(({ forked }) =>
        this.#replies.ask((id) => {
          send(forked, { type: 'ask', id });
        }, ANSWER_MS),
      ),
    );
    return answers.filter((answer) => answer !== undefined);
  }

  /** Stops replacing processes; the others fail readiness. */
  beginDrain(): void {
    this.#isStopping = true;
    this.#tellAll({ type: 'begin-drain' });
  }

  /** Call after the last connection. Resolves when every process has ended. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    const ended = new Promise<void>((resolve) => {
      this.#onAllEnded = resolve;
    });
    this.#tellAll({ type: 'drain' });
    if (this.#members.size > 0) await ended;
  }

  kill(): void {
    this.#isStopping = true;
    for (const { forked } of this.#members.values()) forked.process.kill('SIGKILL');
  }

  #ready(): Member[] {
    return [...this.#members.values()].filter((member) => member.readyAt !== undefined && !member.isLeaving);
  }

  #tellAll(message: ToMember): void {
    for (const { forked } of this.#members.values()) send(forked, message);
  }

  #hand({ forked, inFlight }: Member, socket: Socket): void {
    this.#last += 1;
    inFlight.set(this.#last, socket);
    // The exit event handles a dead process.
    forked.send({ type: 'connection', id: this.#last }, socket, { keepOpen: true }, () => undefined);
  }

  #fork(place: number): void {
    const forked = this.options.fork(place);
    const member: Member = { forked, inFlight: new Map(), readyAt: undefined, isLeaving: false };
    this.#members.set(place, member);
    forked.on('message', (message) => {
      this.#heard(member, message);
    });
    forked.on('exit', (code, signal) => {
      this.#members.delete(place);
      for (const socket of member.inFlight.values()) this.take(socket);
      if (this.#isStopping) {
        if (this.#members.size === 0) this.#onAllEnded?.();
      } else this.#replace(place, member, { code, signal });
    });
  }

  #heard(member: Member, message: FromMember): void {
    const { forked } = member;
    switch (message.type) {
      case 'ready':
        this.#becameReady(member);
        return;
      case 'received':
        // Closes the leader's copy; the process has its own.
        member.inFlight.get(message.id)?.destroy();
        member.inFlight.delete(message.id);
        return;
      case 'failed':
        this.#reason = message.reason;
        return;
      case 'leaving':
        setTimeout(() => {
          this.#letGo(member);
        }, GROUP_SIGNAL_MS);
        return;
      case 'share':
        this.#shared.push(message.value);
        this.#tellAll({ type: 'share', value: message.value });
        this.options.onShared?.(message.value);
        return;
      case 'answer':
        this.#replies.answer(message.id, message.value);
        return;
      case 'ask-all':
        void this.options.onAskAll?.().then((value) => {
          send(forked, { type: 'all-answers', id: message.id, value });
        });
    }
  }

  #becameReady(member: Member): void {
    member.readyAt = Date.now();
    this.#wasReady = true;
    for (const value of this.#shared) send(member.forked, { type: 'share', value });
    if (this.#isStopping) return;
    for (const socket of this.#waiting.splice(0)) this.#hand(member, socket);
    if (this.readyCount === this.options.size) this.#onAllReady?.();
  }

  /** Replaces a single process that received a signal. */
  #letGo(member: Member): void {
    if (this.#isStopping || member.isLeaving) return;
    member.isLeaving = true;
    send(member.forked, { type: 'begin-drain' });
    send(member.forked, { type: 'drain' });
  }

  #replace(place: number, member: Member, end: { code: number | null; signal: string | null }): void {
    const { firstMs, maxMs, healthyMs, attempts } = this.options.backoff ?? defaultBackoff;
    const { readyAt, isLeaving, forked } = member;
    const isHealthy = isLeaving || (readyAt !== undefined && Date.now() - readyAt >= healthyMs);
    const deaths = isHealthy ? 0 : (this.#deaths.get(place) ?? 0) + 1;
    this.#deaths.set(place, deaths);
    const why = this.#reason ?? `code ${String(end.code)}, signal ${String(end.signal)}`;
    // Before any process has served, what stops one stops all.
    if (!this.#wasReady && this.#reason !== undefined) {
      this.options.onFatal(this.#reason);
      return;
    }
    if (deaths >= attempts) {
      this.options.onFatal(`A process ended at once, ${deaths} times in a row (${why}).`);
      return;
    }
    this.#reason = undefined;
    const pauseMs = isHealthy ? 0 : Math.min(maxMs, firstMs * 2 ** (deaths - 1));
    const { pid } = forked.process;
    this.options.logger.warn({ pid, ...end, pauseMs }, 'process ended; a replacement starts');
    setTimeout(() => {
      if (!this.#isStopping) this.#fork(place);
    }, pauseMs);
  }
}

/** Ignores a process that is ending; its exit event follows. */
function send(forked: ForkedProcess, message: ToMember): void {
  forked.send(message, undefined, { keepOpen: false }, () => undefined);
}

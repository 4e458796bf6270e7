import type { Socket } from 'node:net';
import type { Logger } from '../logger.js';
import type { FromMember, ToMember } from './messages.js';
import { PendingReplies } from './pending-replies.js';

/** A process of the fleet, as `node:cluster` forks them. */
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

/** What the fleet is made of. */
export interface FleetOptions {
  readonly size: number;
  /** Starts the process of a place, 1 to `size`; a place keeps its number when its process is replaced. */
  fork(place: number): ForkedProcess;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Told, in one line, that a process cannot be kept alive. */
  onFatal(reason: string): void;
  /** Told what a process shares; the others are told as well. */
  onShared?(value: unknown): void;
  /** Brings answers of all processes together, for one that asks. */
  onAskAll?(): Promise<unknown>;
  readonly backoff?: Backoff;
}

/** When a process that ended is replaced. */
interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that has served for so long did not die at once. */
  readonly healthyMs: number;
  /** So often in a row at most. */
  readonly attempts: number;
}

const defaultBackoff: Backoff = { firstMs: 100, maxMs: 15_000, healthyMs: 10_000, attempts: 8 };
/** A signal to the whole group of processes reaches the first one as well, within this time. */
const GROUP_SIGNAL_MS = 300;
const ANSWER_MS = 1000;
/** Connections that wait while no process is ready; more are refused. */
const WAITING_CONNECTIONS = 1000;

interface Member {
  readonly forked: ForkedProcess;
  /** Connections that are under way to it: when it dies they go to another. */
  readonly inFlight: Map<number, Socket>;
  readyAt: number | undefined;
  isLeaving: boolean;
}

/**
 * Processes that share one port: hands connections to them in turn, replaces those that end, and ends them in
 * order. Sockets and messages to a process keep their order, so the last message after the last connection tells a
 * process that none follows: no connection is lost between the processes at a stop.
 */
export class ProcessFleet {
  readonly #members = new Map<number, Member>();
  /** How often in a row the process of a place died at once. */
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

  /** How many processes serve. */
  get readyCount(): number {
    return this.#ready().length;
  }

  /** Starts the processes; answers once all of them serve. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAllReady = resolve;
      for (let place = 1; place <= this.options.size; place += 1) this.#fork(place);
    });
  }

  /** Hands a connection to the next process, or keeps it until there is one. */
  take(socket: Socket): void {
    const ready = this.#ready();
    this.#turn += 1;
    const member = ready[this.#turn % ready.length];
    if (member !== undefined) this.#hand(member, socket);
    else if (this.#waiting.length < WAITING_CONNECTIONS && !this.#isStopping) this.#waiting.push(socket);
    else socket.destroy();
  }

  /** What every process that serves answers in time. */
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

  /** No process is replaced any more; those that serve fail their readiness. */
  beginDrain(): void {
    this.#isStopping = true;
    this.#tellAll({ type: 'begin-drain' });
  }

  /** Lets every process finish and end; call it after the last connection. Resolves when none is left. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    const ended = new Promise<void>((resolve) => {
      this.#onAllEnded = resolve;
    });
    this.#tellAll({ type: 'drain' });
    if (this.#members.size > 0) await ended;
  }

  /** Ends what is left at once. */
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
    // A process that is gone is told of by its end.
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
        // Its end here: the connection goes on where it was taken.
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

  /** A single process was told to stop: it finishes, and another takes its place. */
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
    // Before any process has served, what keeps one from starting keeps all of them.
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
    this.options.logger.warn({ pid, ...end, pauseMs }, 'a process ended: another takes its place');
    setTimeout(() => {
      if (!this.#isStopping) this.#fork(place);
    }, pauseMs);
  }
}

/** A process that is about to end hears nothing any more; that it ended is told by its own event. */
function send(forked: ForkedProcess, message: ToMember): void {
  forked.send(message, undefined, { keepOpen: false }, () => undefined);
}

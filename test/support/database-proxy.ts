import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { backendPidOf, isIdle, isStatement, MessageReader, type Message } from './postgres-messages.js';

/** Who sent a message. */
export type Sender = 'service' | 'database';

/** A message of a connection that has begun a transaction that writes, until its end. */
export interface TransactionMessage extends Message {
  readonly sender: Sender;
  /** Messages of this sender before it, since BEGIN. */
  readonly index: number;
}

/** Bytes are delayed by `latencyMs` each way, and forwarded `bytesAtOnce` at a time. */
export interface Slowness {
  readonly latencyMs: number;
  readonly bytesAtOnce?: number;
}

interface Line {
  readonly service: net.Socket;
  readonly database: net.Socket;
  /** Swallows bytes, as a firewall that forgot the connection. */
  isSilent: boolean;
  /** Ends with the server's session. */
  isCut: boolean;
  /** Only the service still has it. */
  isAbandoned: boolean;
  backendPid: number | undefined;
  /** Undefined outside of a transaction that writes. */
  counts: Record<Sender, number> | undefined;
}

/** A TCP proxy to PostgreSQL that can be interrupted, silenced, slowed, or cut at a message. */
export class DatabaseProxy {
  readonly #lines = new Set<Line>();
  readonly #server: net.Server;
  #isSilent = false;
  #isCut = false;
  #slowness: Slowness | undefined;
  #cutBefore: ((message: TransactionMessage) => boolean) | undefined;
  #onCut: ((backendPid: number) => void) | undefined;
  #sent: Record<Sender, number> = { service: 0, database: 0 };

  constructor(private target: { host: string; port: number }) {
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => {
      if (this.#isCut) socket.destroy();
      else this.#accept(socket);
    });
  }

  /** In front of the server of this URL; returns the URL through the proxy. */
  static async open(databaseUrl: string): Promise<{ proxy: DatabaseProxy; url: string }> {
    const url = new URL(databaseUrl);
    const proxy = new DatabaseProxy({ host: url.hostname, port: Number(url.port) });
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    url.hostname = '127.0.0.1';
    url.port = String((proxy.#server.address() as net.AddressInfo).port);
    return { proxy, url: url.href };
  }

  /** Bytes that each side sent during the work. */
  async measure(work: () => Promise<unknown>): Promise<Record<Sender, number>> {
    this.#sent = { service: 0, database: 0 };
    await work();
    return this.#sent;
  }

  /** Resets every connection, and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    for (const line of this.#lines) destroy(line);
  }

  /** Resets every connection; new ones reach another server of the same machine. */
  moveTo(port: number): void {
    this.target = { ...this.target, port };
    for (const line of this.#lines) destroy(line);
  }

  /** Swallows everything on open connections, and on new ones too unless `oldOnly`. They are never closed. */
  silence({ oldOnly = false }: { oldOnly?: boolean } = {}): void {
    this.#isSilent = !oldOnly;
    for (const line of this.#lines) {
      line.isSilent = true;
      if (line.backendPid === undefined) abandon(line);
    }
  }

  slow(slowness: Slowness): void {
    this.#slowness = slowness;
  }

  /**
   * Resets the connection whose transaction reaches a message that `isReached`, which is not forwarded. Happens once.
   * @returns the server's process of that connection
   */
  cutBefore(isReached: (message: TransactionMessage) => boolean): Promise<number> {
    this.#cutBefore = isReached;
    return new Promise((resolve) => {
      this.#onCut = resolve;
    });
  }

  /** New connections work again; silent ones stay silent. */
  restore(): void {
    this.#isCut = false;
    this.#isSilent = false;
    this.#slowness = undefined;
    this.#cutBefore = undefined;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #accept(service: net.Socket): void {
    const database = net.connect({ ...this.target, allowHalfOpen: true });
    const isSilent = this.#isSilent;
    const line: Line = {
      service,
      database,
      isSilent,
      isCut: false,
      isAbandoned: false,
      backendPid: undefined,
      counts: undefined,
    };
    this.#lines.add(line);
    for (const socket of [service, database]) {
      socket.on('error', () => socket.destroy());
      // pipe() forwards an end but not a reset.
      socket.on('close', () => {
        if (socket === service && line.isCut) return;
        if (socket === database && line.isAbandoned) return;
        this.#lines.delete(line);
        destroy(line);
      });
    }
    this.#forward(line, 'service');
    this.#forward(line, 'database');
  }

  #forward(line: Line, sender: Sender): void {
    const [from, to] = sender === 'service' ? [line.service, line.database] : [line.database, line.service];
    const reader = new MessageReader(sender === 'service');
    let last = Promise.resolve();
    from.on('data', (bytes) => {
      this.#sent[sender] += bytes.length;
      const passed: Buffer[] = [];
      let isReached = false;
      for (const message of reader.read(bytes)) {
        isReached = this.#isReached(line, sender, message);
        if (isReached) break;
        passed.push(message.bytes);
      }
      last = last.then(() => this.#write(line, to, Buffer.concat(passed)));
      if (isReached) void last.then(() => this.#cutOne(line));
    });
    from.on('end', () => {
      last = last.then(() => {
        if (!line.isSilent) to.end();
      });
    });
  }

  async #write(line: Line, to: net.Socket, bytes: Buffer): Promise<void> {
    const { latencyMs, bytesAtOnce = bytes.length } = this.#slowness ?? { latencyMs: 0 };
    for (let start = 0; start < bytes.length && !line.isSilent; start += bytesAtOnce) {
      if (latencyMs > 0) await delay(latencyMs);
      if (to.writable) to.write(bytes.subarray(start, start + bytesAtOnce));
    }
  }

  /** Counts the messages of transactions that write. */
  #isReached(line: Line, sender: Sender, message: Message): boolean {
    line.backendPid ??= sender === 'database' ? backendPidOf(message) : undefined;
    if (sender === 'service' && isStatement(message, 'BEGIN;')) line.counts = { service: 0, database: 0 };
    const { counts } = line;
    if (counts === undefined) return false;
    const index = counts[sender];
    counts[sender] += 1;
    if (sender === 'database' && isIdle(message)) line.counts = undefined;
    return this.#cutBefore?.({ ...message, sender, index }) ?? false;
  }

  /** What was forwarded arrives, because the server's end is closed in order. */
  #cutOne(line: Line): void {
    this.#cutBefore = undefined;
    line.isCut = true;
    line.service.resetAndDestroy();
    line.database.end();
    this.#onCut?.(line.backendPid ?? 0);
  }
}

/**
 * Ends a login on the side of the database: the server waits a minute for one that nobody continues, and every DROP
 * DATABASE of other suites waits as long.
 */
function abandon(line: Line): void {
  line.isAbandoned = true;
  line.database.destroy();
}

function destroy({ service, database }: Line): void {
  service.destroy();
  database.destroy();
}

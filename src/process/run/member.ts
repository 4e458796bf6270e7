import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { type FromMember, type ToMember, PendingReplies } from '../../infrastructure/fleet/messages.js';
import { serveConnections, type ConnectionServer } from '../../infrastructure/http-server.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { RenderedMetrics } from '../../infrastructure/metrics.js';
import { openRuntime, endStart, type Runtime, type ServeOptions } from './runtime.js';
import { REQUESTS_SHARE } from './shutdown.js';
import type { Socket } from 'node:net';

/** Longer than the leader waits for the others. */
const ANSWER_MS = 1500;

const send = (message: FromMember): void => {
  process.send?.(message, undefined, undefined, () => undefined);
};

interface MemberParts {
  readonly server: ConnectionServer;
  readonly runtime: Runtime;
  readonly config: Config;
  readonly logger: Logger;
}

/** Shuts down within the configured time. */
class Ending {
  #isBegun = false;

  constructor(private readonly parts: MemberParts) {}

  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const { server, runtime, config, logger } = this.parts;
    // Nothing is acknowledged before it is committed, so aborting is safe.
    void delay(config.processes.shutdownTimeoutSeconds * 950, undefined, { ref: false }).then(() => {
      logger.warn('shutdown timed out; remaining requests were aborted');
      process.exit(0);
    });
    runtime.composition.beginDrain();
    server.beginDrain();
  }

  async finish(): Promise<void> {
    this.begin();
    const { server, runtime, config, logger } = this.parts;
    try {
      await server.drain(
        config.processes.shutdownTimeoutSeconds * REQUESTS_SHARE - config.processes.shutdownDelaySeconds / 2,
      );
      await runtime.close();
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  }
}

/** Handles the leader's messages. */
function obey(parts: MemberParts): PendingReplies {
  const replies = new PendingReplies();
  const ending = new Ending(parts);
  const { composition } = parts.runtime;
  process.on('message', (message: ToMember, socket: Socket | undefined) => {
    switch (message.type) {
      case 'connection':
        send({ type: 'received', id: message.id });
        if (socket !== undefined) parts.server.take(socket);
        return;
      case 'begin-drain':
        ending.begin();
        return;
      case 'drain':
        void ending.finish();
        return;
      case 'share':
        composition.offerKeys(message.value as Parameters<typeof composition.offerKeys>[0]);
        return;
      case 'ask':
        void composition.metrics.counts().then((value) => {
          send({ type: 'answer', id: message.id, value });
        });
        return;
      case 'all-answers':
        replies.answer(message.id, message.value);
    }
  });
  return replies;
}

/**
 * Serves connections from the leader, which also stops it. Node ends the process when the leader dies.
 * @throws Error, in one line that says what to do
 */
export async function serveInFleet({ config, logger, showDemo }: ServeOptions): Promise<void> {
  // The leader receives group signals too, and decides about one for this process.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      send({ type: 'leaving' });
    });
  const runtime = await openRuntime({
    config,
    logger,
    whenInUse: 'refuse',
    isUpToDate: true,
    isWatched: true,
  });
  const { composition } = runtime;
  const server = serveConnections(composition.handler, {
    log: logger,
    shedding: composition.shedding,
  });
  const replies = obey({ server, runtime, config, logger });
  composition.metrics.watchProcess();
  composition.metrics.renderWith(async () => {
    const ask = (id: number): void => {
      send({ type: 'ask-all', id });
    };
    return (await replies.ask(ask, ANSWER_MS)) as RenderedMetrics | undefined;
  });
  send({ type: 'ready' });
  logger.info({ pid: process.pid, role: config.processes.role }, 'serving');
  await composition.jobs.start();
  endStart();
  if (!config.database.seedDemo || config.processes.role === 'worker') return;
  const baseUrl = config.http.publicBaseUrl ?? `http://${config.http.host}:${String(config.http.port)}`;
  const service = { composition, dataDirectory: config.storage.directory, baseUrl };
  const keys = await showDemo(service).catch((error: unknown) => {
    if (composition.isStopping()) return undefined;
    throw error;
  });
  if (keys !== undefined) send({ type: 'share', value: keys });
}

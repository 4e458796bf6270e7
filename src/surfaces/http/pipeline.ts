import { AppError } from '../../../contracts/errors.js';
import { forClient, WaitingClient } from '../../infrastructure/waiting-client.js';
import { isStream, type Answer } from './answer.js';
import type { Exchange } from './exchange.js';
import { failureAnswer } from './failure-answer.js';
import type { ConcurrencyLimit } from './limit-concurrency.js';
import { observeRequest, type RequestObserver } from './observe-requests.js';
import { sendAnswer } from './send-answer.js';
import { preflightAnswer } from './shared-headers.js';

/** Undefined if the surface writes the response. */
export type Route = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

export interface PipelineParts {
  readonly observer: RequestObserver;
  readonly limit: ConcurrencyLimit;
  readonly route: Route;
}

/** Every request passes through: log, concurrency limit, preflight, surface, failure envelope. */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  /** Never rejects; undefined if the response was written. */
  answer(exchange: Exchange): ReturnType<Route> {
    const { observer, limit, route } = this.parts;
    observeRequest(exchange, observer);
    const leave = limit.enter(exchange.request);
    if (leave === undefined)
      return failureAnswer(exchange, new AppError('service_unavailable', { reason: 'overloaded' }));
    const done = (answer: Answer | undefined): Answer | undefined => {
      leaveWhenMade(exchange, answer, leave);
      return answer;
    };
    const failed = (failure: unknown): Answer | undefined => done(afterFailure(exchange, failure));
    if (exchange.request.method === 'OPTIONS') return done(preflightAnswer(exchange.request));
    try {
      const client = new WaitingClient(exchange.response, limit.counts(exchange.request));
      const answer = forClient(client, () => route(exchange));
      return answer instanceof Promise ? answer.then(done, failed) : done(answer);
    } catch (failure) {
      return failed(failure);
    }
  }

  handle(exchange: Exchange): void {
    const answer = this.answer(exchange);
    if (answer instanceof Promise) void answer.then((one) => finish(exchange, one));
    else void finish(exchange, answer);
  }
}

/** A stream is produced while it is sent; every other body is complete before. */
function leaveWhenMade({ response }: Exchange, answer: Answer | undefined, leave: () => void): void {
  const isMade =
    answer === undefined
      ? response.writableEnded || response.closed
      : !isStream(answer.body) || answer.body.isStored === true;
  if (isMade) {
    leave();
    return;
  }
  response.once('close', leave);
  if (answer !== undefined && isStream(answer.body)) answer.body.stream.once('close', leave);
}

function afterFailure(exchange: Exchange, failure: unknown): Answer | undefined {
  if (!exchange.response.headersSent) return failureAnswer(exchange, failure);
  exchange.response.destroy();
  return undefined;
}

export async function finish(exchange: Exchange, answer: Answer | undefined): Promise<void> {
  if (answer === undefined) return;
  try {
    await sendAnswer(exchange, answer);
  } catch (failure) {
    const substitute = afterFailure(exchange, failure);
    if (substitute !== undefined) await sendAnswer(exchange, substitute);
  }
}

import { createHash } from 'node:crypto';
import { AppError } from '../../contracts/errors.js';
import type { ErrorCode } from '../../contracts/errors.js';
import { canonicalJson } from '../content/exact-json/canonical-json.js';
import { StoredReplyRepository, type StoredReply } from '../features/idempotency/index.js';
import type { UnitOfWork, WorkRequest } from '../persistence/work/unit-of-work.js';
import type { IdempotentCall, OperationScope } from './call.js';
import type { Services } from './services.js';

/** What a request with an `Idempotency-Key` is known by. */
export interface IdempotentRequest {
  readonly key: string;
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly input: unknown;
}

const digest = (value: unknown): Buffer => createHash('sha256').update(canonicalJson(value)).digest();

/** The same credential, environment, method, path and key are one call; the input shows whether it is the same request. */
export function idempotentCall(
  { principal, catalog }: Pick<OperationScope, 'principal' | 'catalog'>,
  request: IdempotentRequest,
): IdempotentCall {
  const { key, method, path, input } = request;
  const caller = principal.kind === 'anonymous' ? null : principal.id;
  const id = digest([principal.kind, caller, catalog?.data.environment.id ?? null, method, path, key]);
  return { id, fingerprint: digest(input), wasReplayed: false };
}

/** A reply as it is kept: what the operation answered, or how it failed. */
type Reply =
  | { readonly output: unknown }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown } };

/** What was answered before; a failure is thrown again. */
function replayed<O>({ replies }: Services, call: IdempotentCall, kept: StoredReply): O {
  if (!kept.fingerprint.equals(call.fingerprint)) throw new AppError('idempotency_key_reused');
  const text = replies.open(kept.reply, call.id);
  if (text === undefined)
    throw new AppError('conflict', undefined, 'The reply to this Idempotency-Key can no longer be read.');
  call.wasReplayed = true;
  const reply = JSON.parse(text) as Reply;
  if ('output' in reply) return reply.output as O;
  const { code, details, message } = reply.failure;
  throw new AppError(code, details, message);
}

const sealed = ({ replies }: Services, { id, fingerprint }: IdempotentCall, reply: Reply): StoredReply => ({
  fingerprint,
  reply: replies.seal(JSON.stringify(reply), id),
});

/** Refusals of the operation itself are as final as its answers; trouble that passes is not kept. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.code !== 'conflict';

/** Keeps a refusal, whose work was rolled back, unless somebody has answered the request meanwhile. */
async function keepFailure(
  services: Services,
  { scope }: WorkRequest,
  { call, error }: { call: IdempotentCall; error: AppError },
): Promise<void> {
  const { code, message, details } = error;
  const failure = { code, message, ...(details !== undefined && { details }) };
  await services.units.run({ scope, isReadOnly: false, lock: 'none' }, async (unit) => {
    const replies = unit.use(StoredReplyRepository);
    if ((await replies.claim(call.id)) !== undefined) return;
    await replies.keep(call.id, sealed(services, call, { failure }));
  });
}

/**
 * Runs work whose effect shall happen once, however often the request comes (decisions 2.1). The reply
 * is kept by the transaction that makes the effect, so that neither stands without the other.
 * @throws AppError 409 `idempotency_in_progress`, 422 `idempotency_key_reused`, and what the work throws
 */
export async function runOnce<O>(
  services: Services,
  request: WorkRequest,
  { call, run }: { call: IdempotentCall; run: (unit: UnitOfWork) => Promise<O> },
): Promise<O> {
  let hasBegun = false;
  try {
    return await services.units.run(request, async (unit) => {
      hasBegun = false;
      const replies = unit.use(StoredReplyRepository);
      const kept = await replies.claim(call.id);
      if (kept !== undefined) return replayed<O>(services, call, kept);
      hasBegun = true;
      const output = await run(unit);
      await replies.keep(call.id, sealed(services, call, { output }));
      return output;
    });
  } catch (error) {
    // Whoever cannot keep a refusal tells it all the same: nothing has happened.
    if (hasBegun && isFinal(error))
      await keepFailure(services, request, { call, error }).catch(() => undefined);
    throw error;
  }
}

/**
 * The same for work outside of a transaction, such as a call of somebody else's service: it is begun
 * once, and begun again at the earliest a minute after whoever did so was killed.
 * @throws AppError 409 `idempotency_in_progress`, 422 `idempotency_key_reused`, and what the work throws
 */
export async function runOnceApart<O>(
  services: Services,
  { scope }: Pick<WorkRequest, 'scope'>,
  { call, run }: { call: IdempotentCall; run: () => Promise<O> },
): Promise<O> {
  const part = <T>(work: (replies: StoredReplyRepository) => Promise<T>): Promise<T> =>
    services.units.run({ scope, isReadOnly: false, lock: 'none' }, (unit) =>
      work(unit.use(StoredReplyRepository)),
    );
  const kept = await part((replies) => replies.begin(call.id, call.fingerprint));
  if (kept !== undefined) return replayed<O>(services, call, kept);
  try {
    const output = await run();
    await part((replies) => replies.keep(call.id, sealed(services, call, { output })));
    return output;
  } catch (error) {
    await part((replies) => replies.release(call.id)).catch(() => undefined);
    throw error;
  }
}

import { createHash } from 'node:crypto';
import { AppError } from '../../contracts/errors.js';
import type { ErrorCode } from '../../contracts/error-codes.js';
import { canonicalJson } from '../content/exact-json/canonical-json.js';
import { StoredReplyRepository, type StoredReply } from '../features/operations/idempotency/index.js';
import type { UnitOfWork, WorkRequest } from '../persistence/work/unit-of-work.js';
import type { IdempotentCall, OperationScope } from './call.js';
import type { Services } from './services.js';
import { settled } from '../infrastructure/promises.js';

export interface IdempotentRequest {
  readonly key: string;
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly input: unknown;
}

const digest = (value: unknown): Buffer => createHash('sha256').update(canonicalJson(value)).digest();

/** A call is identified by credential, environment, method, path and key; the fingerprint is of its input. */
export function idempotentCall(
  { principal, catalog }: Pick<OperationScope, 'principal' | 'catalog'>,
  request: IdempotentRequest,
): IdempotentCall {
  const { key, method, path, input } = request;
  const caller = principal.kind === 'anonymous' ? null : principal.id;
  const id = digest([principal.kind, caller, catalog?.data.environment.id ?? null, method, path, key]);
  return { id, fingerprint: digest(input), wasReplayed: false };
}

type Reply =
  | { readonly output: unknown }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown } };

/** Returns the stored output or throws the stored failure. */
function replay<O>({ replies }: Services, call: IdempotentCall, stored: StoredReply): O {
  if (!stored.fingerprint.equals(call.fingerprint)) throw new AppError('idempotency_key_reused');
  const json = replies.open(stored.reply, call.id);
  if (json === undefined)
    throw new AppError('conflict', undefined, 'The stored response for this Idempotency-Key cannot be read.');
  call.wasReplayed = true;
  const reply = JSON.parse(json) as Reply;
  if ('output' in reply) return reply.output as O;
  const { code, details, message } = reply.failure;
  throw new AppError(code, details, message);
}

const sealReply = (
  { replies }: Services,
  { id, fingerprint }: IdempotentCall,
  reply: Reply,
): StoredReply => ({
  fingerprint,
  reply: replies.seal(JSON.stringify(reply), id),
});

/** Temporary failures are not stored. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.code !== 'conflict';

/** Stores a failure whose unit of work was rolled back, unless a concurrent request stored a reply since. */
async function storeFailure(
  services: Services,
  { scope }: WorkRequest,
  { call, error }: { call: IdempotentCall; error: AppError },
): Promise<void> {
  const { code, message, details } = error;
  const failure = { code, message, ...(details !== undefined && { details }) };
  await services.units.run({ scope, isReadOnly: false, lock: 'none' }, async (unit) => {
    const replies = unit.use(StoredReplyRepository);
    if ((await replies.claim(call.id, services.retention.replyHours)) !== undefined) return;
    await replies.store(call.id, sealReply(services, call, { failure }));
  });
}

/**
 * Runs a request once (rule http/idempotency). The reply is stored in the transaction of its effect.
 * @throws AppError 409 `idempotency_in_progress`, 422 `idempotency_key_reused`, and what `run` throws
 */
export async function runOnce<O>(
  services: Services,
  request: WorkRequest,
  { call, run }: { call: IdempotentCall; run: (unit: UnitOfWork) => Promise<O> },
): Promise<O> {
  let hasStarted = false;
  try {
    return await services.units.run(request, async (unit) => {
      hasStarted = false;
      const replies = unit.use(StoredReplyRepository);
      const stored = await replies.claim(call.id, services.retention.replyHours);
      if (stored !== undefined) return replay<O>(services, call, stored);
      hasStarted = true;
      const output = await run(unit);
      await replies.store(call.id, sealReply(services, call, { output }));
      return output;
    });
  } catch (error) {
    // The failure is reported even if it cannot be stored: nothing has changed.
    if (hasStarted && isFinal(error)) await settled(storeFailure(services, request, { call, error }));
    throw error;
  }
}

/**
 * {@link runOnce} for calls to other systems. If the process is killed, a retry can run again after one minute.
 */
export async function runOnceOutsideTransaction<O>(
  services: Services,
  { scope }: Pick<WorkRequest, 'scope'>,
  { call, run }: { call: IdempotentCall; run: () => Promise<O> },
): Promise<O> {
  const inUnit = <T>(access: (replies: StoredReplyRepository) => Promise<T>): Promise<T> =>
    services.units.run({ scope, isReadOnly: false, lock: 'none' }, (unit) =>
      access(unit.use(StoredReplyRepository)),
    );
  const { replyHours } = services.retention;
  const stored = await inUnit((replies) => replies.start(call.id, call.fingerprint, replyHours));
  if (stored !== undefined) return replay<O>(services, call, stored);
  try {
    const output = await run();
    await inUnit((replies) => replies.store(call.id, sealReply(services, call, { output })));
    return output;
  } catch (error) {
    await settled(inUnit((replies) => replies.release(call.id)));
    throw error;
  }
}

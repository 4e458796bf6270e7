import type { OperationMeta } from '../../contracts/metadata.js';
import type { OperationContext } from '../../contracts/procedure.js';
import { isPreviewSession } from '../access/signed-token.js';
import { Rehearsal } from '../persistence/work/unit-of-work.js';
import { admit, assertProjectAccess } from './admission.js';
import type { AdmissionRequest, Call, IdentifiedCaller, OperationScope, RunMode } from './call.js';
import type { Services } from './services.js';

/** The call, with the token of a preview session that its input has. */
function withPreviewSession(call: Call, rawInput: unknown): Call {
  const token = (rawInput as { previewToken?: unknown } | null | undefined)?.previewToken;
  return typeof token === 'string' && isPreviewSession(token) ? { ...call, previewSession: token } : call;
}

function projectSlugIn(rawInput: unknown): string {
  const slug = (rawInput as { projectSlug?: unknown } | null | undefined)?.projectSlug;
  return typeof slug === 'string' ? slug : '';
}

/**
 * Context of the calls of one request. Admissions are cached, so that a surface can ask before it reads the body; of a
 * tRPC batch only the callers are, since every call counts for the rate limits (rule access/rate-limits).
 */
export class CallContext implements OperationContext {
  readonly #mode: RunMode = {};
  readonly #admissions = new Map<string, Promise<OperationScope>>();
  readonly #callers = new Map<string, Promise<IdentifiedCaller>>();

  constructor(
    private readonly services: Services,
    readonly call: Call,
  ) {}

  /** Subsequent operations are rolled back; the rehearsal collects the changes that they would make. */
  rehearse(): Rehearsal {
    const rehearsal = new Rehearsal();
    this.#mode.rehearsal = rehearsal;
    return rehearsal;
  }

  /** Subsequent operations are committed. */
  perform(): void {
    delete this.#mode.rehearsal;
  }

  admit(operation: OperationMeta, rawInput: unknown): Promise<OperationScope> {
    const projectSlug = projectSlugIn(rawInput);
    const request = { operation, projectSlug, mode: this.#mode };
    const { audience, resource, action, sessionOnly, ownersOnly } = operation;
    const call = withPreviewSession(this.call, rawInput);
    const { previewSession } = call;
    const key = JSON.stringify([
      ...[audience, resource, action, sessionOnly, ownersOnly, projectSlug],
      previewSession,
    ]);
    if (call.surface === 'trpc')
      return this.#admit(call, { ...request, caller: this.#caller(key, call, request) });
    const known = this.#admissions.get(key);
    if (known !== undefined) return known;
    const admission = this.#admit(call, request);
    this.#admissions.set(key, admission);
    return admission;
  }

  async #admit(call: Call, request: AdmissionRequest): Promise<OperationScope> {
    return admit(this.services, call, request);
  }

  #caller(key: string, call: Call, request: AdmissionRequest): Promise<IdentifiedCaller> {
    const known = this.#callers.get(key);
    if (known !== undefined) return known;
    const caller = assertProjectAccess(this.services, call, request);
    this.#callers.set(key, caller);
    return caller;
  }
}

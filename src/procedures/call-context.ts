import type { OperationMeta } from '../../contracts/metadata.js';
import type { OperationContext } from '../../contracts/procedure.js';
import { Rehearsal } from '../persistence/work/unit-of-work.js';
import { admit } from './admission.js';
import type { Call, OperationScope, RunMode } from './call.js';
import type { Services } from './services.js';

function projectSlugIn(rawInput: unknown): string {
  const slug = (rawInput as { projectSlug?: unknown } | null | undefined)?.projectSlug;
  return typeof slug === 'string' ? slug : '';
}

/** Context of one tRPC call. Admissions are cached, so that a surface can ask before it reads the body. */
export class CallContext implements OperationContext {
  readonly #mode: RunMode = {};
  readonly #admissions = new Map<string, Promise<OperationScope>>();

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
    const key = JSON.stringify([operation.audience, operation.resource, operation.action, projectSlug]);
    const known = this.#admissions.get(key);
    if (known !== undefined) return known;
    const admission = this.#admit(operation, projectSlug);
    this.#admissions.set(key, admission);
    return admission;
  }

  async #admit(operation: OperationMeta, projectSlug: string): Promise<OperationScope> {
    return admit(this.services, this.call, { operation, projectSlug, mode: this.#mode });
  }
}

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

/** The context of one tRPC call. Admissions are remembered, so that a surface can ask before it reads the body. */
export class CallContext implements OperationContext {
  readonly #mode: RunMode = {};
  readonly #admissions = new Map<string, Promise<OperationScope>>();

  constructor(
    private readonly services: Services,
    readonly call: Call,
  ) {}

  /** From here on operations are run and rolled back; the returned object holds the changes that they would make. */
  rehearse(): Rehearsal {
    const rehearsal = new Rehearsal();
    this.#mode.rehearsal = rehearsal;
    return rehearsal;
  }

  /** From here on operations are committed. */
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

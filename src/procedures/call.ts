import type { OperationMeta } from '../../contracts/metadata.js';
import type { Admission } from '../../contracts/procedure.js';
import type { Principal, Surface } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import type { DeliveryTrace, DocumentSource } from '../features/delivery/index.js';
import type { Rehearsal, WorkScope } from '../persistence/work/unit-of-work.js';
import type { RateState } from './rate-state.js';
import type { Services } from './services.js';

/** Who calls, before it is known whether they may. */
interface Recognised {
  readonly principal: Principal;
  readonly catalog: Catalog | null;
  readonly tool: string | undefined;
}

/** One call from outside, before anything is known of it. */
export interface Call {
  readonly surface: Surface;
  /** The `Authorization` header as it came; undefined where none was sent. */
  readonly authorization: string | undefined;
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Whether a command of this machine calls, not a client. */
  readonly isCommand?: boolean | undefined;
  /** Told who calls, and in which project, as soon as that is known. */
  readonly onRecognised?: ((caller: Recognised) => void) | undefined;
  /** Told what is left of the caller's limit, whether the call goes on or not. */
  tellRate?(state: RateState): void;
  /** Name of the agent tool, for the audit record. */
  readonly tool?: string | undefined;
}

/** What a call asks admission for. */
export interface AdmissionRequest {
  readonly operation: OperationMeta;
  /** Empty on platform and session operations. */
  readonly projectSlug: string;
  readonly mode?: RunMode;
}

/** A call whose effect happens once. */
export interface IdempotentCall {
  /** What it is kept under. */
  readonly id: Buffer;
  /** Of its input. */
  readonly fingerprint: Buffer;
  /** Whether the answer is one that was given before. */
  wasReplayed: boolean;
}

/** How the operation of a call is run; may be decided after the call was admitted. */
export interface RunMode {
  /** Set where the operation is only tried; it holds what would have changed. */
  rehearsal?: Rehearsal;
  /** Set where the caller sent an `Idempotency-Key`. */
  idempotency?: IdempotentCall;
  /** Replaces the documents of delivery reads, so that the reads of one request can share statements. */
  documents?: (isPreview: boolean) => DocumentSource;
}

/** What the gate found out about a call that it let through. */
export interface OperationScope extends Admission {
  readonly call: Call;
  readonly principal: Principal;
  /** The project's catalog; null on platform and session operations. */
  readonly catalog: Catalog | null;
  readonly work: WorkScope;
  readonly mode: RunMode;
  readonly trace: DeliveryTrace;
  readonly services: Services;
}

import type { OperationMeta } from '../../contracts/metadata.js';
import type { Admission } from '../../contracts/procedure.js';
import type { Principal, Surface } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import type { DeliveryTrace, DocumentSource } from '../features/delivery/index.js';
import type { Rehearsal, WorkScope } from '../persistence/work/unit-of-work.js';
import type { RateState } from './rate-state.js';
import type { Services } from './services.js';

/** The caller, once identified and before it is known whether it may call. */
interface IdentifiedCaller {
  readonly principal: Principal;
  readonly catalog: Catalog | null;
  readonly tool: string | undefined;
}

/** One call as a surface receives it. */
export interface Call {
  readonly surface: Surface;
  /** The `Authorization` header; undefined if absent. */
  readonly authorization: string | undefined;
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Whether a command on this machine calls, not a client. */
  readonly isCommand?: boolean | undefined;
  /** Receives the caller and the project as soon as they are known. */
  readonly onIdentified?: ((caller: IdentifiedCaller) => void) | undefined;
  /** Receives the state of the caller's rate limit, whether the call is admitted or not. */
  onRate?(state: RateState): void;
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
  /** The id of the stored reply. */
  readonly id: Buffer;
  /** Digest of the input. */
  readonly fingerprint: Buffer;
  /** Whether the reply is a stored one. */
  wasReplayed: boolean;
}

/** How the operation of a call is run; may be set after admission. */
export interface RunMode {
  /** Set for a dry run; collects the changes that would be made. */
  rehearsal?: Rehearsal;
  /** Set if the caller sent an `Idempotency-Key`. */
  idempotency?: IdempotentCall;
  /** Replaces the documents of delivery reads, so that the reads of one request can share statements. */
  documents?: (isPreview: boolean) => DocumentSource;
}

/** An admitted call. */
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

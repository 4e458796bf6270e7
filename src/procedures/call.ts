import type { OperationMeta } from '../../contracts/metadata.js';
import type { Admission } from '../../contracts/procedure.js';
import type { Principal, Surface } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import type {
  DeliveryTrace,
  DocumentSource,
  PreviewScope,
  ReadMedia,
} from '../features/publishing/delivery/index.js';
import type { Rehearsal, WorkScope } from '../persistence/work/unit-of-work.js';
import type { Future, RateState, Services } from './services.js';

/** An authenticated caller that is not authorized yet. */
export interface IdentifiedCaller {
  readonly principal: Principal;
  readonly catalog: Catalog | null;
}

export interface Call {
  readonly surface: Surface;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  readonly requestId: string;
  readonly ip: string | null;
  /** Scheme and host of the request, undefined without a valid `Host` header. Callers choose both. */
  readonly origin?: (() => string | undefined) | undefined;
  readonly userAgent: string | null;
  /** Token in the URL of an operation that accepts one in place of `authorization`. */
  readonly urlToken?: string | undefined;
  /** Token of a preview session, which replaces `authorization` in delivery. */
  readonly previewSession?: string | undefined;
  /** The header `X-Environment`, with the slug of an environment. */
  readonly environment?: string | undefined;
  /** Token of a `confirmation_required` reply. */
  readonly confirmToken?: string | undefined;
  /** Whether the caller is a CLI command. */
  readonly isCommand?: boolean | undefined;
  readonly onIdentified?:
    ((caller: IdentifiedCaller & { readonly tool: string | undefined }) => void) | undefined;
  /** Receives the state of the rate limit, also of rejected calls. */
  onRate?(state: RateState): void;
  /** MCP tool, for the audit record. */
  readonly tool?: string | undefined;
}

export interface AdmissionRequest {
  readonly operation: OperationMeta;
  /** Empty on platform and session operations. */
  readonly projectSlug: string;
  readonly mode?: RunMode;
  /** The caller, if an earlier call of the same request identified it. */
  readonly caller?: Promise<IdentifiedCaller> | undefined;
}

/** A call with an `Idempotency-Key`. */
export interface IdempotentCall {
  /** Id of the stored reply. */
  readonly id: Buffer;
  /** Digest of the input. */
  readonly fingerprint: Buffer;
  /** Whether the reply is a stored one. */
  wasReplayed: boolean;
}

/** Can be set after admission. */
export interface RunMode {
  /** Set for a dry run. */
  rehearsal?: Rehearsal;
  /** Set if the caller sent an `Idempotency-Key`. */
  idempotency?: IdempotentCall;
  /** Names of query parameters that the operation does not have, if its contract passes them. */
  unknownParameters?: readonly string[];
  /** Entries of the result are sent as text: the surface takes `EntryText`. */
  writesText?: boolean;
  /** The fields that the call reads of published documents; all if unset. */
  onlyFields?: readonly string[];
  /** Replaces the documents of delivery reads, so that reads of one request share statements. */
  documents?: (isPreview: boolean) => DocumentSource;
  /** The entry of a preview token, whose draft is shown among published content. */
  preview?: PreviewScope & { readonly drafts: DocumentSource };
  /** As `documents`, for assets. */
  media?: () => ReadMedia;
  /** Replaces what readers see now. */
  future?: Future;
}

export interface OperationScope extends Admission {
  readonly call: Call;
  readonly principal: Principal;
  /** Null on platform and session operations. */
  readonly catalog: Catalog | null;
  readonly work: WorkScope;
  readonly mode: RunMode;
  readonly trace: DeliveryTrace;
  readonly services: Services;
}

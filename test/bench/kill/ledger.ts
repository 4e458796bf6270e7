/** A version of an entry that the service has acknowledged. */
export interface KnownVersion {
  readonly entryId: string;
  readonly version: number;
  readonly title: string;
}

/** A bulk publication of entries that nothing else publishes. */
export interface KnownBulk {
  readonly requestId: string;
  readonly entryIds: readonly string[];
  readonly isAcknowledged: boolean;
}

/** What writers were told, to be compared with what the database holds. */
export class Ledger {
  readonly versions: KnownVersion[] = [];
  readonly published: { readonly entryId: string; readonly version: number }[] = [];
  readonly bulks: KnownBulk[] = [];
  /** Ids of the requests that were answered with success, each a mutation that changed something. */
  readonly acknowledged: string[] = [];
  /** Requests whose connection ended before an answer came: done or not, nobody was told. */
  unanswered = 0;
  /** Answers that are neither success nor one of the service being away. */
  readonly surprises: string[] = [];
}

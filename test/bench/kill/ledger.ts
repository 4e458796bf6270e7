/** An acknowledged version of an entry. */
export interface KnownVersion {
  readonly entryId: string;
  readonly version: number;
  readonly title: string;
}

/** A bulk publication of entries that no other call publishes. */
export interface KnownBulk {
  readonly requestId: string;
  readonly entryIds: readonly string[];
  readonly isAcknowledged: boolean;
}

/** What the service acknowledged to writers, to compare with the database. */
export class Ledger {
  readonly versions: KnownVersion[] = [];
  readonly published: { readonly entryId: string; readonly version: number }[] = [];
  readonly bulks: KnownBulk[] = [];
  /** Ids of successful requests, each a mutation that changed something. */
  readonly acknowledged: string[] = [];
  /** Requests whose connection ended before a response: outcome unknown. */
  unanswered = 0;
  /** Responses other than success and 503. */
  readonly unexpected: string[] = [];
}

import { callerNetwork } from '../../../access/address-rules.js';
import {
  type UnitOfWork,
  systemScope,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import {
  KeyAddressRepository,
  type AddressCalls,
  KeyUsageRepository,
  type KeyCalls,
} from './key-usage.repository.js';

/** Between two flushes; calls from further addresses are not counted. */
const MAXIMUM_ADDRESSES = 10_000;

type Counted = Pick<AddressCalls, 'tenantId' | 'projectId' | 'apiKeyId'>;

/** Addresses of calls, collected in memory. */
class KeyAddresses {
  readonly #calls = new Map<string, AddressCalls>();

  get size(): number {
    return this.#calls.size;
  }

  record({ tenantId, projectId, apiKeyId }: Counted, address: string, at: Date): void {
    const name = `${apiKeyId} ${address}`;
    const known = this.#calls.get(name);
    if (known !== undefined) {
      known.calls += 1;
      known.lastAt = at;
    } else if (this.#calls.size < MAXIMUM_ADDRESSES)
      this.#calls.set(name, { tenantId, projectId, apiKeyId, address, calls: 1, firstAt: at, lastAt: at });
  }

  async save(work: UnitOfWork): Promise<void> {
    const rows = [...this.#calls.values()].map((row) => ({ ...row, address: callerNetwork(row.address) }));
    if (rows.length > 0) await work.use(KeyAddressRepository).add(rows);
  }

  /** Takes back what a failed flush has not saved. */
  keep(older: KeyAddresses): void {
    for (const [name, calls] of older.#calls) {
      const newer = this.#calls.get(name);
      if (newer !== undefined)
        this.#calls.set(name, { ...calls, calls: calls.calls + newer.calls, lastAt: newer.lastAt });
      else if (this.#calls.size < MAXIMUM_ADDRESSES) this.#calls.set(name, calls);
    }
  }
}

/** Between two flushes; calls of further keys and tools are not counted. */
const MAXIMUM_COUNTS = 10_000;
const QUARTER = 900_000;

interface KeyCall {
  readonly tenantId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly apiKeyId: string;
  readonly surface: string;
  readonly tool: string | undefined;
  /** Null if it is unknown. */
  readonly address: string | null;
  readonly outcome: 'reads' | 'writes' | 'errors' | 'rateLimited';
}

/** Calls of keys, counted in memory so that no request waits for a write. */
export class KeyUsage {
  #counts = new Map<string, KeyCalls>();
  #addresses = new KeyAddresses();

  constructor(
    private readonly units: UnitOfWorkFactory,
    private readonly clock: () => Date,
  ) {}

  record({ outcome, tool = '', address, ...call }: KeyCall): void {
    const at = this.clock();
    if (address !== null) this.#addresses.record(call, address, at);
    const start = Math.floor(at.getTime() / QUARTER) * QUARTER;
    const name = `${call.apiKeyId} ${call.environmentId} ${String(start)} ${call.surface} ${tool}`;
    let count = this.#counts.get(name);
    if (count === undefined) {
      if (this.#counts.size >= MAXIMUM_COUNTS) return;
      const none = { reads: 0, writes: 0, errors: 0, rateLimited: 0 };
      count = { ...call, tool, start: new Date(start), ...none, lastAt: at };
      this.#counts.set(name, count);
    }
    count[outcome] += 1;
    count.lastAt = at;
  }

  /** Adds the counts in one transaction. After a failure they are kept for the next flush. */
  async flush(): Promise<void> {
    const counts = this.#counts;
    const addresses = this.#addresses;
    if (counts.size === 0 && addresses.size === 0) return;
    this.#counts = new Map();
    this.#addresses = new KeyAddresses();
    const request = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;
    try {
      await this.units.run(request, async (work) => {
        await work.use(KeyUsageRepository).add([...counts.values()]);
        await addresses.save(work);
      });
    } catch (error) {
      for (const [name, count] of counts) this.#keep(name, count);
      this.#addresses.keep(addresses);
      throw error;
    }
  }

  #keep(name: string, count: KeyCalls): void {
    const newer = this.#counts.get(name);
    if (newer === undefined) {
      if (this.#counts.size < MAXIMUM_COUNTS) this.#counts.set(name, count);
      return;
    }
    for (const key of ['reads', 'writes', 'errors', 'rateLimited'] as const) newer[key] += count[key];
  }
}

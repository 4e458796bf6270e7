import { callerNetwork } from '../../access/networks.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { KeyAddressRepository, type AddressCalls } from './key-address.repository.js';

/** Between two flushes; calls from further addresses are not counted. */
const MAXIMUM_ADDRESSES = 10_000;

type Counted = Pick<AddressCalls, 'tenantId' | 'projectId' | 'apiKeyId'>;

/** Addresses of calls, collected in memory. */
export class KeyAddresses {
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

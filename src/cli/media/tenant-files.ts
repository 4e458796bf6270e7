import {
  EnvironmentListRepository,
  type EnvironmentHead,
} from '../../features/environments/catalog/index.js';
import { StoredFileRepository, type NamedFiles } from '../../features/media/media/index.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../persistence/work/unit-of-work.js';

const PAGE = 500;

/** Reads the rows of one tenant after the other: no unit of work sees two. */
export class TenantFiles implements NamedFiles {
  #heads: Promise<ReadonlyMap<string, EnvironmentHead>> | undefined;

  constructor(private readonly units: UnitOfWorkFactory) {}

  async tenantIds(): Promise<readonly string[]> {
    return [...(await this.#tenants()).keys()];
  }

  async named(tenantId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const head = (await this.#tenants()).get(tenantId);
    if (head === undefined) return new Set();
    return this.#read(head, (work) => work.use(StoredFileRepository).named(keys));
  }

  async *all(): AsyncGenerator<string> {
    for (const head of (await this.#tenants()).values()) {
      let after = '';
      for (;;) {
        const start = after;
        const keys = await this.#read(head, (work) => work.use(StoredFileRepository).keysAfter(start, PAGE));
        yield* keys;
        if (keys.length < PAGE) break;
        after = keys.at(-1) ?? '';
      }
    }
  }

  #read<T>(head: EnvironmentHead, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const scope = systemScope({ command: 'media', address: addressOf(head) });
    return this.units.run({ scope, isReadOnly: true, lock: 'none' }, work);
  }

  /** Any environment of each tenant. */
  #tenants(): Promise<ReadonlyMap<string, EnvironmentHead>> {
    const request = { scope: systemScope({ command: 'media' }), isReadOnly: true, lock: 'none' } as const;
    this.#heads ??= this.units
      .run(request, (work) => work.use(EnvironmentListRepository).all())
      .then((heads) => new Map(heads.map((head) => [head.tenantId, head])));
    return this.#heads;
  }
}

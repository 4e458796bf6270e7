import { Catalog } from '../../content/catalog.js';
import type { Memory, UnitOfWorkFactory, WorkScope } from '../../persistence/unit-of-work.js';
import { CatalogRepository, memoryKey, type EnvironmentHead } from './catalog.repository.js';
import type { EnvironmentHeads } from './environment-head.repository.js';

/** What the store is made of. */
export interface CatalogStoreParts {
  readonly heads: EnvironmentHeads;
  readonly units: UnitOfWorkFactory;
  readonly memory: Memory;
}

/** The scope in which the service itself works in an environment. */
function systemScope(head: EnvironmentHead): WorkScope {
  return {
    tenantId: head.tenantId,
    projectId: head.projectId,
    projectSlug: head.projectSlug,
    environmentId: head.environmentId,
    environmentSlug: head.environmentSlug,
    isPlatform: false,
    actor: { type: 'system', id: null, name: 'Headwater' },
    permittedActions: null,
    writableSiteIds: [],
    grants: null,
    origin: { ip: null, userAgent: null, requestId: '', interface: 'system' },
    metadata: {},
  };
}

/**
 * Catalogs by project slug. Every look-up asks the database for the current revision, so a change
 * that any process has acknowledged is seen by the next request of every process.
 */
export class CatalogStore {
  constructor(private readonly parts: CatalogStoreParts) {}

  /** The catalog of a project's default environment; undefined where there is no such project. */
  async find(projectSlug: string): Promise<Catalog | undefined> {
    const head = await this.parts.heads.find(projectSlug);
    if (head === undefined) return undefined;
    const known = this.parts.memory.get(memoryKey(head.environmentId));
    if (known instanceof Catalog && known.data.revision === head.revision) return known;
    return this.parts.units.run({ scope: systemScope(head), isReadOnly: true, lock: 'none' }, (work) =>
      work.use(CatalogRepository).current(),
    );
  }
}

import type { Catalog } from '../content/catalog.js';
import { DraftDocuments, DraftRepository } from '../features/delivery/index.js';
import type { OperationScope } from './call.js';

/** Drafts of the environment; each read has its own unit of work. */
export function draftsOf({ services, work }: OperationScope, catalog: Catalog): DraftDocuments {
  const request = { scope: work, isReadOnly: true, lock: 'none' } as const;
  return new DraftDocuments(
    (read) => services.units.run(request, (unit) => read(unit.use(DraftRepository))),
    catalog,
  );
}

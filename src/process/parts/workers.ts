import { setTimeout as pause } from 'node:timers/promises';
import { AuditSealer } from '../../features/insight/audit/index.js';
import { FilterIndexer } from '../../features/publishing/delivery/index.js';
import { EdgePurges } from '../../features/operations/edge/edge-purges.js';
import { GovernanceWork } from '../../features/insight/governance/index.js';
import { countActivity, HealthWork } from '../../features/insight/reports/index.js';
import { ImportWork } from '../../features/editorial/imports/index.js';
import { TranslationWork } from '../../features/editorial/translations/index.js';
import { NotificationWork } from '../../features/access/notifications/index.js';
import { SearchIndexer, VectorIndexer } from '../../features/insight/search/index.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { EdgeClient } from '../../infrastructure/edge/edge-client.js';
import { openMails } from './periodic-work.js';
import { newId } from '../../infrastructure/ids.js';
import { asRequester, asUser, callsOfRequester, type Services } from '../../procedures/index.js';

/** What background work needs of the process. */
export interface WorkerParts {
  readonly services: Services;
  readonly logger: Logger;
  /** Undefined: no cache in front of the service is purged. */
  readonly edge: EdgeClient | undefined;
  onError(error: unknown): void;
}

/** Work on what is written without waiting for it: audit records, calls of keys and searches. */
function rollUps({ units, keyUses, keyUsage, search, retention }: Services): {
  seal(): Promise<number>;
  pruneAudit(): Promise<number>;
  flushKeyUses(): Promise<void>;
} {
  const sealer = new AuditSealer({ units, newId, pause });
  return {
    seal: async () => {
      const sealed = await sealer.seal();
      await countActivity(units);
      return sealed;
    },
    pruneAudit: () => sealer.prune(retention.auditDays),
    flushKeyUses: async () => {
      await keyUses.flush();
      await keyUsage.flush();
      await search.empty.flush();
    },
  };
}

/** Work of the service that is done bit by bit. */
export function openWorkers(parts: WorkerParts) {
  const { services, onError } = parts;
  const { units, clock, search, media, markup } = services;
  return {
    records: rollUps(services),
    indexer: new SearchIndexer({
      units,
      index: search.index,
      makesVectors: search.vectors !== undefined,
      onError,
    }),
    health: new HealthWork({ units, onError }),
    notices: new NotificationWork({ units, onError, baseUrl: services.baseUrl, scopeOf: asUser(services) }),
    edge: new EdgePurges({ units, edge: parts.edge }),
    filters: new FilterIndexer(units),
    vectors:
      search.vectors && new VectorIndexer({ units, embedder: search.vectors.embedder, newId, onError }),
    mails: openMails(services, parts.logger),
    governance: new GovernanceWork({ units, clock, services: media, newId, onError }),
    imports: new ImportWork({
      units,
      clock,
      newId,
      onError,
      storage: media.storage,
      callAs: callsOfRequester(services),
    }),
    exchange: new TranslationWork({
      units,
      clock,
      newId,
      onError,
      storage: media.storage,
      markup,
      asRequester: asRequester(services),
    }),
  };
}

export type Workers = ReturnType<typeof openWorkers>;

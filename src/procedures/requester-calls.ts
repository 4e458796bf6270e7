import { AppError } from '../../contracts/errors.js';
import type { CallOperation, DueImport } from '../features/editorial/imports/index.js';
import { newId } from '../infrastructure/ids.js';
import { admitIdentified } from './admission.js';
import { appRouter } from './app-router.js';
import { boundOperations, type BoundOperation } from './bound-operations.js';
import type { CallContext } from './call-context.js';
import type { Call } from './call.js';
import { requesterOf } from './present-principal.js';
import type { Services } from './services.js';

/** What an import calls. It may call nothing else, whatever its file makes of the thread that reads it. */
const callable: ReadonlySet<string> = new Set([
  ...['contentTypes.create', 'contentTypes.get', 'fields.update'],
  ...['entries.batch', 'entries.list', 'redirects.import', 'sites.get', 'sites.update'],
  ...['locales.create', 'locales.list', 'locales.update', 'tree.get'],
  ...['importUrl', 'list', 'listLocales', 'putLocale', 'replace', 'update', 'upload'].map(
    (name) => `media.${name}`,
  ),
]);

let operations: ReadonlyMap<string, BoundOperation> | undefined;

const operationOf = (name: string): BoundOperation => {
  operations ??= new Map(
    boundOperations(appRouter).flatMap((one) => (callable.has(one.name) ? [[one.name, one] as const] : [])),
  );
  const found = operations.get(name);
  if (found === undefined) throw new AppError('permission_denied', { operation: name });
  return found;
};

/** Calls of a job, each with the present rights of the user or key that started it. They do not count against a rate limit. */
export const callsOfRequester =
  (services: Services) =>
  (job: Pick<DueImport, 'id' | 'createdBy' | 'projectSlug' | 'environmentId'>): CallOperation =>
  async (name, input) => {
    const operation = operationOf(name);
    const caller = await requesterOf(services, job);
    const call: Call = {
      surface: 'rest',
      authorization: undefined,
      requestId: newId(),
      ip: null,
      userAgent: null,
    };
    const admit: CallContext['admit'] = (meta) =>
      Promise.resolve(admitIdentified(services, call, { operation: meta, caller }));
    return operation.call({ admit }, { ...input, projectSlug: job.projectSlug });
  };

import { AppError, invalidInput } from '../../contracts/errors.js';
import { seesDrafts } from '../access/principal.js';
import type { FutureQuestion, IndexEntries } from '../features/entries/releases/index.js';
import { indexRows } from '../features/insight/search/index.js';
import type { Overlay } from '../features/publishing/delivery/index.js';
import type { OperationScope } from './call.js';
import { mapDatabaseErrors } from './failures.js';
import type { Future, Services } from './services.js';

/** As requests name it. */
export interface FutureInput {
  readonly release?: string | undefined;
  readonly at?: string | undefined;
}

/**
 * What the request or its preview session asks for; undefined for the present.
 * @throws AppError 403 `preview_not_allowed`, 422 for a time that is not in the future
 */
function questionOf(
  { principal, services }: OperationScope,
  { release, at: time }: FutureInput,
): FutureQuestion | undefined {
  const own = principal.kind === 'preview' ? principal : undefined;
  if (release === undefined && time === undefined && own?.future === undefined) return undefined;
  if (!seesDrafts(principal)) throw new AppError('preview_not_allowed');
  if (time !== undefined && new Date(time) <= services.clock())
    throw invalidInput({
      path: ['at'],
      code: 'not_in_future',
      message: 'at must be in the future. Omit it to read the present.',
    });
  const at = time === undefined ? own?.future?.at : new Date(time);
  return { at, releaseId: release ?? own?.future?.releaseId, onlySiteId: own?.siteId };
}

const indexWith =
  ({ search }: Services): IndexEntries =>
  (work, entries) =>
    indexRows(work, search, entries);

async function openFuture({ services, catalog }: OperationScope, question: FutureQuestion): Promise<Future> {
  if (catalog === null) throw new Error('Delivery requires a project');
  const { tenant, project, environment } = catalog.data;
  const asked = { address: { tenant, project, environment }, question };
  const read = (index?: IndexEntries): Promise<Overlay> =>
    mapDatabaseErrors(() => services.futures.read(services.units, asked, index));
  return {
    ...services.overlaidReads(await read()),
    overlayForSearch: () => {
      if (services.search.index.provider !== 'database') throw new AppError('search_unavailable');
      return read(indexWith(services));
    },
  };
}

/** From here on the call reads what will be published, where its request or its session asks for it. */
export function enterFuture(scope: OperationScope, input: FutureInput): Promise<void> | undefined {
  const question = questionOf(scope, input);
  return (
    question &&
    openFuture(scope, question).then((future) => {
      scope.mode.future = future;
    })
  );
}

/** A read of the present or of the future, as the request says. */
export const inFuture =
  <I, R>(read: (scope: OperationScope, input: I) => R | Promise<R>) =>
  (scope: OperationScope, input: I & FutureInput): R | Promise<R> =>
    enterFuture(scope, input)?.then(() => read(scope, input)) ?? read(scope, input);

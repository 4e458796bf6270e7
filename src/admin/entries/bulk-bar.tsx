import { Suspense, useState } from 'react';
import type { OperationName } from '../../../contracts/index.js';
import { api, client, queryClient } from '../api/client.js';
import { projectQuery, typeOf, useProject, type Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Menu } from '../ui/menu.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { titleOf } from './entry-title.js';
import { runBulk, type BulkItem, type BulkParams, type ListAction } from './run-bulk.js';
import type { Selection } from './selection.js';
import { lazyPart } from '../ui/lazy-part.js';

/** In a chunk that is loaded with the first dialog. */
const BulkQuestion = lazyPart(() => import('./bulk-dialogs.js'), 'BulkQuestion');
const Failures = lazyPart(() => import('./bulk-dialogs.js'), 'BulkFailures');

interface Props {
  readonly rows: readonly Entry[];
  readonly locale: string | undefined;
  readonly selection: Selection;
}

/** Buttons of the bar, and those behind "more", where they are permitted. */
const buttons = ['publish', 'unpublish', 'schedule', 'workflowTransition', 'delete'] as const;
const further = ['addToRelease', 'assign', 'move', 'duplicate'] as const;

type Offered = (typeof buttons | typeof further)[number];

const operations = {
  publish: 'entries.publish',
  unpublish: 'entries.unpublish',
  schedule: 'entries.publish',
  workflowTransition: 'entries.transition',
  delete: 'entries.delete',
  addToRelease: 'releases.addItems',
  assign: 'entries.update',
  move: 'tree.moveNode',
  duplicate: 'entries.duplicate',
} as const satisfies Record<Offered, OperationName>;

const ofLocale: ReadonlySet<Offered> = new Set([
  ...(['publish', 'unpublish', 'schedule', 'workflowTransition', 'assign', 'addToRelease'] as const),
]);

/** Calls that take an action back where it is exactly undone: undefined where it is not. */
function undoOf(
  { action, params, done }: { action: ListAction; params: BulkParams; done: readonly Entry[] },
  versions: ReadonlyMap<string, number | undefined>,
  { run, projectSlug }: { run: (action: ListAction, ids: readonly string[]) => unknown; projectSlug: string },
): (() => unknown) | undefined {
  const ids = done.map(({ id }) => id);
  if (Object.keys(params).length > 0) return undefined;
  if (action === 'publish' && done.every(({ status }) => status === 'draft'))
    return () => run('unpublish', ids);
  if (action === 'unpublish' && done.every(({ status }) => status === 'published'))
    return () => run('publish', ids);
  if (action !== 'delete') return undefined;
  return async () => {
    for (const id of ids) {
      const version = versions.get(id);
      if (version !== undefined) await client.entries.undelete.mutate({ projectSlug, id, version });
    }
    await queryClient.invalidateQueries({ queryKey: api.entries.pathKey() });
  };
}

/** Runs an action on the ticked entries. What was refused stays ticked. */
function useBulk({ rows, locale, selection }: Props) {
  const { slug: projectSlug, environment } = useProject();
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<readonly BulkItem[]>([]);
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: api.entries.pathKey() }),
      queryClient.invalidateQueries(projectQuery(projectSlug, environment)),
    ]);
  const runOn = async (action: ListAction, entryIds: readonly string[], params: BulkParams) => {
    const results: BulkItem[] = [];
    try {
      await runBulk({ projectSlug, action, entryIds, locale, params }, (items) => results.push(...items));
    } catch (error) {
      notifyFailure(error);
    }
    return results;
  };
  const takeBack = async (action: ListAction, ids: readonly string[]): Promise<void> => {
    setRefused((await runOn(action, ids, {})).filter(({ ok }) => !ok));
    await refresh();
  };
  const run = async (action: ListAction, params: BulkParams = {}): Promise<void> => {
    setIsBusy(true);
    const entries = rows.filter(({ id }) => selection.ids.has(id));
    const results = await runOn(action, [...selection.ids], params);
    const versions = new Map(results.filter(({ ok }) => ok).map((item) => [item.entryId, item.version]));
    const done = entries.filter(({ id }) => versions.has(id));
    const what = params.scheduledAt === undefined ? action : 'schedule';
    const undo = undoOf({ action, params, done }, versions, { run: takeBack, projectSlug });
    if (versions.size > 0) notify(t(`bulk.${what}Done`, { count: versions.size }), undo);
    selection.set([...selection.ids].filter((id) => !versions.has(id)));
    setRefused(results.filter(({ ok }) => !ok));
    setIsBusy(false);
    await refresh();
  };
  return { isBusy, refused, setRefused, run };
}

/** Acts on the ticked entries. */
export function BulkBar({ rows, locale, selection }: Props) {
  const project = useProject();
  const bulk = useBulk({ rows, locale, selection });
  const [asked, setAsked] = useState<Exclude<Offered, 'duplicate'>>();
  const close = (): void => setAsked(undefined);
  const entries = rows.filter(({ id }) => selection.ids.has(id));
  const count = selection.ids.size;
  const titleOfEntry = (id: string): string => {
    const entry = rows.find((row) => row.id === id);
    return entry === undefined
      ? t('issue.unknown')
      : titleOf(entry, typeOf(project, entry.contentTypeApiName));
  };
  const mayDo = (action: Offered): boolean =>
    project.may(operations[action], locale !== undefined && ofLocale.has(action) ? { locale } : {});
  const run = (action: ListAction, params?: BulkParams): void => {
    close();
    void bulk.run(action, params);
  };
  return (
    <>
      {count > 0 && (
        <div aria-label={t('bulk.title')} className="row bulk-bar" role="toolbar">
          <span aria-live="polite" className="grow">
            {t('bulk.count', { count })}
          </span>
          {buttons.filter(mayDo).map((action) => (
            <button
              className="button"
              disabled={bulk.isBusy}
              key={action}
              onClick={() => setAsked(action)}
              type="button"
            >
              {t(`bulk.${action}`)}
            </button>
          ))}
          <Menu
            items={further.filter(mayDo).map((action) => ({
              key: action,
              label: t(`bulk.${action}`),
              onSelect: () => (action === 'duplicate' ? run('duplicate') : setAsked(action)),
            }))}
            label={t('entry.more')}
          />
          <button
            className="button plain"
            disabled={bulk.isBusy}
            onClick={() => selection.set([])}
            type="button"
          >
            {t('bulk.clear')}
          </button>
        </div>
      )}
      <Suspense>
        {asked !== undefined && (
          <BulkQuestion action={asked} entries={entries} locale={locale} onClose={close} onRun={run} />
        )}
        {bulk.refused.length > 0 && (
          <Failures items={bulk.refused} onClose={() => bulk.setRefused([])} titleOfEntry={titleOfEntry} />
        )}
      </Suspense>
    </>
  );
}

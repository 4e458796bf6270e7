import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, client, type Outputs } from '../../api/client.js';
import { failureOf, type Failure, type Issue } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { PlaceContext } from '../../editor/place.js';
import { OtherEntry } from '../../editor/problem-list.js';
import { EntryLink, entryName } from '../../insight/entry-link.js';
import { failureText, localeName } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Loaded } from '../../ui/states.js';
import { say } from './release-texts.js';

export type Release = Outputs['releases']['get']['data'];
export type ReleaseItem = Release['items'][number];
type Validation = Outputs['releases']['validate']['data'];
type Change = Outputs['releases']['publish']['meta']['changes'][number];

/** What an item changes, with the way to it. */
export function ItemLink({ item }: { readonly item: ReleaseItem }) {
  const { slug: project, environment } = useProject();
  const params = { project, environment };
  if (item.title === null && item.kind !== 'redirect') return <span className="soft">{say('deleted')}</span>;
  switch (item.kind) {
    case 'entry':
      return <EntryLink id={item.entryId} locale={item.locale} title={item.title} />;
    case 'media':
      return (
        <Link
          className="row-link"
          params={{ ...params, asset: item.assetId }}
          to="/$project/$environment/media/$asset"
        >
          {item.title}
        </Link>
      );
    case 'treeMove':
      return (
        <Link
          className="row-link"
          params={params}
          search={{ site: undefined, locale: undefined }}
          to="/$project/$environment/tree"
        >
          {entryName(item.title)}
        </Link>
      );
    case 'redirect':
      return <span className="code">{item.title ?? item.redirect?.source ?? say('deleted')}</span>;
  }
}

interface ItemIssue {
  readonly itemId: string | null;
  readonly title?: string | null;
  readonly code?: string;
  readonly message?: string;
  readonly details?: unknown;
}

/** Names that a message of the service quotes. */
const quoted = (message: string): string => /“(.*)”/s.exec(message)?.[1] ?? '';

function textOf({ code = '', message = '' }: ItemIssue): string {
  const name = quoted(message);
  if (code === 'no_items') return say('noItems');
  if (code === 'in_other_release') return say('otherRelease', { name });
  if (code === 'not_published') return say('notPublished', { name: entryName(name) });
  return failureText(code, message);
}

interface IssuesProps {
  readonly label: string;
  readonly issues: readonly ItemIssue[];
  readonly items: readonly ReleaseItem[];
  /** Where the text above them says what they are. */
  readonly isUntitled?: boolean;
}

/** Items with what is wrong with them. Of drafts, each field is named. */
function ItemIssues({ label, issues, items, isUntitled = false }: IssuesProps) {
  const lineOf = (issue: ItemIssue, index: number): ReactNode => {
    const item = items.find(({ id }) => id === issue.itemId);
    const inner = (issue.details as { readonly issues?: readonly Issue[] } | undefined)?.issues ?? [];
    if (item?.kind === 'entry' && inner.length > 0)
      return (
        <PlaceContext key={index} value={{ siteId: item.siteId ?? '', locale: item.locale }}>
          <OtherEntry id={item.entryId} issues={inner} />
        </PlaceContext>
      );
    const text = textOf(issue);
    return (
      <li key={index}>
        {item === undefined ? issue.title : <ItemLink item={item} />}
        {item !== undefined && text !== '' && ': '}
        {text}
      </li>
    );
  };
  if (issues.length === 0) return null;
  return (
    <section aria-label={label}>
      {!isUntitled && <h3>{label}</h3>}
      <ul>{issues.map(lineOf)}</ul>
    </section>
  );
}

interface RefusedProps {
  readonly failure: Pick<Failure, 'problem' | 'details'>;
  readonly items: readonly ReleaseItem[];
}

/** Why an operation on the release was refused, with the items that are named. */
export function Refused({ failure, items }: RefusedProps) {
  const named = Array.isArray(failure.details.items) ? (failure.details.items as ItemIssue[]) : [];
  return (
    <div className="notice bad" role="alert">
      <div>
        <p>{failure.problem}</p>
        <ItemIssues isUntitled issues={named} items={items} label={say('issues')} />
      </div>
    </div>
  );
}

function ChangeLink({ change: { kind, id, title, locale, from } }: { readonly change: Change }) {
  const { slug: project, environment } = useProject();
  if (kind === 'entry') return <EntryLink id={id} locale={locale} title={title} />;
  if (kind === 'redirect') return <span className="code">{from}</span>;
  return (
    <Link
      className="row-link"
      params={{ project, environment, asset: id }}
      to="/$project/$environment/media/$asset"
    >
      {title}
    </Link>
  );
}

const NONE = '–';

/** Where a page is before and after, if it has an address. */
function pathsOf({ from, to }: Change): string {
  const paths = [from, to].filter((path) => path !== null);
  if (from === to || paths.length < 2) return paths[0] ?? NONE;
  return paths.join(' → ');
}

const versionsOf = ({ fromVersion, toVersion }: Change): string =>
  fromVersion === null && toVersion === null
    ? NONE
    : `${String(fromVersion ?? NONE)} → ${String(toVersion ?? NONE)}`;

const columns: readonly Column<Change>[] = [
  {
    key: 'what',
    label: say('what'),
    cell: (change) => (
      <>
        <ChangeLink change={change} />
        {change.locale !== null && <span className="small soft"> {localeName(change.locale)}</span>}
        {pathsOf(change) !== NONE && <p className="small code">{pathsOf(change)}</p>}
      </>
    ),
  },
  { key: 'change', label: say('action'), cell: ({ change }) => say(`change.${change}`) },
  { key: 'versions', label: say('version'), isWide: true, cell: versionsOf },
];

/** What readers see of the release, asked of the service without publishing it. */
export function ReleasePlan({ release: { id, items } }: { readonly release: Release }) {
  const { slug: projectSlug } = useProject();
  const query = useQuery({
    queryKey: [['releases', 'plan'], projectSlug, id],
    queryFn: async () =>
      (await client.releases.publish.mutate({ projectSlug, id, dryRun: true })).meta.changes,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (query.error !== null) return <Refused failure={failureOf(query.error)} items={items} />;
  return (
    <Loaded query={query}>
      {(changes) =>
        changes.length === 0 ? (
          <p className="soft">{say('planEmpty')}</p>
        ) : (
          <DataTable
            columns={columns}
            keyOf={({ kind, id: of, locale }) => [kind, of, locale].join(' ')}
            label={say('plan')}
            rows={changes}
          />
        )
      }
    </Loaded>
  );
}

/** Checks the release on request, and shows what it would change. */
export function ReleaseCheck({ release }: { readonly release: Release }) {
  const { slug: projectSlug, may } = useProject();
  const [found, setFound] = useState<Validation>();
  const { isBusy, failure, run } = useCall();
  const { id, items, updatedAt } = release;
  const [checkedAt, setCheckedAt] = useState('');
  const check = (): Promise<void> =>
    run(async () => {
      setFound((await client.releases.validate.mutate({ projectSlug, id })).data);
      setCheckedAt(updatedAt);
    });
  // What was found about other items says nothing any more.
  const shown = checkedAt === updatedAt ? found : undefined;
  return (
    <section aria-label={say('checkTitle')} className="stack">
      <div className="row">
        <h2 className="grow">{say('checkTitle')}</h2>
        <button className="button" disabled={isBusy} onClick={() => void check()} type="button">
          {say('check')}
        </button>
      </div>
      <div aria-live="polite" className="stack">
        {failure !== undefined && <Refused failure={failure} items={items} />}
        {shown !== undefined && (
          <>
            <p className={shown.isPublishable ? 'notice' : 'notice bad'}>
              {say(shown.isPublishable ? 'isFine' : 'isNotFine')}
            </p>
            <ItemIssues issues={shown.issues} items={items} label={say('issues')} />
            <ItemIssues issues={shown.warnings} items={items} label={say('warnings')} />
          </>
        )}
      </div>
      {shown?.isPublishable === true && may('releases.publish') && (
        <>
          <h3>{say('plan')}</h3>
          <ReleasePlan release={release} />
        </>
      )}
    </section>
  );
}

/** The release, read again while others may change it. */
export function useRelease(id: string) {
  const { slug: projectSlug } = useProject();
  return useQuery(
    api.releases.get.queryOptions(
      { projectSlug, id },
      {
        refetchInterval: ({ state }) =>
          MOVING.has(state.data?.data.status ?? 'published') ? MOVING_MILLISECONDS : false,
      },
    ),
  );
}

const MOVING: ReadonlySet<string> = new Set(['open', 'scheduled']);
const MOVING_MILLISECONDS = 10_000;

import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { entryName } from '../../insight/entry-link.js';
import { localeName } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { IconButton } from '../../ui/icon-button.js';
import { Empty } from '../../ui/states.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { NewItemDialog } from './new-item.js';
import { refreshReleases } from './release-dialogs.js';
import { ItemLink, type Release, type ReleaseItem } from './release-issues.js';
import { say } from './release-texts.js';

const PAGE = 100;

const actionOf = (item: ReleaseItem): string =>
  say(`do.${item.kind === 'entry' || item.kind === 'redirect' ? item.action : item.kind}`);

function pathOf(item: ReleaseItem): string {
  if (item.kind === 'redirect' && item.redirect?.target)
    return `${item.redirect.source ?? item.title ?? ''} → ${item.redirect.target}`;
  return item.path ?? '–';
}

/** Which version goes live. */
function versionOf(item: ReleaseItem): string {
  if (item.kind !== 'entry' || item.action === 'unpublish') return '–';
  return item.pinnedVersion === null ? say('newest') : say('fixed', { version: item.pinnedVersion });
}

const columns: readonly Column<ReleaseItem>[] = [
  {
    key: 'what',
    label: say('what'),
    cell: (item) => (
      <>
        <ItemLink item={item} />
        {item.kind === 'entry' && <span className="small soft"> {localeName(item.locale)}</span>}
      </>
    ),
  },
  { key: 'action', label: say('action'), cell: actionOf },
  {
    key: 'path',
    label: say('path'),
    isWide: true,
    cell: (item) => <span className="code">{pathOf(item)}</span>,
  },
  { key: 'version', label: say('version'), isWide: true, cell: versionOf },
];

interface Props {
  readonly release: Release;
}

function RemoveButton({ release: { id }, item }: Props & { readonly item: ReleaseItem }) {
  const { slug: projectSlug } = useProject();
  const [isBusy, setIsBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await client.releases.removeItem.mutate({ projectSlug, id, itemId: item.id });
      notify(say('itemRemoved'));
      await refreshReleases();
    } catch (error) {
      notifyFailure(error);
    }
    setIsBusy(false);
  };
  return (
    <IconButton
      disabled={isBusy}
      icon="close"
      label={say('removeItem', { title: entryName(item.title) })}
      onClick={() => void remove()}
    />
  );
}

/** What the release changes. Items of an open one are added and removed. */
export function ReleaseItems({ release }: Props) {
  const { may } = useProject();
  const [isAdding, setIsAdding] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const { items, status } = release;
  const isOpen = status === 'open';
  const removal: Column<ReleaseItem> = {
    key: 'remove',
    label: '',
    cell: (item) => <RemoveButton item={item} release={release} />,
  };
  return (
    <section aria-label={say('items')} className="stack">
      <div className="row">
        <h2 className="grow">
          {say('items')} <span className="soft">{items.length}</span>
        </h2>
        {isOpen && may('releases.addItems') && (
          <button className="button" onClick={() => setIsAdding(true)} type="button">
            {say('addItem')}
          </button>
        )}
      </div>
      {items.length === 0 ? (
        <Empty hint={say('noItemsHint')} title={say('noItems')} />
      ) : (
        <DataTable
          columns={isOpen && may('releases.removeItem') ? [...columns, removal] : columns}
          keyOf={({ id }) => id}
          label={say('items')}
          rows={items.slice(0, shown)}
        />
      )}
      {items.length > shown && (
        <div className="row">
          <button className="button" onClick={() => setShown(shown + PAGE)} type="button">
            {say('moreItems', { count: Math.min(PAGE, items.length - shown) })}
          </button>
        </div>
      )}
      {isAdding && <NewItemDialog onClose={() => setIsAdding(false)} release={release} />}
    </section>
  );
}

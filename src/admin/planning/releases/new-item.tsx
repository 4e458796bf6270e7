import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { localesOf, typeOf, useProject, type Asset, type Entry } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { PlaceContext } from '../../editor/place.js';
import { titleOf } from '../../entries/entry-title.js';
import { EntryPicker } from '../../fields/entry-picker.js';
import { TreePlaceField } from '../../fields/tree-place.js';
import { AssetPicker } from '../../media/asset-picker.js';
import { localeName, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import {
  ChosenField,
  RedirectFields,
  SelectField,
  SiteField,
  type FieldsProps,
  type NewItem,
} from './item-fields.js';
import { refreshReleases } from './release-dialogs.js';
import type { Release } from './release-issues.js';
import { say } from './release-texts.js';

const VERSIONS = 50;
const NEWEST = '';

/** The newest draft at the time of publication, or a version. */
export function VersionField(props: {
  readonly entryId: string;
  readonly value: string;
  readonly onChange: (version: string) => void;
}) {
  const { slug: projectSlug } = useProject();
  const input = { projectSlug, id: props.entryId, limit: VERSIONS };
  const { data } = useQuery(api.entries.listVersions.queryOptions(input));
  const versions = (data?.data ?? []).map(({ versionNum }) => ({
    value: String(versionNum),
    label: say('fixed', { version: versionNum }),
  }));
  return (
    <SelectField
      label={say('version')}
      onChange={props.onChange}
      options={[{ value: NEWEST, label: say('newest') }, ...versions]}
      value={props.value}
    />
  );
}

function EntryFields({ onChange }: FieldsProps) {
  const project = useProject();
  const locales = localesOf(project);
  const [entry, setEntry] = useState<Entry>();
  const [chosen, setChosen] = useState({
    locale: locales[0] ?? '',
    action: 'publish' as 'publish' | 'unpublish',
    version: NEWEST,
  });
  const change = (next: Partial<typeof chosen>, of = entry): void => {
    const { locale, action, version } = { ...chosen, ...next };
    setChosen({ locale, action, version });
    setEntry(of);
    const pinnedVersion = action === 'publish' && version !== NEWEST ? Number(version) : null;
    onChange(of && { kind: 'entry', entryId: of.id, locale, action, pinnedVersion });
  };
  return (
    <>
      <ChosenField
        label="field.entry"
        name={entry && titleOf(entry, typeOf(project, entry.contentTypeApiName))}
        picker={(close) => (
          <PlaceContext value={{ siteId: '', locale: chosen.locale }}>
            <EntryPicker
              onChoice={(picked) => {
                change({ version: NEWEST }, picked);
                close();
              }}
              onClose={close}
              types={undefined}
            />
          </PlaceContext>
        )}
      />
      <SelectField
        label={say('field.locale')}
        onChange={(locale) => change({ locale })}
        options={locales.map((value) => ({ value, label: localeName(value) }))}
        value={chosen.locale}
      />
      <SelectField
        label={say('action')}
        onChange={(action) => change({ action })}
        options={(['publish', 'unpublish'] as const).map((value) => ({ value, label: say(`do.${value}`) }))}
        value={chosen.action}
      />
      {entry !== undefined && chosen.action === 'publish' && (
        <VersionField entryId={entry.id} onChange={(version) => change({ version })} value={chosen.version} />
      )}
    </>
  );
}

function MediaFields({ onChange }: FieldsProps) {
  const [files, setFiles] = useState<{ readonly old?: Asset; readonly next?: Asset }>({});
  const change = (part: typeof files): void => {
    const now = { ...files, ...part };
    setFiles(now);
    const [assetId, replacementAssetId] = [now.old?.id, now.next?.id];
    onChange(
      assetId === undefined || replacementAssetId === undefined
        ? undefined
        : { kind: 'media', assetId, replacementAssetId },
    );
  };
  const picker = (part: 'old' | 'next') => (close: () => void) => (
    <AssetPicker
      onChoice={(asset) => {
        change({ [part]: asset });
        close();
      }}
      onClose={close}
      types={undefined}
    />
  );
  return (
    <>
      <ChosenField label="field.file" name={files.old?.fileName} picker={picker('old')} />
      <ChosenField label="field.newFile" name={files.next?.fileName} picker={picker('next')} />
    </>
  );
}

function TreeMoveFields({ onChange }: FieldsProps) {
  const { sites } = useProject();
  const [site, setSite] = useState(sites[0]);
  const [place, setPlace] = useState<{
    readonly nodeId?: string | undefined;
    readonly parentId?: string | undefined;
  }>({});
  const change = (part: typeof place): void => {
    const { nodeId, parentId } = { ...place, ...part };
    setPlace({ nodeId, parentId });
    onChange(nodeId === undefined ? undefined : { kind: 'treeMove', nodeId, parentId: parentId ?? null });
  };
  if (site === undefined) return null;
  const nodes = { site, locale: undefined };
  return (
    <>
      <SiteField
        onChange={(next) => {
          setSite(next);
          change({ nodeId: undefined, parentId: undefined });
        }}
        site={site}
      />
      <TreePlaceField
        {...nodes}
        label={say('field.node')}
        none={say('chooseNode')}
        onChange={(nodeId) => change({ nodeId })}
        value={place.nodeId}
      />
      <TreePlaceField
        {...nodes}
        label={say('field.parent')}
        none={t('place.top')}
        onChange={(parentId) => change({ parentId })}
        value={place.parentId}
      />
    </>
  );
}

const kinds = { entry: EntryFields, treeMove: TreeMoveFields, redirect: RedirectFields, media: MediaFields };
type Kind = keyof typeof kinds;

interface Props {
  readonly release: Release;
  readonly onClose: () => void;
}

/** Adds a change of any kind to the release. */
export function NewItemDialog({ release: { id }, onClose }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [kind, setKind] = useState<Kind>('entry');
  const [item, setItem] = useState<NewItem>();
  const { isBusy, failure, run } = useCall();
  const needs = {
    entry: 'entries.list',
    treeMove: 'tree.get',
    redirect: 'redirects.list',
    media: 'media.list',
  } as const;
  const Fields = kinds[kind];
  const add = (): Promise<void> =>
    run(async () => {
      if (item === undefined) return;
      await client.releases.addItems.mutate({ projectSlug, id, items: [item] });
      notify(say('itemAdded'));
      onClose();
      await refreshReleases();
    });
  return (
    <Dialog onClose={onClose} title={say('addItem')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <SelectField
          label={say('field.kind')}
          onChange={(next) => {
            setItem(undefined);
            setKind(next);
          }}
          options={(Object.keys(kinds) as Kind[])
            .filter((one) => may(needs[one]))
            .map((value) => ({ value, label: say(`kind.${value}`) }))}
          value={kind}
        />
        <Fields key={kind} onChange={setItem} />
        <DialogFooter
          disabled={isBusy || item === undefined}
          onCancel={onClose}
          refusal={failure?.problem}
          run={say('add')}
        />
      </form>
    </Dialog>
  );
}

import { useEffect, useState } from 'react';
import { client } from '../../api/client.js';
import type { Failure } from '../../api/failure.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { FolderSelect } from '../library/folder-select.js';
import { refreshMedia, rememberAsset, useFolders, type Folder } from '../media-queries.js';

/** Tags as they are typed, with commas between them; repeated ones count once. */
export const readTags = (text: string): string[] => [
  ...new Set(text.split(',').flatMap((tag) => tag.trim() || [])),
];

const visibilities = ['public', 'private'] as const;

/** The values of the form; tags as they are typed. */
interface Values {
  readonly fileName: string;
  readonly folderId: string | null;
  readonly tags: string;
  readonly visibility: Asset['visibility'];
  readonly siteIds: readonly string[];
}

const valuesOf = ({ fileName, folderId, tags, visibility, siteIds }: Asset): Values => ({
  fileName,
  folderId,
  visibility,
  siteIds,
  tags: tags.join(', '),
});

interface PartProps {
  readonly values: Values;
  readonly isReadOnly: boolean;
  readonly onEdit: (edit: Partial<Values>) => void;
}

/** Where there is one site, there is nothing to choose. */
function SiteChecks({ values: { siteIds }, isReadOnly, onEdit }: PartProps) {
  const { sites } = useProject();
  if (sites.length < 2) return null;
  const toggle = (id: string): void =>
    onEdit({ siteIds: siteIds.includes(id) ? siteIds.filter((one) => one !== id) : [...siteIds, id] });
  return (
    <fieldset className="field" disabled={isReadOnly}>
      <legend className="label">{t('media.sites')}</legend>
      {sites.map(({ id, name }) => (
        <label className="row tight" key={id}>
          <input checked={siteIds.includes(id)} onChange={() => toggle(id)} type="checkbox" />
          {name}
        </label>
      ))}
      <span className="hint">{t('media.sitesHint')}</span>
    </fieldset>
  );
}

function VisibilitySelect({ values, isReadOnly, onEdit }: PartProps) {
  return (
    <label className="field">
      <span className="label">{t('media.visibility')}</span>
      <select
        className="select"
        disabled={isReadOnly}
        onChange={({ target }) => {
          const visibility = visibilities.find((one) => one === target.value);
          if (visibility !== undefined) onEdit({ visibility });
        }}
        value={values.visibility}
      >
        {visibilities.map((one) => (
          <option key={one} value={one}>
            {t(`media.${one}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SaveRowProps {
  readonly label: string;
  readonly failure: Failure | undefined;
  readonly isDisabled: boolean;
}

/** The end of a form of the file: why it was not saved, and the button for those who may. */
export function SaveRow({ label, failure, isDisabled }: SaveRowProps) {
  const { may } = useProject();
  return (
    <>
      <p aria-live="polite" className="problem">
        {failure?.problem}
      </p>
      {may('media.update') && (
        <div className="row">
          <button className="button primary" disabled={isDisabled} type="submit">
            {label}
          </button>
        </div>
      )}
    </>
  );
}

interface Props {
  readonly asset: Asset;
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

/** What all locales share. A select shows the folder of the asset only once its option is there. */
export const AssetProperties = (props: Props) => (
  <Loaded query={useFolders()}>{(folders) => <PropertyForm {...props} folders={folders} />}</Loaded>
);

/** What was typed is kept while the asset changes otherwise. */
function PropertyForm({ asset, folders, onUnsaved }: Props & { readonly folders: readonly Folder[] }) {
  const { slug: projectSlug, environment, may } = useProject();
  const { isBusy, failure, run } = useCall();
  const [edits, setEdits] = useState<Partial<Values>>({});
  const isReadOnly = !may('media.update');
  const saved = valuesOf(asset);
  const values = { ...saved, ...edits };
  const isUnsaved = JSON.stringify(values) !== JSON.stringify(saved);
  useEffect(() => {
    onUnsaved(isUnsaved);
  }, [isUnsaved, onUnsaved]);
  const onEdit = (edit: Partial<Values>): void => setEdits({ ...edits, ...edit });
  const update = async (): Promise<void> => {
    const { id, version } = asset;
    const { tags, siteIds, ...others } = edits;
    try {
      const { data } = await client.media.update.mutate({
        projectSlug,
        id,
        version,
        ...others,
        ...(tags !== undefined && { tags: readTags(tags) }),
        ...(siteIds !== undefined && { siteIds: [...siteIds] }),
      });
      rememberAsset({ projectSlug, environment }, data);
      setEdits((now) => (now === edits ? {} : now));
      notify(t('media.propertiesSaved'));
    } finally {
      void refreshMedia();
    }
  };
  return (
    <form
      aria-labelledby="asset-properties"
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(update);
      }}
    >
      <h2 className="group-title" id="asset-properties">
        {t('media.properties')}
      </h2>
      <label className="field">
        <span className="label">{t('media.fileName')}</span>
        <input
          className="input"
          maxLength={200}
          onChange={({ target }) => onEdit({ fileName: target.value })}
          readOnly={isReadOnly}
          required
          value={values.fileName}
        />
      </label>
      <FolderSelect
        folders={folders}
        isReadOnly={isReadOnly}
        label={t('media.folder')}
        onChange={(folderId) => onEdit({ folderId })}
        value={values.folderId}
      />
      <label className="field">
        <span className="label">{t('media.tags')}</span>
        <input
          className="input"
          onChange={({ target }) => onEdit({ tags: target.value })}
          readOnly={isReadOnly}
          value={values.tags}
        />
        <span className="hint">{t('media.tagsHint')}</span>
      </label>
      <VisibilitySelect isReadOnly={isReadOnly} onEdit={onEdit} values={values} />
      <SiteChecks isReadOnly={isReadOnly} onEdit={onEdit} values={values} />
      <SaveRow failure={failure} isDisabled={isBusy || !isUnsaved} label={t('media.saveProperties')} />
    </form>
  );
}

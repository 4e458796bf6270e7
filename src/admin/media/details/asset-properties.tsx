import { client } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { FolderSelect } from '../library/folder-select.js';
import { refreshMedia, rememberAsset, useFolders, type Folder } from '../media-queries.js';
import { readTags } from '../tags.js';

const visibilities = ['public', 'private'] as const;

interface Props {
  readonly asset: Asset;
}

/** Where there is one site, there is nothing to choose. */
function SiteChecks({ asset, isReadOnly }: Props & { readonly isReadOnly: boolean }) {
  const { sites } = useProject();
  if (sites.length < 2) return null;
  return (
    <fieldset className="field" disabled={isReadOnly}>
      <legend className="label">{t('media.sites')}</legend>
      {sites.map(({ id, name }) => (
        <label className="row tight" key={id}>
          <input defaultChecked={asset.siteIds.includes(id)} name="site" type="checkbox" value={id} />
          {name}
        </label>
      ))}
      <span className="hint">{t('media.sitesHint')}</span>
    </fieldset>
  );
}

function VisibilitySelect({ asset, isReadOnly }: Props & { readonly isReadOnly: boolean }) {
  return (
    <label className="field">
      <span className="label">{t('media.visibility')}</span>
      <select className="select" defaultValue={asset.visibility} disabled={isReadOnly} name="visibility">
        {visibilities.map((one) => (
          <option key={one} value={one}>
            {t(`media.${one}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What all locales share. A select shows the folder of the asset only once its option is there. */
export const AssetProperties = ({ asset }: Props) => (
  <Loaded query={useFolders()}>{(folders) => <PropertyForm asset={asset} folders={folders} />}</Loaded>
);

function PropertyForm({ asset, folders }: Props & { readonly folders: readonly Folder[] }) {
  const { slug: projectSlug, environment, may, sites } = useProject();
  const { isBusy, failure, run } = useCall();
  const isReadOnly = !may('media.update');
  const update = async (form: FormData): Promise<void> => {
    const { id, version } = asset;
    try {
      const { data } = await client.media.update.mutate({
        ...{ projectSlug, id, version },
        fileName: form.get('fileName') as string,
        folderId: (form.get('folder') as string) || null,
        tags: readTags(form.get('tags') as string),
        visibility: visibilities.find((one) => one === form.get('visibility')),
        ...(sites.length > 1 && { siteIds: form.getAll('site') as string[] }),
      });
      rememberAsset({ projectSlug, environment }, data);
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
        const form = new FormData(event.currentTarget);
        void run(() => update(form));
      }}
    >
      <h2 className="group-title" id="asset-properties">
        {t('media.properties')}
      </h2>
      <label className="field">
        <span className="label">{t('media.fileName')}</span>
        <input
          className="input"
          defaultValue={asset.fileName}
          maxLength={200}
          name="fileName"
          readOnly={isReadOnly}
          required
        />
      </label>
      <FolderSelect
        folders={folders}
        isReadOnly={isReadOnly}
        label={t('media.folder')}
        value={asset.folderId}
      />
      <label className="field">
        <span className="label">{t('media.tags')}</span>
        <input className="input" defaultValue={asset.tags.join(', ')} name="tags" readOnly={isReadOnly} />
        <span className="hint">{t('media.tagsHint')}</span>
      </label>
      <VisibilitySelect asset={asset} isReadOnly={isReadOnly} />
      <SiteChecks asset={asset} isReadOnly={isReadOnly} />
      <p aria-live="polite" className="problem">
        {failure?.issues[0]?.message ?? failure?.message}
      </p>
      {!isReadOnly && (
        <div className="row">
          <button className="button primary" disabled={isBusy} type="submit">
            {t('media.saveProperties')}
          </button>
        </div>
      )}
    </form>
  );
}

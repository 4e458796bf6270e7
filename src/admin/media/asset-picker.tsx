import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { api, client } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { useProject, type Asset } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { DropArea } from '../ui/drop-area.js';
import { FileButton } from '../ui/file-button.js';
import { Icon } from '../ui/icon.js';
import { Picker } from '../ui/picker.js';
import { useDelayed } from '../ui/hooks.js';
import { AssetLine } from './asset-card.js';
import { UploadList } from './uploads/upload-area.js';
import { discardUpload, uploadFiles } from './uploads/upload-queue.js';
import { useUploads } from './uploads/upload-store.js';

interface Props {
  /** Media types such as `image/*`; absent: all. */
  readonly types: readonly string[] | undefined;
  readonly onChoice: (asset: Asset) => void;
  readonly onClose: () => void;
}

const SHOWN = 24;

/** The list filters by the beginning of one media type; of several, the service checks the choice when it is saved. */
const mimeTypeFilter = (types: readonly string[] | undefined): { mimeType?: string } => {
  const [type, ...others] = types ?? [];
  return type === undefined || others.length > 0 ? {} : { mimeType: type.replace(/\*$/, '') };
};

/** A file without a known type is left for the service to judge. */
const isOfKind = ({ type }: File, types: readonly string[] | undefined): boolean =>
  types === undefined ||
  type === '' ||
  types.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one));

/** Files are uploaded in place: one that was uploaded alone is chosen. They are chosen, dropped or pasted. */
function UploadInPlace({ types, onChoice }: Omit<Props, 'onClose'>) {
  const { slug: projectSlug, environment } = useProject();
  const [keys, setKeys] = useState<readonly number[]>([]);
  const [problem, setProblem] = useState('');
  const uploads = useUploads().filter(({ key }) => keys.includes(key));
  const start = (files: readonly File[]): void => {
    const refused = files.filter((file) => !isOfKind(file, types));
    setProblem(
      refused.length === 0
        ? ''
        : t('upload.wrongKind', { names: refused.map(({ name }) => name).join(', ') }),
    );
    if (files.length === 0 || refused.length > 0) return;
    setKeys([...keys, ...uploadFiles(files, { projectSlug, environment, folderId: undefined })]);
  };
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    start(files);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event);
    window.addEventListener('paste', listen);
    return () => window.removeEventListener('paste', listen);
  }, []);
  const [only, ...others] = uploads;
  const chosen = others.length === 0 ? only?.assetId : undefined;
  const choose = useEffectEvent(async (id: string) => {
    try {
      const { data } = await client.media.get.query({ projectSlug, id });
      onChoice(data);
      if (only !== undefined) void discardUpload(only);
    } catch (error) {
      setProblem(failureOf(error).message);
    }
  });
  useEffect(() => {
    if (chosen !== undefined) void choose(chosen);
  }, [chosen]);
  return (
    <DropArea label={t('upload.pick')} onFiles={start}>
      <div className="row">
        <FileButton
          {...(types !== undefined && { accept: types.join(',') })}
          inputLabel={t('upload.choose')}
          isMultiple
          onFiles={start}
        >
          <Icon name="up" />
          {t('upload.pick')}
        </FileButton>
        <span className="soft wide-only">{t('upload.pickHint')}</span>
      </div>
      <p aria-live="polite" className="problem">
        {problem}
      </p>
      <UploadList isLinked={false} uploads={uploads} />
    </DropArea>
  );
}

/** Finds a file of the library by its name or title, or uploads a new one. */
export function AssetPicker({ types, onChoice, onClose }: Props) {
  const { slug, may } = useProject();
  const [typed, setTyped] = useState('');
  const q = useDelayed(typed.trim());
  const query = useQuery(
    api.media.list.queryOptions(
      { projectSlug: slug, limit: SHOWN, ...mimeTypeFilter(types), ...(q !== '' && { q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Picker
      onChoice={onChoice}
      onClose={onClose}
      query={query}
      typed={typed}
      actions={may('mediaUploads.create') && <UploadInPlace onChoice={onChoice} types={types} />}
      isWide
      onType={setTyped}
      title={t('pick.asset')}
    >
      {(asset) => <AssetLine asset={asset} />}
    </Picker>
  );
}

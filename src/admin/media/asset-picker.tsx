import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { useProject, type Asset } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Picker } from '../ui/picker.js';
import { useDelayed } from '../ui/use-delayed.js';
import { AssetLine } from './asset-card.js';

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

/** Finds a file of the library by its name or title. */
export function AssetPicker({ types, onChoice, onClose }: Props) {
  const { slug } = useProject();
  const [typed, setTyped] = useState('');
  const q = useDelayed(typed.trim());
  const query = useQuery(
    api.media.list.queryOptions(
      { ...{ projectSlug: slug, limit: SHOWN }, ...mimeTypeFilter(types), ...(q !== '' && { q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Picker {...{ onChoice, onClose, query, typed }} isWide onType={setTyped} title={t('pick.asset')}>
      {(asset) => <AssetLine asset={asset} />}
    </Picker>
  );
}

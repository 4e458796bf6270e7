import { useQueries } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.js';
import { typeOf, useProject } from '../api/project-data.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { t } from '../texts/index.js';
import type { PaletteOption } from './option.js';
import { recentItems } from './recent-items.js';

/** What was opened last besides what is open now, as it is called now. What was deleted since, or may not be read any more, is left out. */
export function useRecentOptions(): PaletteOption[] {
  const project = useProject();
  const { slug: projectSlug, environment, may } = project;
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [items] = useState(() =>
    recentItems(projectSlug, environment).filter(({ id }) => !path.endsWith(`/${id}`)),
  );
  const idsOf = (kind: string): string[] => items.filter((item) => item.kind === kind).map(({ id }) => id);
  const entries = useQueries({
    queries: idsOf('entry').map((id) =>
      api.entries.get.queryOptions({ projectSlug, id }, { retry: false, enabled: may('entries.get') }),
    ),
  });
  const assets = useQueries({
    queries: idsOf('asset').map((id) =>
      api.media.get.queryOptions({ projectSlug, id }, { retry: false, enabled: may('media.get') }),
    ),
  });
  const params = { project: projectSlug, environment };
  const ofEntries = entries.flatMap(({ data }): PaletteOption[] => {
    if (data === undefined) return [];
    const { id, contentTypeApiName, status } = data.data;
    const type = typeOf(project, contentTypeApiName);
    return [
      {
        key: id,
        icon: 'entry',
        title: titleOf(data.data, type),
        note: (
          <>
            <span className="soft small">{type?.name ?? contentTypeApiName}</span>
            <StatusBadge status={status} />
          </>
        ),
        run: () =>
          void navigate({
            to: '/$project/$environment/entries/$entry',
            params: { ...params, entry: id },
            search: { locale: undefined },
          }),
      },
    ];
  });
  const ofAssets = assets.flatMap(({ data }): PaletteOption[] =>
    data === undefined
      ? []
      : [
          {
            key: data.data.id,
            icon: 'file',
            title: data.data.fileName,
            note: <span className="soft small">{t('palette.file')}</span>,
            run: () =>
              void navigate({
                to: '/$project/$environment/media/$asset',
                params: { ...params, asset: data.data.id },
              }),
          },
        ],
  );
  const placeOf = ({ key }: PaletteOption): number => items.findIndex(({ id }) => id === key);
  return [...ofEntries, ...ofAssets].sort((one, other) => placeOf(one) - placeOf(other));
}

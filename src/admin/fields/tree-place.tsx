import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { client } from '../api/client.js';
import { useProject, type Site } from '../api/project-data.js';
import { t } from '../texts/index.js';

interface Props {
  readonly site: Site;
  readonly locale: string | undefined;
  /** Id of the node above; undefined for none. */
  readonly value: string | undefined;
  /** What no node above means, such as the top of the tree. */
  readonly none: string;
  readonly label?: string;
  readonly onChange: (parentId: string | undefined) => void;
}

const LEVELS = 4;

/** Where an entry is in the tree of its site: below one of the nodes of the first levels. */
export function TreePlaceField({ site, locale, value, none, label, onChange }: Props) {
  const id = useId();
  const { slug: projectSlug, may } = useProject();
  const input = {
    projectSlug,
    siteSlug: site.slug,
    flat: true,
    depth: LEVELS,
    ...(locale !== undefined && { locale }),
  };
  const { data = [] } = useQuery({
    queryKey: [['tree'], 'places', input],
    queryFn: async () => (await client.tree.get.query(input)).data.filter(({ type }) => type !== 'link'),
    enabled: may('tree.get'),
    retry: false,
  });
  if (!may('tree.get')) return null;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label ?? t('place.label')}
      </label>
      <select
        className="select"
        id={id}
        onChange={({ target }) => onChange(target.value || undefined)}
        value={value ?? ''}
      >
        <option value="">{none}</option>
        {data.map((node) => (
          <option key={node.id} value={node.id}>
            {'\u2003'.repeat(node.depth)}
            {node.name || t('entry.untitled')}
          </option>
        ))}
      </select>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { api } from '../api/client.js';
import { typeOf, useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Empty, Loaded } from '../ui/states.js';
import { DeletedEntry } from './actions/deleted-entry.js';
import { EntryForm } from './entry-form.js';

/** One entry in one locale; another locale is another form. */
export function EntryScreen() {
  const project = useProject();
  const { entry: id } = useParams({ from: '/$project/$environment/entries/$entry' });
  const { locale } = useSearch({ from: '/$project/$environment/entries/$entry' });
  const query = useQuery(
    api.entries.get.queryOptions(
      { projectSlug: project.slug, id, deleted: true, ...(locale !== undefined && { locale }) },
      { refetchOnWindowFocus: false, staleTime: 0, gcTime: 0 },
    ),
  );
  return (
    <Loaded query={query}>
      {({ data }) => {
        const type = typeOf(project, data.contentTypeApiName);
        if (type === undefined) return <Empty title={t('app.notFound')} />;
        if (data.deletedAt !== null) return <DeletedEntry entry={data} type={type} />;
        return <EntryForm entry={data} key={`${data.id} ${data.locale}`} type={type} />;
      }}
    </Loaded>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';

const SHOWN = 50;

/** The fields of entries that show the file. */
export function AssetUses({ asset: { id } }: { readonly asset: Asset }) {
  const { slug: projectSlug, environment } = useProject();
  const query = useQuery(api.media.listReferences.queryOptions({ projectSlug, id, limit: SHOWN }));
  return (
    <section aria-labelledby="asset-uses" className="stack">
      <h2 className="group-title" id="asset-uses">
        {t('media.uses')}
      </h2>
      <Loaded query={query}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">{t('media.noUses')}</p>
          ) : (
            <ul className="versions">
              {data.map((use) => (
                <li className="version" key={`${use.entryId} ${use.fieldApiName} ${use.locale ?? ''}`}>
                  <p className="row">
                    <Link
                      className="row-link grow clip"
                      params={{ project: projectSlug, environment, entry: use.entryId }}
                      search={{ locale: use.locale ?? undefined }}
                      to="/$project/$environment/entries/$entry"
                    >
                      {use.title}
                    </Link>
                    {use.inPublished && <span className="badge published">{t('status.published')}</span>}
                    {use.inDraft && <span className="badge">{t('status.draft')}</span>}
                  </p>
                  <p className="small soft">
                    {[use.fieldApiName, ...(use.locale === null ? [] : [localeName(use.locale)])].join(' · ')}
                  </p>
                </li>
              ))}
              {meta.total > data.length && (
                <li className="soft small">{t('media.moreUses', { count: meta.total - data.length })}</li>
              )}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

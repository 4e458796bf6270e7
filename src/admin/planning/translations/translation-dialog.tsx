import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { plainPath } from '../../editor/paths.js';
import { ValueView } from '../../editor/value-view.js';
import { localeName, t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { TranslationForm } from './translation-form.js';
import { XliffButtons } from './xliff-buttons.js';

type TranslationWork = Outputs['translations']['get']['data']['locales'][number];

interface Props {
  readonly entryId: string;
  readonly locale: string;
  readonly onClose: () => void;
}

/** The source of outdated fields, as it was translated and as it is published now. */
function Outdated({ work: { outdated, staleComment } }: { readonly work: TranslationWork }) {
  return (
    <>
      {staleComment !== null && <p className="notice">{staleComment}</p>}
      {outdated.map(({ field, then, now }) => (
        <section className="field" key={field}>
          <h3>{t('translation.outdated', { field: plainPath(field) })}</h3>
          <div className="versus">
            <div>
              <p className="small soft">{t('translation.then')}</p>
              <ValueView other={now} value={then} />
            </div>
            <div>
              <p className="small soft">{t('translation.now')}</p>
              <ValueView other={then} value={now} />
            </div>
          </div>
        </section>
      ))}
    </>
  );
}

/** One translation: who does it until when, what is outdated, and its exchange with translation tools. */
export function TranslationDialog({ entryId, locale, onClose }: Props) {
  const { slug, environment } = useProject();
  const query = useQuery(
    api.translations.get.queryOptions({ projectSlug: slug, entryId }, { staleTime: 0, retry: false }),
  );
  return (
    <Dialog
      isWide
      onClose={onClose}
      title={`${query.data?.data.title ?? t('app.loading')} · ${localeName(locale)}`}
    >
      <Loaded query={query}>
        {({ data: { locales } }) => {
          const work = locales.find((one) => one.locale === locale);
          if (work === undefined) return <p>{t('translation.source')}</p>;
          return (
            <>
              <div className="row">
                <Link
                  className="button primary"
                  params={{ project: slug, environment, entry: entryId }}
                  search={{ locale }}
                  to="/$project/$environment/entries/$entry"
                >
                  {t('translation.write')}
                </Link>
                <XliffButtons entryId={entryId} locale={locale} />
              </div>
              <Outdated work={work} />
              <TranslationForm
                entryId={entryId}
                key={`${work.updatedAt} ${work.status}`}
                onSaved={onClose}
                work={work}
              />
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

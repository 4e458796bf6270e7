import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Outputs, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { plainPath } from '../../editor/paths.js';
import { ValueView } from '../../editor/value-view.js';
import { localeName, t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { TranslationForm } from './translation-form.js';
import { useRef } from 'react';
import { download } from '../../ui/download.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshWork } from '../tasks/use-tasks.js';

interface XliffButtonsProps {
  readonly entryId: string;
  readonly locale: string;
}

type Report = Outputs['translations']['import']['data'];

const MEDIA_TYPE = 'application/xliff+xml';

/** How many fields were written, and what was left out. */
function reportText({ appliedFields, units }: Report): string {
  const left = units.filter(({ outcome }) => outcome !== 'applied').length;
  return left === 0
    ? t('xliff.imported', { count: appliedFields.length })
    : t('xliff.importedPartly', { count: appliedFields.length, left });
}

/** Exchange of one translation with a translation tool. */
function XliffButtons({ entryId, locale }: XliffButtonsProps) {
  const { slug: projectSlug, may } = useProject();
  const input = useRef<HTMLInputElement>(null);
  const attempt = (work: () => Promise<void>): void => {
    work().catch(notifyFailure).finally(refreshWork);
  };
  const save = async (): Promise<void> => {
    const { data } = await client.translations.export.query({
      projectSlug,
      entryId,
      locale,
      source: 'draft',
    });
    download(data.fileName, MEDIA_TYPE, data.xliff);
  };
  const load = async (file: File): Promise<void> => {
    const xliff = await file.text();
    const { data } = await client.translations.import.mutate({ projectSlug, entryId, locale, xliff });
    notify(reportText(data));
  };
  const suggest = async (): Promise<void> => {
    const { data } = await client.translations.suggest.mutate({
      projectSlug,
      entryId,
      locale,
      source: 'draft',
    });
    notify(reportText(data));
  };
  return (
    <>
      <button className="button" onClick={() => attempt(save)} type="button">
        {t('xliff.export')}
      </button>
      {may('translations.import') && (
        <button className="button" onClick={() => input.current?.click()} type="button">
          {t('xliff.import')}
        </button>
      )}
      {may('translations.suggest') && (
        <button className="button" onClick={() => attempt(suggest)} type="button">
          {t('xliff.suggest')}
        </button>
      )}
      <input
        accept=".xlf,.xliff"
        aria-label={t('xliff.file')}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) attempt(() => load(file));
          target.value = '';
        }}
        ref={input}
        type="file"
      />
    </>
  );
}

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

import { useRef } from 'react';
import { client, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { download } from '../../ui/download.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshWork } from '../tasks/use-tasks.js';

interface Props {
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
export function XliffButtons({ entryId, locale }: Props) {
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
      ...{ projectSlug, entryId, locale },
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

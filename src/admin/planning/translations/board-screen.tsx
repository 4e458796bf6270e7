import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { localesOf, useProject } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { Empty } from '../../ui/states.js';
import { PersonOptions } from '../person-options.js';
import { BoardColumn } from './board-column.js';
import type { BoardSearch } from '../../routes/searches.js';
import { ImportDialog } from './import-dialog.js';
import { priorities, translationStatuses, translationText, type TranslationStatus } from './statuses.js';
import { TranslationDialog } from './translation-dialog.js';
import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { fileUrl } from '../../media/media-url.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { JobProgress, untilEnded } from './job-progress.js';

interface Props {
  readonly locale: string;
  /** Only what the board shows is exported. */
  readonly search: BoardSearch;
  readonly onClose: () => void;
}

const usual: readonly TranslationStatus[] = ['missing', 'stale'];

function ExportJob({ jobId }: { readonly jobId: string }) {
  const { slug: projectSlug } = useProject();
  const query = useQuery(
    api.translations.getExport.queryOptions(
      { projectSlug, jobId },
      { refetchInterval: untilEnded, staleTime: 0 },
    ),
  );
  return (
    <JobProgress query={query}>
      {({ url }) =>
        url !== null && (
          <p>
            <a className="button primary" download href={fileUrl(url)}>
              {t('export.download')}
            </a>
          </p>
        )
      }
    </JobProgress>
  );
}

/** An archive of XLIFF files, one for each entry. */
export function ExportDialog({ locale, search, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [jobId, setJobId] = useState<string>();
  const [message, setMessage] = useState('');
  const start = async (form: FormData): Promise<void> => {
    const { type, site, assignee, priority } = search;
    const status = form.getAll('status') as TranslationStatus[];
    if (status.length === 0) return setMessage(t('export.noStatus'));
    try {
      const { data } = await client.translations.startExport.mutate({
        projectSlug,
        targetLocale: locale,
        source: form.get('source') === 'draft' ? 'draft' : 'published',
        filter: {
          status,
          ...(type !== undefined && { contentTypeApiName: [type] }),
          ...(site !== undefined && { siteId: [site] }),
          ...(assignee !== undefined && { assigneeId: [assignee] }),
          ...(priority !== undefined && { priority: [priority] }),
        },
      });
      setJobId(data.jobId);
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.problem);
    }
  };
  return (
    <Dialog onClose={onClose} title={t('export.title', { locale: localeName(locale) })}>
      {jobId !== undefined ? (
        <ExportJob jobId={jobId} />
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void start(new FormData(event.currentTarget));
          }}
        >
          <p>{t('export.hint')}</p>
          <fieldset className="field">
            <legend className="label">{t('list.status')}</legend>
            {translationStatuses.map((status) => (
              <label className="row tight" key={status}>
                <input defaultChecked={usual.includes(status)} name="status" type="checkbox" value={status} />
                {translationText(status)}
              </label>
            ))}
          </fieldset>
          <label className="field">
            <span className="label">{t('export.source')}</span>
            <select className="select" name="source">
              <option value="published">{t('export.published')}</option>
              <option value="draft">{t('export.draft')}</option>
            </select>
          </label>
          <DialogFooter refusal={message} run={t('export.start')} />
        </form>
      )}
    </Dialog>
  );
}

interface FilterProps {
  readonly search: BoardSearch;
  readonly locale: string;
  readonly onChange: (search: BoardSearch) => void;
}

function Filters({ search, locale, onChange }: FilterProps) {
  const project = useProject();
  return (
    <div className="filters row">
      <select
        aria-label={t('board.locale')}
        className="select compact"
        onChange={({ target }) => onChange({ ...search, locale: target.value })}
        value={locale}
      >
        {localesOf(project).map((one) => (
          <option key={one} value={one}>
            {localeName(one)}
          </option>
        ))}
      </select>
      <Choice label={t('list.type')} onChange={(type) => onChange({ ...search, type })} value={search.type}>
        {project.types
          .filter(({ isBlock }) => !isBlock)
          .map(({ apiName, name }) => (
            <option key={apiName} value={apiName}>
              {name}
            </option>
          ))}
      </Choice>
      {project.sites.length > 1 && (
        <Choice label={t('list.site')} onChange={(site) => onChange({ ...search, site })} value={search.site}>
          {project.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <Choice
        label={t('planning.assignee')}
        onChange={(assignee) => onChange({ ...search, assignee })}
        value={search.assignee}
      >
        <PersonOptions />
      </Choice>
      <Choice
        label={t('planning.priority')}
        onChange={(chosen) =>
          onChange({ ...search, priority: priorities.find((priority) => priority === chosen) })
        }
        value={search.priority}
      >
        {priorities.map((priority) => (
          <option key={priority} value={priority}>
            {t(`priority.${priority}`)}
          </option>
        ))}
      </Choice>
    </div>
  );
}

/** What there is to translate into a locale, by the state of the work. */
export function BoardScreen() {
  const project = useProject();
  const search = useSearch({ from: '/$project/$environment/translations' });
  const navigate = useNavigate({ from: '/$project/$environment/translations' });
  const [opened, setOpened] = useState<string>();
  const [exchange, setExchange] = useState<'export' | 'import'>();
  const sources = new Set(project.sites.map(({ defaultLocale }) => defaultLocale));
  const locales = localesOf(project);
  const locale = search.locale ?? locales.find((one) => !sources.has(one)) ?? locales[0] ?? '';
  if (locales.length < 2) return <Empty hint={t('board.oneLocaleHint')} title={t('board.oneLocale')} />;
  const close = (): void => setExchange(undefined);
  return (
    <div className="planning-screen">
      <header className="screen-head row">
        <h1 className="grow">{t('board.title')}</h1>
        <button className="button" onClick={() => setExchange('export')} type="button">
          {t('board.export')}
        </button>
        {project.may('translations.startImport') && (
          <button className="button" onClick={() => setExchange('import')} type="button">
            {t('board.import')}
          </button>
        )}
      </header>
      <Filters
        locale={locale}
        onChange={(next) => void navigate({ search: next, replace: true })}
        search={search}
      />
      <div className="work-board">
        {translationStatuses.map((status) => (
          <BoardColumn
            key={`${status} ${locale}`}
            locale={locale}
            onOpen={setOpened}
            search={search}
            status={status}
          />
        ))}
      </div>
      {opened !== undefined && (
        <TranslationDialog entryId={opened} locale={locale} onClose={() => setOpened(undefined)} />
      )}
      {exchange === 'export' && <ExportDialog locale={locale} onClose={close} search={search} />}
      {exchange === 'import' && <ImportDialog onClose={close} />}
    </div>
  );
}

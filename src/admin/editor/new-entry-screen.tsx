import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { typeOf, useProject, type ContentType, type Site } from '../api/project-data.js';
import { t, formatTime, localeName } from '../texts/index.js';
import { Empty } from '../ui/states.js';
import { useState } from 'react';
import { CreationContext } from '../fields/creation.js';
import { TreePlaceField } from '../fields/tree-place.js';
import { useKeptNewDraft } from './autosave/use-kept-draft.js';
import { firstCreation } from './create/new-entry-dialog.js';
import { useNewEntry } from './create/use-new-entry.js';
import { FieldForm } from './field-form.js';
import { LeaveGuard } from './leave-guard.js';
import { directionOf } from './locales/direction.js';
import { PlaceContext } from './place.js';
import { ProblemList, useProblemFocus } from './problem-list.js';
import { useSaveKey } from '../ui/hooks.js';

interface Props {
  readonly type: ContentType;
  readonly site: Site;
  readonly locale: string;
  readonly onPlace: (place: { readonly site: string; readonly locale: string }) => void;
}

function PlaceRow({ type, site, locale, onPlace }: Props) {
  const { sites } = useProject();
  return (
    <>
      {sites.length > 1 && (
        <select
          aria-label={t('entry.site')}
          className="select compact"
          onChange={({ target }) => onPlace({ site: target.value, locale })}
          value={site.id}
        >
          {sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {type.isLocalized && site.locales.length > 1 && (
        <select
          aria-label={t('entry.locale')}
          className="select compact"
          onChange={({ target }) => onPlace({ site: site.id, locale: target.value })}
          value={locale}
        >
          {site.locales.map((one) => (
            <option key={one} value={one}>
              {localeName(one)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

interface RecoveredProps {
  readonly time: Parameters<typeof formatTime>[0];
  readonly onStartEmpty: () => void;
}

function RecoveredNotice({ time, onStartEmpty }: RecoveredProps) {
  return (
    <div className="notice" dir="ltr" role="status">
      <span className="grow">{t('recovery.recovered', { time: formatTime(time) })}</span>
      <button className="button" onClick={onStartEmpty} type="button">
        {t('recovery.startEmpty')}
      </button>
    </div>
  );
}

function NewEntryForm({ type, site, locale, onPlace }: Props) {
  const project = useProject();
  const navigate = useNavigate();
  const place = { siteId: site.id, locale };
  const { draft, problems, refusalCount, isBusy, isDirty, change, create } = useNewEntry(type, place);
  const values = draft.now.fields;
  const { revealed, show } = useProblemFocus({ type, values, problems }, refusalCount);
  const kept = useKeptNewDraft(type.apiName, { draft, change });
  const [parent, setParent] = useState<{ readonly site: string; readonly id: string | undefined }>();
  const parentId = parent?.site === site.id ? parent.id : undefined;
  const createAndOpen = async (): Promise<void> => {
    const created = await create(parentId);
    if (created === undefined) return;
    kept.drop();
    await navigate({
      to: '/$project/$environment/entries/$entry',
      params: { project: project.slug, environment: project.environment, entry: created.id },
      search: { locale },
      ignoreBlocker: true,
      replace: true,
    });
  };
  useSaveKey(() => {
    if (!isBusy) void createAndOpen();
  });
  return (
    <PlaceContext value={place}>
      <header className="editor-head entry-head">
        <div className="head-title">
          <h1 className="grow clip">{t('entry.new', { type: type.name })}</h1>
        </div>
        <div className="head-line">
          <div className="head-strip">
            <PlaceRow locale={locale} onPlace={onPlace} site={site} type={type} />
          </div>
        </div>
        <div className="head-actions">
          <button
            className="button primary"
            disabled={isBusy}
            onClick={() => void createAndOpen()}
            type="button"
          >
            {isBusy ? t('entry.saving') : t('entry.create')}
          </button>
        </div>
      </header>
      <div className="editor">
        <div className="editor-form" dir={directionOf(locale)}>
          <ProblemList type={type} problems={problems} values={values} onShow={show} />
          {kept.recoveredAt !== undefined && (
            <RecoveredNotice time={kept.recoveredAt} onStartEmpty={kept.startEmpty} />
          )}
          <TreePlaceField
            locale={type.isLocalized ? locale : undefined}
            none={t(type.isPage ? 'place.top' : 'place.outside')}
            onChange={(id) => setParent({ site: site.id, id })}
            site={site}
            value={parentId}
          />
          <CreationContext value={firstCreation}>
            <FieldForm
              draft={draft}
              problems={problems}
              revealed={revealed}
              type={type}
              isReadOnly={false}
              onChange={change}
            />
          </CreationContext>
        </div>
      </div>
      <LeaveGuard isDirty={isDirty} onDiscard={kept.drop} />
    </PlaceContext>
  );
}

/** The site and the locale of a new entry are in the address; a change of them keeps what was typed. */
export function NewEntryScreen() {
  const project = useProject();
  const { type: apiName } = useParams({ from: '/$project/$environment/new/$type' });
  const { site: siteId, locale } = useSearch({ from: '/$project/$environment/new/$type' });
  const navigate = useNavigate({ from: '/$project/$environment/new/$type' });
  const type = typeOf(project, apiName);
  const site = project.sites.find(({ id }) => id === siteId) ?? project.sites[0];
  if (type === undefined || site === undefined) return <Empty title={t('app.notFound')} />;
  const isChosen = type.isLocalized && locale !== undefined && site.locales.includes(locale);
  const chosen = isChosen ? locale : site.defaultLocale;
  return (
    <NewEntryForm
      key={apiName}
      locale={chosen}
      onPlace={(place) => void navigate({ search: place, replace: true, ignoreBlocker: true })}
      site={site}
      type={type}
    />
  );
}

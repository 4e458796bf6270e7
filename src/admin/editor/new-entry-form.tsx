import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, queryClient, api } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { projectQuery, useProject, type ContentType, type Site } from '../api/project-data.js';
import { localeName, t } from '../texts/index.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { draftOf, isChanged, type Content } from './draft.js';
import { FieldForm } from './field-form.js';
import { LeaveGuard } from './leave-guard.js';
import { PlaceContext } from './place.js';
import { noProblems, problemsOf, type Problems } from './problems.js';
import { useSaveKey } from './use-save-key.js';

interface Props {
  readonly type: ContentType;
  readonly site: Site;
  readonly locale: string;
  readonly onPlace: (place: { readonly site: string; readonly locale: string }) => void;
}

/** Fields begin with their default values, as they do in the service. */
const blank = ({ fields }: ContentType): Content => ({
  slug: '',
  fields: Object.fromEntries(
    fields.flatMap(({ apiName, defaultValue }) => (defaultValue === null ? [] : [[apiName, defaultValue]])),
  ),
});

function PlaceRow({ site, locale, onPlace }: Omit<Props, 'type'>) {
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
      {site.locales.length > 1 && (
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

export function NewEntryForm({ type, site, locale, onPlace }: Props) {
  const project = useProject();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => draftOf(blank(type)));
  const [problems, setProblems] = useState<Problems>(noProblems);
  const [isBusy, setIsBusy] = useState(false);
  const create = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const { slug, fields } = draft.now;
      const { data } = await client.entries.create.mutate({
        projectSlug: project.slug,
        contentTypeApiName: type.apiName,
        siteId: site.id,
        locale,
        fields,
        ...(slug !== '' && { slug }),
      });
      notify(t('entry.saved'));
      void queryClient.invalidateQueries({ queryKey: api.entries.list.pathKey() });
      void queryClient.invalidateQueries(projectQuery(project.slug, project.environment));
      await navigate({
        to: '/$project/$environment/entries/$entry',
        params: { project: project.slug, environment: project.environment, entry: data.id },
        search: { locale },
        ignoreBlocker: true,
        replace: true,
      });
    } catch (error) {
      setProblems(problemsOf(failureOf(error).issues));
      notifyFailure(error);
      setIsBusy(false);
    }
  };
  useSaveKey(() => {
    if (!isBusy) void create();
  });
  return (
    <PlaceContext value={{ siteId: site.id, locale }}>
      <header className="editor-head">
        <h1 className="grow clip">{t('entry.new', { type: type.name })}</h1>
        <div className="row">
          <PlaceRow locale={locale} onPlace={onPlace} site={site} />
          <button className="button primary" disabled={isBusy} onClick={() => void create()} type="button">
            {isBusy ? t('entry.saving') : t('entry.create')}
          </button>
        </div>
      </header>
      <div className="editor">
        <div className="editor-form">
          <FieldForm draft={draft} isReadOnly={false} onChange={setDraft} problems={problems} type={type} />
        </div>
      </div>
      <LeaveGuard isDirty={isChanged(draft)} />
    </PlaceContext>
  );
}

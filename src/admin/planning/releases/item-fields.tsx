import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, type client, type Outputs } from '../../api/client.js';
import { useProject, type Site } from '../../api/project-data.js';
import { maybeText, t } from '../../texts/index.js';
import { useDelayed } from '../../ui/hooks.js';
import { Picker } from '../../ui/picker.js';
import { say, type ReleaseText } from './release-texts.js';

export type NewItem = Parameters<typeof client.releases.addItems.mutate>[0]['items'][number];
type Redirect = Outputs['redirects']['list']['data'][number];

interface SelectProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

export function SelectField<V extends string>({ label, value, options, onChange }: SelectProps<V>) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select className="select" onChange={({ target }) => onChange(target.value as V)} value={value}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChosenProps {
  readonly label: ReleaseText;
  readonly name: string | undefined;
  /** Shows the dialog in which it is chosen. */
  readonly picker: (close: () => void) => ReactNode;
}

export function ChosenField({ label, name, picker }: ChosenProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div aria-label={say(label)} className="field" role="group">
      <span className="label">{say(label)}</span>
      <div className="linked">
        <span className={name === undefined ? 'soft grow' : 'grow clip'}>{name ?? t('field.none')}</span>
        <button className="button" onClick={() => setIsOpen(true)} type="button">
          {say('choose')}
        </button>
      </div>
      {isOpen && picker(() => setIsOpen(false))}
    </div>
  );
}

export interface FieldsProps {
  /** Undefined while something is missing. */
  readonly onChange: (item: NewItem | undefined) => void;
}

export function SiteField({
  site,
  onChange,
}: {
  readonly site: Site;
  readonly onChange: (site: Site) => void;
}) {
  const { sites } = useProject();
  if (sites.length < 2) return null;
  return (
    <SelectField
      label={say('field.site')}
      onChange={(id) => onChange(sites.find((one) => one.id === id) ?? site)}
      options={sites.map(({ id, name }) => ({ value: id, label: name }))}
      value={site.id}
    />
  );
}

function RedirectPicker(props: {
  readonly onChoice: (redirect: Redirect) => void;
  readonly onClose: () => void;
}) {
  const { slug: projectSlug } = useProject();
  const [typed, setTyped] = useState('');
  const q = useDelayed(typed.trim());
  const input = { projectSlug, limit: 20, ...(q !== '' && { q }) };
  const query = useQuery(api.redirects.list.queryOptions(input, { placeholderData: keepPreviousData }));
  return (
    <Picker {...props} onType={setTyped} query={query} title={say('chooseRedirect')} typed={typed}>
      {({ source, target }) => (
        <span className="grow clip code">
          {source} → {target ?? '–'}
        </span>
      )}
    </Picker>
  );
}

const statuses = [301, 302, 307, 308, 410] as const;
const GONE = 410;

interface RedirectDraft {
  readonly action: 'create' | 'update' | 'delete';
  readonly siteId: string;
  readonly redirect?: Redirect | undefined;
  readonly source: string;
  readonly target: string;
  readonly status: (typeof statuses)[number];
}

/** The item; undefined while something is missing. */
function redirectItem(draft: RedirectDraft): NewItem | undefined {
  const { action, siteId, redirect, status } = draft;
  const [source, target] = [draft.source.trim(), draft.target.trim()];
  if (action !== 'create' && redirect === undefined) return undefined;
  if (action === 'delete') return { kind: 'redirect', action, redirectId: redirect?.id };
  if (source === '' || (target === '' && status !== GONE)) return undefined;
  const values = { source, status, target: status === GONE ? null : target };
  return action === 'create'
    ? { kind: 'redirect', action, redirect: { siteId, ...values } }
    : { kind: 'redirect', action, redirectId: redirect?.id, redirect: values };
}

interface RedirectValuesProps {
  readonly draft: RedirectDraft;
  readonly change: (part: Partial<RedirectDraft>) => void;
}

function RedirectValues({ draft, change }: RedirectValuesProps) {
  const textField = (key: 'source' | 'target') => (
    <label className="field">
      <span className="label">{say(`field.${key}`)}</span>
      <input
        className="input code"
        onChange={({ target }) => change({ [key]: target.value })}
        placeholder="/"
        value={draft[key]}
      />
    </label>
  );
  return (
    <>
      {textField('source')}
      {draft.status !== GONE && textField('target')}
      <SelectField
        label={say('field.status')}
        onChange={(value) => change({ status: statuses.find((one) => String(one) === value) ?? statuses[0] })}
        options={statuses.map((value) => ({
          value: String(value),
          label: maybeText(`option.status.${String(value)}`) ?? String(value),
        }))}
        value={String(draft.status)}
      />
    </>
  );
}

/** A redirect that is created, changed or deleted. */
export function RedirectFields({ onChange }: FieldsProps) {
  const { sites } = useProject();
  const [draft, setDraft] = useState<RedirectDraft>({
    action: 'create',
    siteId: sites[0]?.id ?? '',
    source: '',
    target: '',
    status: statuses[0],
  });
  const change = (part: Partial<RedirectDraft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    onChange(redirectItem(next));
  };
  const { action, redirect, siteId } = draft;
  const site = sites.find(({ id }) => id === siteId);
  return (
    <>
      <SelectField
        label={say('action')}
        onChange={(next) => change({ action: next })}
        options={(['create', 'update', 'delete'] as const).map((value) => ({
          value,
          label: say(`redirect.${value}`),
        }))}
        value={action}
      />
      {action === 'create' && site !== undefined && (
        <SiteField onChange={({ id }) => change({ siteId: id })} site={site} />
      )}
      {action !== 'create' && (
        <ChosenField
          label="field.redirect"
          name={redirect?.source}
          picker={(close) => (
            <RedirectPicker
              onChoice={(picked) => {
                const { source, target, status } = picked;
                change({ redirect: picked, source, target: target ?? '', status });
                close();
              }}
              onClose={close}
            />
          )}
        />
      )}
      {(action === 'create' || (action === 'update' && redirect !== undefined)) && (
        <RedirectValues change={change} draft={draft} />
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '../../../contracts/limits.js';
import { api, client, type Outputs } from '../api/client.js';
import { useProfile } from '../session/profile.js';
import { formatTime, ownTexts, t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { CopyButton } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { ItemList, Loaded } from '../ui/states.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { CurrentPassword, wrongPassword } from './passkeys.js';

type PersonalKey = Outputs['personalKeys']['list']['data'][number];

const text = ownTexts({
  en: {
    title: 'Personal keys',
    hint: 'For scripts of yours. A key may do in one project what you may do there, and ends with your membership.',
    none: 'You have no personal key.',
    ofMembers: 'Personal keys of members',
    ofMembersHint: 'Scripts of members use them with the rights of the member.',
    noneOfMembers: 'No member has a personal key.',
    add: 'Create a personal key',
    name: 'Name of the key',
    project: 'Project',
    reading: 'Reading only',
    expiry: 'Valid for',
    days: '{days} days',
    create: 'Create key',
    secret: 'Secret',
    secretHint: 'The secret is shown only now. Keep it where others cannot read it.',
    kept: 'I have kept it',
    revoke: 'Revoke',
    revokeOf: 'Revoke key: {name}',
    revoked: 'Key revoked',
    active: 'Active',
    expired: 'Expired',
    isRevoked: 'Revoked',
    until: 'Until {time}',
    never: 'Never used',
  },
  de: {
    title: 'Persönliche Schlüssel',
    hint: 'Für Ihre Skripte. Ein Schlüssel darf in einem Projekt, was Sie dort dürfen, und endet mit Ihrer Mitgliedschaft.',
    none: 'Sie haben keinen persönlichen Schlüssel.',
    ofMembers: 'Persönliche Schlüssel von Mitgliedern',
    ofMembersHint: 'Skripte von Mitgliedern benutzen sie mit den Rechten des Mitglieds.',
    noneOfMembers: 'Kein Mitglied hat einen persönlichen Schlüssel.',
    add: 'Persönlichen Schlüssel erstellen',
    name: 'Name des Schlüssels',
    project: 'Projekt',
    reading: 'Nur lesen',
    expiry: 'Gültig für',
    days: '{days} Tage',
    create: 'Schlüssel erstellen',
    secret: 'Geheimnis',
    secretHint:
      'Das Geheimnis wird nur jetzt gezeigt. Bewahren Sie es dort auf, wo andere es nicht lesen können.',
    kept: 'Ich habe es aufbewahrt',
    revoke: 'Widerrufen',
    revokeOf: 'Schlüssel widerrufen: {name}',
    revoked: 'Schlüssel widerrufen',
    active: 'Aktiv',
    expired: 'Abgelaufen',
    isRevoked: 'Widerrufen',
    until: 'Bis {time}',
    never: 'Nie benutzt',
  },
});

const statusText = { active: 'active', expired: 'expired', revoked: 'isRevoked' } as const;

interface ListProps {
  readonly keys: readonly PersonalKey[];
  /** Of whom each key is; absent: who looks at them. */
  readonly isOfMembers?: boolean;
  readonly onRevoke: ((id: string) => Promise<unknown>) | undefined;
}

function KeyList({ keys, isOfMembers = false, onRevoke }: ListProps) {
  const revoke = async (id: string): Promise<void> => {
    try {
      await onRevoke?.(id);
      notify(text('revoked'));
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <ItemList items={keys} none={text(isOfMembers ? 'noneOfMembers' : 'none')}>
      {({ id, name, status, ...key }) => (
        <li className="row own-session" key={id}>
          <span className="grow">
            <strong>{name}</strong> <span className="code soft">…{key.lastFour}</span>{' '}
            <span className={status === 'active' ? 'badge published' : 'badge'}>
              {text(statusText[status])}
            </span>{' '}
            {key.isReadOnly && <span className="badge">{text('reading')}</span>}
            <span className="soft small block">
              {[
                isOfMembers ? key.user.name : key.project.name,
                key.lastUsedAt === null
                  ? text('never')
                  : t('account.lastUsed', { time: formatTime(key.lastUsedAt) }),
                text('until', { time: formatTime(key.expiresAt) }),
              ].join(' · ')}
            </span>
          </span>
          {onRevoke !== undefined && status === 'active' && (
            <button
              aria-label={text('revokeOf', { name })}
              className="button"
              onClick={() => void revoke(id)}
              type="button"
            >
              {text('revoke')}
            </button>
          )}
        </li>
      )}
    </ItemList>
  );
}

const lifetimes = [30, 90, limits.personalKeyDays] as const;

/** Name, project, rights, lifetime and password, then the secret. */
function NewKey({ onDone }: { readonly onDone: () => void }) {
  const [secret, setSecret] = useState<string>();
  const me = useProfile();
  const projects = useQuery(api.me.projects.queryOptions({ limit: 100 }));
  if (secret !== undefined)
    return (
      <div className="stack">
        <p className="notice warn">{text('secretHint')}</p>
        <label className="field">
          <span className="label">{text('secret')}</span>
          <input className="input code" readOnly value={secret} />
        </label>
        <div className="actions">
          <CopyButton text={secret} />
          <button className="button primary" onClick={onDone} type="button">
            {text('kept')}
          </button>
        </div>
      </div>
    );
  const create = async (read: (name: string) => string): Promise<undefined> => {
    const { data } = await client.personalKeys.create.mutate({
      name: read('name').trim(),
      project: read('project'),
      isReadOnly: read('isReadOnly') !== '',
      expiresInDays: Number(read('expiry')),
      currentPassword: read('currentPassword') || undefined,
    });
    setSecret(data.secret);
  };
  return (
    <Loaded query={projects}>
      {({ data }) => (
        <CallForm failureText={wrongPassword} isNarrow onSubmit={create} submit={text('create')}>
          <label className="field">
            <span className="label">{text('name')}</span>
            <input className="input" maxLength={limits.nameLength} name="name" required />
          </label>
          <label className="field">
            <span className="label">{text('project')}</span>
            <select className="select" name="project">
              {data.map(({ id, slug, name }) => (
                <option key={id} value={slug}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span className="label">{text('expiry')}</span>
            <select className="select" defaultValue={90} name="expiry">
              {lifetimes.map((days) => (
                <option key={days} value={days}>
                  {text('days', { days })}
                </option>
              ))}
            </select>
          </label>
          <label className="row">
            <input name="isReadOnly" type="checkbox" />
            {text('reading')}
          </label>
          {me.data?.hasPassword === true && <CurrentPassword />}
        </CallForm>
      )}
    </Loaded>
  );
}

export const personalKeysQuery = () => api.personalKeys.list.queryOptions({ limit: 100 });

export function PersonalKeysPart() {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(personalKeysQuery());
  const close = (): void => {
    setIsOpen(false);
    void query.refetch();
  };
  const revoke = async (id: string): Promise<void> => {
    await client.personalKeys.revoke.mutate({ id });
    await query.refetch();
  };
  return (
    <section aria-labelledby="account-keys" className="screen-part stack">
      <h2 id="account-keys">{text('title')}</h2>
      <p className="soft">{text('hint')}</p>
      <Loaded query={query}>{({ data }) => <KeyList keys={data} onRevoke={revoke} />}</Loaded>
      <div className="row">
        <button className="button" onClick={() => setIsOpen(true)} type="button">
          {text('add')}
        </button>
      </div>
      {isOpen && (
        <Dialog onClose={close} title={text('add')}>
          <NewKey onDone={close} />
        </Dialog>
      )}
    </section>
  );
}

interface MembersProps {
  readonly projectSlug: string;
  readonly mayRevoke: boolean;
}

/** For who manages the keys of a project. */
export function MemberKeysPart({ projectSlug, mayRevoke }: MembersProps) {
  const query = useQuery(api.personalKeys.listOfProject.queryOptions({ projectSlug, limit: 100 }));
  const revoke = async (id: string): Promise<void> => {
    await client.personalKeys.revokeOfProject.mutate({ projectSlug, id });
    await query.refetch();
  };
  return (
    <section aria-labelledby="member-keys" className="screen-part stack">
      <h2 id="member-keys">{text('ofMembers')}</h2>
      <p className="soft">{text('ofMembersHint')}</p>
      <Loaded query={query}>
        {({ data }) => <KeyList isOfMembers keys={data} onRevoke={mayRevoke ? revoke : undefined} />}
      </Loaded>
    </section>
  );
}

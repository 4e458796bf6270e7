import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '../../../contracts/limits.js';
import { api, client, queryClient, type Outputs } from '../api/client.js';
import type { Failure } from '../api/failure.js';
import { hasPasskeys } from '../session/passkey-button.js';
import { useProfile } from '../session/profile.js';
import { formatTime, ownTexts, t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { CopyButton } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { loadModule } from '../ui/lazy-part.js';
import { ItemList, Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';

/** The first that fits: browsers also name those that they are like. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const find = (list: typeof browsers, text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** Such as "Firefox on Windows". */
export function browserOf(userAgent: string | null): string {
  const [browser, system] = [find(browsers, userAgent ?? ''), find(systems, userAgent ?? '')];
  if (browser === undefined) return t('account.unknownBrowser');
  return system === undefined ? browser : t('account.browserOn', { browser, system });
}

type Passkey = Outputs['passkeys']['list']['data'][number];

const text = ownTexts({
  en: {
    title: 'Passkeys',
    hint: 'Log in with your fingerprint, face or PIN instead of a password. A passkey is a second factor, too.',
    none: 'You have no passkey.',
    unknown: 'This browser does not know passkeys.',
    add: 'Add a passkey',
    instead: 'Use a passkey instead',
    name: 'Name of the passkey',
    create: 'Create',
    added: 'Passkey added',
    synced: 'Backed up',
    never: 'Never used',
    made: 'Added {time}',
    remove: 'Remove',
    removeOf: 'Remove passkey: {name}',
    removeQuestion: 'Logins with “{name}” stop working. Delete it on your device, too.',
    removed: 'Passkey removed',
  },
  de: {
    title: 'Passkeys',
    hint: 'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN statt mit einem Passwort an. Ein Passkey ist auch ein zweiter Faktor.',
    none: 'Sie haben keinen Passkey.',
    unknown: 'Dieser Browser kennt keine Passkeys.',
    add: 'Passkey hinzufügen',
    instead: 'Stattdessen einen Passkey verwenden',
    name: 'Name des Passkeys',
    create: 'Erstellen',
    added: 'Passkey hinzugefügt',
    synced: 'Gesichert',
    never: 'Nie benutzt',
    made: 'Hinzugefügt: {time}',
    remove: 'Entfernen',
    removeOf: 'Passkey entfernen: {name}',
    removeQuestion: 'Anmeldungen mit „{name}“ gehen dann nicht mehr. Löschen Sie ihn auch auf Ihrem Gerät.',
    removed: 'Passkey entfernt',
  },
});

export const wrongPassword = ({ code }: Failure): string | undefined =>
  code === 'invalid_credentials' ? t('account.wrongPassword') : undefined;

export const CurrentPassword = () => (
  <label className="field">
    <span className="label">{t('account.currentPassword')}</span>
    <input
      autoComplete="current-password"
      className="input"
      name="currentPassword"
      required
      type="password"
    />
  </label>
);

export function RecoveryCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}) {
  return (
    <div className="stack">
      <p className="notice warn">{t('factor.codesHint')}</p>
      <ul aria-label={t('factor.codes')} className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={codes.join('\n')} />
        <button className="button primary" onClick={onKept} type="button">
          {t('factor.codesKept')}
        </button>
      </div>
    </div>
  );
}

/** Name and password, the dialog of the browser, recovery codes of the first second factor. */
function NewPasskey({ onDone }: { readonly onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const me = useProfile();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />;
  const add = async (read: (name: string) => string): Promise<string | undefined> => {
    const { addPasskey } = await loadModule(() => import('../api/passkeys-client.js'));
    const currentPassword = read('currentPassword') || undefined;
    const result = await addPasskey({ name: read('name').trim(), currentPassword });
    if (typeof result === 'string') return result;
    notify(text('added'));
    if (result === undefined) onDone();
    else setCodes(result);
    return undefined;
  };
  return (
    <Loaded query={me}>
      {({ hasPassword }) => (
        <CallForm failureText={wrongPassword} isNarrow onSubmit={add} submit={text('create')}>
          <label className="field">
            <span className="label">{text('name')}</span>
            <input
              className="input"
              defaultValue={browserOf(navigator.userAgent)}
              maxLength={limits.nameLength}
              name="name"
              required
            />
          </label>
          {hasPassword && <CurrentPassword />}
        </CallForm>
      )}
    </Loaded>
  );
}

/** In place of the authenticator app that a tenant asks for. */
export function PasskeyInstead({ onDone }: { readonly onDone: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <NewPasskey onDone={onDone} />;
  return (
    <button className="button plain" onClick={() => setIsOpen(true)} type="button">
      {text('instead')}
    </button>
  );
}

interface RemovalProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

function Removal({ passkey: { id, name }, onClose }: RemovalProps) {
  const me = useProfile();
  const remove = async (read: (name: string) => string): Promise<undefined> => {
    await client.passkeys.remove.mutate({ id, currentPassword: read('currentPassword') || undefined });
    notify(text('removed'));
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={text('removeOf', { name })}>
      <CallForm failureText={wrongPassword} isNarrow look="danger" onSubmit={remove} submit={text('remove')}>
        <p>{text('removeQuestion', { name })}</p>
        {me.data?.hasPassword === true && <CurrentPassword />}
      </CallForm>
    </Dialog>
  );
}

function PasskeyItem({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }) {
  const { name, createdAt, lastUsedAt, isSynced } = passkey;
  return (
    <li className="row own-session">
      <span className="grow">
        <strong>{name}</strong> {isSynced && <span className="badge">{text('synced')}</span>}
        <span className="soft small block">
          {[
            lastUsedAt === null ? text('never') : t('account.lastUsed', { time: formatTime(lastUsedAt) }),
            text('made', { time: formatTime(createdAt) }),
          ].join(' · ')}
        </span>
      </span>
      <button aria-label={text('removeOf', { name })} className="button" onClick={onRemove} type="button">
        {text('remove')}
      </button>
    </li>
  );
}

export const passkeysQuery = () => api.passkeys.list.queryOptions({ limit: limits.passkeysPerUser });

export function PasskeysPart() {
  const [open, setOpen] = useState<'new' | Passkey>();
  const query = useQuery(passkeysQuery());
  const close = (): void => {
    setOpen(undefined);
    void query.refetch();
    void queryClient.invalidateQueries({ queryKey: api.secondFactor.get.queryKey({}) });
  };
  return (
    <section aria-labelledby="account-passkeys" className="screen-part stack">
      <h2 id="account-passkeys">{text('title')}</h2>
      <p className="soft">{text('hint')}</p>
      <Loaded query={query}>
        {({ data }) => (
          <ItemList items={data} none={text('none')}>
            {(passkey) => (
              <PasskeyItem key={passkey.id} onRemove={() => setOpen(passkey)} passkey={passkey} />
            )}
          </ItemList>
        )}
      </Loaded>
      {hasPasskeys ? (
        <div className="row">
          <button className="button" onClick={() => setOpen('new')} type="button">
            {text('add')}
          </button>
        </div>
      ) : (
        <p>{text('unknown')}</p>
      )}
      {open === 'new' && (
        <Dialog onClose={close} title={text('add')}>
          <NewPasskey onDone={close} />
        </Dialog>
      )}
      {typeof open === 'object' && <Removal onClose={close} passkey={open} />}
    </section>
  );
}

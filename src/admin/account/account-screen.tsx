import { useQueries, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { limits } from '../../../contracts/limits.js';
import { api, client, type Outputs } from '../api/client.js';
import { forgetSession } from '../api/session-store.js';
import { applyProfile, saveProfile, useProfile, type Profile } from '../session/profile.js';
import { formatTime, languages, ownTexts, t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { Loaded, Loading } from '../ui/states.js';
import { applyTheme } from '../ui/theme.js';
import { timeZones } from '../ui/time-zone.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { AvatarPart } from './avatar-part.js';
import { connectionsQuery, ConnectionsPart } from './connections.js';
import { CurrentPassword, passkeysQuery, PasskeysPart, wrongPassword, browserOf } from './passkeys.js';
import { personalKeysQuery, PersonalKeysPart } from './personal-keys.js';
import { secondFactorQuery, SecondFactorPart } from './second-factor.js';
type Session = Outputs['me']['sessions']['data'][number];

const text = ownTexts({
  en: {
    sessions: 'Sessions',
    sessionsHint: 'The browsers in which you are logged in.',
    current: 'This session',
    loggedIn: 'Logged in {time}',
    network: 'From {network}',
    endSession: 'End',
    endSessionOf: 'End session: {what}',
    sessionEnded: 'Session ended',
    endOthers: 'End all other sessions',
    othersEnded: 'Sessions ended: {count}',
    passwordHint: 'All your sessions end, and you log in again.',
    newPassword: 'New password',
    passwordLength: 'At least {count} characters.',
    changePassword: 'Change password',
    passwordChanged: 'Password changed. Log in with the new one.',
  },
  de: {
    sessions: 'Sitzungen',
    sessionsHint: 'Die Browser, in denen Sie angemeldet sind.',
    current: 'Diese Sitzung',
    loggedIn: 'Angemeldet: {time}',
    network: 'Von {network}',
    endSession: 'Beenden',
    endSessionOf: 'Sitzung beenden: {what}',
    sessionEnded: 'Sitzung beendet',
    endOthers: 'Alle anderen Sitzungen beenden',
    othersEnded: 'Beendete Sitzungen: {count}',
    passwordHint: 'Alle Ihre Sitzungen enden, und Sie melden sich neu an.',
    newPassword: 'Neues Passwort',
    passwordLength: 'Mindestens {count} Zeichen.',
    changePassword: 'Passwort ändern',
    passwordChanged: 'Passwort geändert. Melden Sie sich mit dem neuen an.',
  },
});

interface ChoiceProps {
  readonly name: 'language' | 'timeZone' | 'theme';
  readonly value: string | null;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** The browser decides unless the user does. */
function ProfileChoice({ name, value, options }: ChoiceProps) {
  return (
    <label className="field">
      <span className="label">{t(`account.${name}`)}</span>
      <select className="select" defaultValue={value ?? ''} name={name}>
        <option value="">{t('account.browser')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function ProfileForm({ me }: { readonly me: Profile }) {
  const save = async (read: (name: string) => string): Promise<undefined> => {
    const chosen = (name: string): string | null => read(name) || null;
    const change = {
      name: read('name').trim(),
      language: chosen('language'),
      timeZone: chosen('timeZone'),
      theme: chosen('theme') as Profile['theme'],
    };
    await saveProfile(change);
    notify(t('account.saved'));
    applyTheme(change.theme ?? 'system');
    applyProfile({ ...me, ...change });
  };
  return (
    <CallForm isNarrow onSubmit={save} submit={t('account.save')}>
      <label className="field">
        <span className="label">{t('account.name')}</span>
        <input className="input" defaultValue={me.name} maxLength={limits.nameLength} name="name" required />
      </label>
      <ProfileChoice
        name="language"
        options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        value={me.language}
      />
      <ProfileChoice
        name="timeZone"
        options={timeZones.map((zone) => ({ value: zone, label: zone }))}
        value={me.timeZone}
      />
      <ProfileChoice
        name="theme"
        options={(['light', 'dark'] as const).map((one) => ({ value: one, label: t(`theme.${one}`) }))}
        value={me.theme}
      />
    </CallForm>
  );
}

function PasswordForm() {
  const hintId = useId();
  const change = async (read: (name: string) => string): Promise<undefined> => {
    await client.sessions.changePassword.mutate({
      currentPassword: read('currentPassword'),
      newPassword: read('newPassword'),
    });
    notify(text('passwordChanged'));
    // The change has ended this session too.
    forgetSession();
  };
  return (
    <CallForm failureText={wrongPassword} isNarrow onSubmit={change} submit={text('changePassword')}>
      <p className="soft">{text('passwordHint')}</p>
      <CurrentPassword />
      <div className="field">
        <label className="label" htmlFor={`${hintId}-new`}>
          {text('newPassword')}
        </label>
        <input
          aria-describedby={hintId}
          autoComplete="new-password"
          className="input"
          id={`${hintId}-new`}
          maxLength={limits.passwordMaximumLength}
          minLength={limits.passwordMinimumLength}
          name="newPassword"
          required
          type="password"
        />
        <span className="small soft" id={hintId}>
          {text('passwordLength', { count: limits.passwordMinimumLength })}
        </span>
      </div>
    </CallForm>
  );
}

function SessionItem({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const what = browserOf(session.userAgent);
  return (
    <li className="row own-session">
      <span className="grow">
        <strong>{what}</strong>{' '}
        {session.isCurrent && <span className="badge published">{text('current')}</span>}
        <span className="soft small block">
          {[
            t('account.lastUsed', { time: formatTime(session.lastUsedAt) }),
            text('loggedIn', { time: formatTime(session.createdAt) }),
            ...(session.network === null ? [] : [text('network', { network: session.network })]),
          ].join(' · ')}
        </span>
      </span>
      {!session.isCurrent && (
        <button aria-label={text('endSessionOf', { what })} className="button" onClick={onEnd} type="button">
          {text('endSession')}
        </button>
      )}
    </li>
  );
}

const sessionsQuery = () => api.me.sessions.queryOptions({ limit: 100 });

function Sessions() {
  const query = useQuery(sessionsQuery());
  const end = async (work: () => Promise<string>): Promise<void> => {
    try {
      notify(await work());
    } catch (error) {
      notifyFailure(error);
    }
    await query.refetch();
  };
  const endOne = async (id: string): Promise<string> => {
    await client.me.endSession.mutate({ id });
    return text('sessionEnded');
  };
  const endOthers = async (): Promise<string> => {
    const { data } = await client.me.endOtherSessions.mutate({});
    return text('othersEnded', { count: data.ended });
  };
  return (
    <section aria-labelledby="account-sessions" className="screen-part stack">
      <h2 id="account-sessions">{text('sessions')}</h2>
      <p className="soft">{text('sessionsHint')}</p>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <ul className="plain-list stack">
              {data.map((session) => (
                <SessionItem
                  key={session.id}
                  onEnd={() => void end(() => endOne(session.id))}
                  session={session}
                />
              ))}
            </ul>
            {data.some(({ isCurrent }) => !isCurrent) && (
              <div className="actions">
                <button className="button danger" onClick={() => void end(endOthers)} type="button">
                  {text('endOthers')}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Parts appear together, because one that appears later moves those below it. */
const useArePartsRead = (): boolean =>
  useQueries({
    queries: [secondFactorQuery(), passkeysQuery(), sessionsQuery(), personalKeysQuery(), connectionsQuery()],
    combine: (results) => results.every(({ isPending }) => !isPending),
  });

export function AccountScreen() {
  const me = useProfile();
  const areRead = useArePartsRead();
  if (!areRead || (me.data === undefined && me.error === null)) return <Loading />;
  return (
    <div className="account">
      <header className="screen-head">
        <h1>{t('account.title')}</h1>
      </header>
      <section aria-labelledby="account-profile" className="screen-part stack">
        <h2 id="account-profile">{t('account.profile')}</h2>
        <Loaded query={me}>
          {(data) => (
            <>
              <AvatarPart me={data} />
              <ProfileForm key={JSON.stringify(data)} me={data} />
            </>
          )}
        </Loaded>
      </section>
      <SecondFactorPart />
      <PasskeysPart />
      {me.data?.hasPassword === true && (
        <section aria-labelledby="account-password" className="screen-part stack">
          <h2 id="account-password">{t('account.password')}</h2>
          <PasswordForm />
        </section>
      )}
      <Sessions />
      <PersonalKeysPart />
      <ConnectionsPart />
    </div>
  );
}

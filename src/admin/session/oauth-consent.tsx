import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toolsets } from '../../../contracts/rights.js';
import { api, client, type Outputs } from '../api/client.js';
import { logOut } from '../api/sessions-client.js';
import { useSession } from '../api/session-store.js';
import { optionLabel } from '../resources/labels.js';
import { OptionChecks } from '../resources/option-checks.js';
import { ownTexts, t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { Loaded, Loading } from '../ui/states.js';
import { EntranceScreen } from './login-screen.js';

type Asked = Outputs['oauth']['request']['data'];

const text = ownTexts({
  en: {
    title: 'Connect an app',
    asks: 'wants to work in a project in your name.',
    unverified: 'The app chose this name itself. It has not been verified.',
    returns: 'Receives the access',
    onlyIf: 'Continue only if you have just started this connection yourself, in an app that you trust.',
    rights: 'The app can never do more than you can, and you decide how much of that.',
    project: 'Project',
    drafts: 'Drafts only: published content stays as it is',
    tools: 'Tools',
    toolsHint: 'Without a choice, it gets the usual tools.',
    sites: 'Sites in which it may change something',
    sitesHint: 'Without a choice: all of them.',
    expiry: 'The access ends after',
    day: '1 day',
    days: '{days} days',
    approve: 'Connect',
    refuse: 'Refuse',
    as: 'You are logged in as {name}.',
    done: 'You are being returned to the app. You can close this page if nothing happens.',
    noProject: 'You may enter no project that the app could work in.',
    gone: 'This request has expired or was decided already. Start the connection again in the app.',
  },
  de: {
    title: 'App verbinden',
    asks: 'möchte in Ihrem Namen in einem Projekt arbeiten.',
    unverified: 'Den Namen hat die App selbst gewählt. Niemand hat ihn geprüft.',
    returns: 'Erhält den Zugang',
    onlyIf:
      'Fahren Sie nur fort, wenn Sie diese Verbindung gerade selbst begonnen haben, in einer App, der Sie vertrauen.',
    rights: 'Die App kann nie mehr als Sie, und Sie bestimmen, wie viel davon.',
    project: 'Projekt',
    drafts: 'Nur Entwürfe: Veröffentlichtes bleibt, wie es ist',
    tools: 'Werkzeuge',
    toolsHint: 'Ohne Auswahl erhält sie die üblichen Werkzeuge.',
    sites: 'Websites, in denen sie etwas ändern darf',
    sitesHint: 'Ohne Auswahl: alle.',
    expiry: 'Der Zugang endet nach',
    day: '1 Tag',
    days: '{days} Tagen',
    approve: 'Verbinden',
    refuse: 'Ablehnen',
    as: 'Sie sind als {name} angemeldet.',
    done: 'Sie werden zur App zurückgeleitet. Geschieht nichts, können Sie diese Seite schließen.',
    noProject: 'Sie dürfen kein Projekt betreten, in dem die App arbeiten könnte.',
    gone: 'Diese Anfrage ist abgelaufen oder wurde schon beantwortet. Beginnen Sie die Verbindung in der App von vorn.',
  },
});

const PROJECTS = 100;
const DAY_MS = 86_400_000;
const lifetimes = [1, 7, 30, 90, 365] as const;
const toolOptions = toolsets.map((value) => ({ value, label: optionLabel('toolsets', value) }));

interface ChoiceProps {
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

function Choice({ label, hint, options, chosen, onChange }: ChoiceProps) {
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <span className="soft small">{hint}</span>
      <OptionChecks
        describedBy=""
        id=""
        isInvalid={false}
        isReadOnly={false}
        label={label}
        onChange={(value) => onChange(value as string[])}
        options={options}
        value={chosen}
      />
    </fieldset>
  );
}

interface SitesProps extends Pick<ChoiceProps, 'chosen' | 'onChange'> {
  readonly projectSlug: string;
}

/** Only a project with several sites offers a choice. */
function SiteChoice({ projectSlug, ...choice }: SitesProps) {
  const { data } = useQuery(api.sites.list.queryOptions({ projectSlug, limit: 100 }));
  const options = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (options.length < 2) return null;
  return <Choice {...choice} hint={text('sitesHint')} label={text('sites')} options={options} />;
}

interface FormProps {
  readonly asked: Asked;
  readonly projects: Outputs['me']['projects']['data'];
  readonly onAnswered: (redirectTo: string) => void;
}

function ConsentForm({ asked, projects, onAnswered }: FormProps) {
  const { projectSlug: named } = asked;
  const known = projects.filter(({ slug }) => named === null || slug === named);
  // Of a user with more projects than are listed, the service knows whether they may enter it.
  const isUnlisted = named !== null && known.length === 0 && projects.length === PROJECTS;
  const offered = isUnlisted ? [{ id: named, slug: named, name: named }] : known;
  const [projectSlug, setProjectSlug] = useState(offered[0]?.slug);
  const [tools, setTools] = useState<string[]>([]);
  const [siteIds, setSiteIds] = useState<string[]>([]);
  const approve = async (read: (name: string) => string): Promise<undefined> => {
    const expiresAt = new Date(Date.now() + Number(read('expiry')) * DAY_MS).toISOString();
    const chosen = { projectSlug, siteIds, draftOnly: read('draftOnly') !== '', expiresAt };
    const chosenTools = toolsets.filter((one) => tools.includes(one));
    const { data } = await client.oauth.consent.mutate({
      requestId: asked.id,
      approve: true,
      toolsets: chosenTools,
      ...chosen,
    });
    onAnswered(data.redirectTo);
  };
  if (projectSlug === undefined) return <p className="notice warn">{text('noProject')}</p>;
  return (
    <CallForm onSubmit={approve} submit={text('approve')}>
      <label className="field">
        <span className="label">{text('project')}</span>
        <select
          className="select"
          onChange={({ target }) => {
            setProjectSlug(target.value);
            setSiteIds([]);
          }}
          value={projectSlug}
        >
          {offered.map(({ id, slug, name }) => (
            <option key={id} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="row tight">
        <input defaultChecked name="draftOnly" type="checkbox" />
        {text('drafts')}
      </label>
      <Choice
        chosen={tools}
        hint={text('toolsHint')}
        label={text('tools')}
        onChange={setTools}
        options={toolOptions}
      />
      <SiteChoice chosen={siteIds} onChange={setSiteIds} projectSlug={projectSlug} />
      <label className="field">
        <span className="label">{text('expiry')}</span>
        <select className="select" defaultValue={30} name="expiry">
          {lifetimes.map((days) => (
            <option key={days} value={days}>
              {days === 1 ? text('day') : text('days', { days })}
            </option>
          ))}
        </select>
      </label>
    </CallForm>
  );
}

/** What the user reads before they answer; the name is isolated, so that it cannot turn the text around. */
function AskedFor({ clientName, redirectHost }: Asked) {
  return (
    <>
      <p>
        <bdi>
          <strong>{clientName}</strong>
        </bdi>{' '}
        {text('asks')}
        <br />
        <span className="soft small">{text('unverified')}</span>
      </p>
      <dl className="facts">
        <dt>{text('returns')}</dt>
        <dd className="code">
          <bdi>{redirectHost}</bdi>
        </dd>
      </dl>
      <p className="notice warn">{text('onlyIf')}</p>
      <p>{text('rights')}</p>
    </>
  );
}

/** A host of agents sends its user here, who decides whether it may connect, and how far. */
export function OAuthConsent() {
  const requestId = new URLSearchParams(location.search).get('requestId') ?? '';
  const session = useSession();
  const [isAnswered, setIsAnswered] = useState(false);
  const asked = useQuery({
    ...api.oauth.request.queryOptions({ requestId }),
    staleTime: Infinity,
    retry: false,
  });
  const projects = useQuery(api.me.projects.queryOptions({ limit: PROJECTS }));
  const leave = (redirectTo: string): void => {
    setIsAnswered(true);
    location.assign(redirectTo);
  };
  const refuse = async (): Promise<undefined> => {
    const { data } = await client.oauth.consent.mutate({ requestId, approve: false });
    leave(data.redirectTo);
  };
  if (isAnswered || asked.isError)
    return (
      <EntranceScreen title={text('title')}>
        <p aria-live="polite">{text(isAnswered ? 'done' : 'gone')}</p>
      </EntranceScreen>
    );
  // The card is centered, so that it would move with each part that arrives.
  if (asked.isPending || projects.isPending)
    return (
      <main className="login">
        <Loading />
      </main>
    );
  return (
    <EntranceScreen title={text('title')}>
      <Loaded query={asked}>
        {({ data }) => (
          <>
            <AskedFor {...data} />
            <Loaded query={projects}>
              {({ data: list }) => <ConsentForm asked={data} onAnswered={leave} projects={list} />}
            </Loaded>
            <CallForm look="plain" onSubmit={refuse} submit={text('refuse')}>
              {null}
            </CallForm>
            {session.status !== 'none' && (
              <p className="soft small">{text('as', { name: session.session.user.name })}</p>
            )}
            <button className="button plain" onClick={() => void logOut()} type="button">
              {t('login.logout')}
            </button>
          </>
        )}
      </Loaded>
    </EntranceScreen>
  );
}

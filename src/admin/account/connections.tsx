import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Outputs } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { formatTime, ownTexts, t } from '../texts/index.js';
import { Dialog, DialogFooter } from '../ui/dialog.js';
import { ItemList, Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';

type Connection = Outputs['me']['connections']['data'][number];
type Key = Connection['keys'][number];

const text = ownTexts({
  en: {
    title: 'Connected apps',
    hint: 'Apps that work in your name. They can never do more than you can.',
    none: 'You have connected no app.',
    drafts: 'Drafts only',
    sites: 'Sites: {count}',
    until: 'Until {time}',
    never: 'Never used',
    since: 'Connected {time}',
    end: 'End',
    endOf: 'End connection: {name}',
    question: 'End the connection of “{name}”?',
    effect: 'The app loses its access in these projects at once: {projects}. It can ask you again later.',
    ended: 'Connection ended',
  },
  de: {
    title: 'Verbundene Apps',
    hint: 'Apps, die in Ihrem Namen arbeiten. Sie können nie mehr als Sie.',
    none: 'Sie haben keine App verbunden.',
    drafts: 'Nur Entwürfe',
    sites: 'Websites: {count}',
    until: 'Bis {time}',
    never: 'Nie benutzt',
    since: 'Verbunden {time}',
    end: 'Beenden',
    endOf: 'Verbindung beenden: {name}',
    question: 'Verbindung mit „{name}“ beenden?',
    effect:
      'Die App verliert sofort ihren Zugang zu diesen Projekten: {projects}. Sie kann Sie später wieder fragen.',
    ended: 'Verbindung beendet',
  },
});

const lastUseOf = (time: string | null): string =>
  time === null ? text('never') : t('account.lastUsed', { time: formatTime(time) });

const limitsOf = ({ project, toolsets, siteIds, draftOnly, expiresAt }: Key): string =>
  [
    project.name,
    ...toolsets.map((one) => t(`option.toolsets.${one}`)),
    ...(siteIds.length === 0 ? [] : [text('sites', { count: siteIds.length })]),
    ...(draftOnly ? [text('drafts')] : []),
    ...(expiresAt === null ? [] : [text('until', { time: formatTime(expiresAt) })]),
  ].join(' · ');

interface ItemProps {
  readonly connection: Connection;
  readonly onEnd: () => void;
}

function ConnectionItem({ connection, onEnd }: ItemProps) {
  const { clientName, createdAt, lastUsedAt, keys } = connection;
  return (
    <li className="row own-session">
      <span className="grow">
        <strong>{clientName}</strong>
        <span className="soft small block">
          {[lastUseOf(lastUsedAt), text('since', { time: formatTime(createdAt) })].join(' · ')}
        </span>
        {keys.map((key) => (
          <span className="soft small block" key={key.id}>
            {limitsOf(key)}
          </span>
        ))}
      </span>
      <button
        aria-label={text('endOf', { name: clientName })}
        className="button"
        onClick={onEnd}
        type="button"
      >
        {text('end')}
      </button>
    </li>
  );
}

interface EndProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

function EndDialog({ connection: { id, clientName, keys }, onClose }: EndProps) {
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const end = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await client.me.endConnection.mutate({ id });
      notify(text('ended'));
      onClose();
    } catch (error) {
      setRefusal(failureOf(error).message);
      setIsBusy(false);
    }
  };
  const projects = [...new Set(keys.map(({ project }) => project.name))].join(', ');
  return (
    <Dialog onClose={onClose} title={text('question', { name: clientName })}>
      <p>{text('effect', { projects })}</p>
      <DialogFooter
        disabled={isBusy}
        isDangerous
        onCancel={onClose}
        onRun={end}
        refusal={refusal}
        run={text('end')}
      />
    </Dialog>
  );
}

export const connectionsQuery = () => api.me.connections.queryOptions({ limit: 100 });

/** The clients that act in the name of the user by OAuth. */
export function ConnectionsPart() {
  const query = useQuery(connectionsQuery());
  const [ending, setEnding] = useState<Connection>();
  const close = (): void => {
    setEnding(undefined);
    void query.refetch();
  };
  return (
    <section aria-labelledby="account-connections" className="screen-part stack">
      <h2 id="account-connections">{text('title')}</h2>
      <p className="soft">{text('hint')}</p>
      <Loaded query={query}>
        {({ data }) => (
          <ItemList items={data} none={text('none')}>
            {(one) => <ConnectionItem connection={one} key={one.id} onEnd={() => setEnding(one)} />}
          </ItemList>
        )}
      </Loaded>
      {ending && <EndDialog connection={ending} onClose={close} />}
    </section>
  );
}

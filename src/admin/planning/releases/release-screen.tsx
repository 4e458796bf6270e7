import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import { useProject } from '../../api/project-data.js';
import { ItemActions, ItemDialog, ItemFacts } from '../../resources/item-dialog.js';
import { deletion, resourceOf } from '../../resources/resource-config.js';
import { failureText, formatTime } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { Loaded } from '../../ui/states.js';
import { cancelSchedule, releaseDialogs, type ReleaseDialogName } from './release-dialogs.js';
import { Refused, ReleaseCheck, useRelease, type Release } from './release-issues.js';
import { ReleaseItems } from './release-items.js';
import { say } from './release-texts.js';
import { releaseForm } from './releases-screen.js';

const resource = resourceOf<Release>({
  name: 'releases',
  contracts: releases,
  form: releaseForm,
  title: 'releases.title',
  createLabel: 'releases.create',
  nameOf: ({ name }) => name,
  columns: ['name'],
  actions: [
    {
      verb: 'reopen',
      label: 'releases.reopen',
      question: 'releases.reopenQuestion',
      done: 'releases.reopened',
      isOffered: ({ status }) => status === 'failed' || status === 'rolled_back',
    },
    deletion({ isOffered: ({ status }: Release) => status !== 'scheduled' }),
  ],
});

/** Dialogs by status, the main one first. */
const offered: Readonly<Record<Release['status'], readonly ReleaseDialogName[]>> = {
  open: ['publish', 'schedule', 'approve'],
  scheduled: ['publish', 'schedule', 'approve'],
  published: ['rollback'],
  failed: [],
  rolled_back: [],
};

interface Props {
  readonly release: Release;
}

/** What is done with the release as a whole. */
function ReleaseActions({ release }: Props) {
  const { slug, environment, may } = useProject();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<ReleaseDialogName | 'edit'>();
  const fixed = { projectSlug: slug };
  const close = (): void => setAsked(undefined);
  const { status, itemCount, requiresApproval } = release;
  const names = offered[status].filter(
    (name) => may(`releases.${name}`) && (name !== 'approve' || requiresApproval !== null),
  );
  const Asked = asked === undefined || asked === 'edit' ? undefined : releaseDialogs[asked];
  return (
    <>
      {names.map((name) => (
        <button
          className={name === 'publish' ? 'button primary' : 'button'}
          disabled={itemCount === 0}
          key={name}
          onClick={() => setAsked(name)}
          type="button"
        >
          {say(name === 'schedule' && status === 'scheduled' ? 'reschedule' : name)}
        </button>
      ))}
      {status === 'scheduled' && may('releases.publish') && may('calendar.reschedule') && (
        <ActionButton label={say('cancel')} run={() => cancelSchedule(slug, release)} />
      )}
      {may('releases.update') && (
        <button className="button" onClick={() => setAsked('edit')} type="button">
          {say('edit')}
        </button>
      )}
      <ItemActions
        fixed={fixed}
        item={release}
        onDone={(verb) =>
          verb === 'delete' && void navigate({ to: ['', slug, environment, 'releases'].join('/') })
        }
        resource={resource}
      />
      {Asked !== undefined && <Asked onClose={close} release={release} />}
      {asked === 'edit' && (
        <ItemDialog
          fixed={fixed}
          item={release}
          list={releases.list}
          onClose={close}
          resource={{ ...resource, actions: [] }}
        />
      )}
    </>
  );
}

type ReleaseError = NonNullable<Release['error']>;

const failureOf = ({ code, message, details }: ReleaseError) => ({
  problem: failureText(code, message),
  details: (details ?? {}) as Readonly<Record<string, unknown>>,
});

const factKeys = ['status', 'publishedAt', 'publishedBy', 'rolledBackAt', 'createdBy', 'createdAt'] as const;

/** Its state, when it is due, and why its schedule failed. */
function ReleaseState({ release }: Props) {
  const { description, scheduledAt, timezone, status, error, items } = release;
  const facts = factKeys.filter((key) => release[key] !== null);
  return (
    <>
      {description !== null && <p>{description}</p>}
      {status === 'scheduled' && scheduledAt !== null && (
        <p className="notice">{say('due', { time: formatTime(scheduledAt), zone: timezone ?? '' })}</p>
      )}
      {error !== null && (
        <>
          <p className="problem">{say('failed')}</p>
          <Refused failure={failureOf(error)} items={items} />
        </>
      )}
      <ItemFacts item={release} list={releases.list} resource={{ ...resource, facts }} />
    </>
  );
}

/** Who has approved the release, where that is needed. */
function Approvals({ release: { requiresApproval, approvals } }: Props) {
  if (requiresApproval === null) return null;
  const given = approvals.filter(({ lapsed }) => !lapsed).length;
  const title = say('approvals', { given, needed: requiresApproval.quorum });
  return (
    <section aria-label={title} className="stack">
      <h2>{title}</h2>
      {approvals.length === 0 && <p className="soft">{say('noApprovals')}</p>}
      <ul className="versions">
        {approvals.map(({ by, at, comment, lapsed }) => (
          <li className="version" key={`${by.id ?? ''} ${at}`}>
            <p>
              <strong>{by.name}</strong> <span className="soft small">{formatTime(at)}</span>{' '}
              {lapsed && <span className="badge changed">{say('lapsed')}</span>}
            </p>
            {comment !== null && <p className="quote">{comment}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One release with its changes. */
export function ReleaseScreen() {
  const { release: id = '' } = useParams({ strict: false });
  const { slug, environment } = useProject();
  const query = useRelease(id);
  return (
    <Loaded query={query}>
      {({ data }) => (
        <>
          <header className="screen-head row wrap">
            <h1 className="grow clip">{data.name}</h1>
            <ReleaseActions release={data} />
          </header>
          <p className="screen-hint">
            <Link to={['', slug, environment, 'releases'].join('/')}>{say('back')}</Link>
          </p>
          <div className="screen-part stack">
            <ReleaseState release={data} />
            <Approvals release={data} />
            <ReleaseItems release={data} />
            {data.status !== 'published' && data.itemCount > 0 && <ReleaseCheck release={data} />}
          </div>
        </>
      )}
    </Loaded>
  );
}

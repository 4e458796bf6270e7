import { Suspense, useState } from 'react';
import type { Person } from '../fields/presence-mark.js';
import { Link, useNavigate } from '@tanstack/react-router';
import { useProject, type ContentType, type Entry } from '../api/project-data.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { localeName, t } from '../texts/index.js';
import { Icon, type IconName } from '../ui/icon.js';
import { EntryMenu } from './actions/entry-menu.js';
import { SaveState } from './autosave/save-state.js';
import type { Autosave } from './autosave/use-autosave.js';
import type { Discussion } from './comments/use-discussion.js';
import { useSiteLocales, useBesideLocale, useShowBeside } from './locales/use-beside.js';
import type { EntryEditor } from './use-entry-editor.js';
import { panels, type Panel } from '../routes/searches.js';
import type { PanelState } from './use-panel.js';
import { lazyPart } from '../ui/lazy-part.js';
import { useMessageOf } from '../fields/issue-text.js';
import { idIn } from '../api/issue-words.js';

/** Chooses another locale to be shown beside the edited one. */
function BesideSwitch({ entry }: { readonly entry: Entry }) {
  const others = useSiteLocales(entry).filter((locale) => locale !== entry.locale);
  const beside = useBesideLocale(entry);
  const show = useShowBeside();
  if (others.length === 0) return null;
  return (
    <select
      aria-label={t('beside.label')}
      className="select compact"
      onChange={({ target }) => show(target.value || undefined)}
      value={beside ?? ''}
    >
      <option value="">{t('beside.none')}</option>
      {others.map((locale) => (
        <option key={locale} value={locale}>
          {t('beside.with', { locale: localeName(locale) })}
        </option>
      ))}
    </select>
  );
}

const BehindDialog = lazyPart(() => import('./actions/reference-list.js'), 'BehindDialog');

interface PublishButtonProps {
  readonly editor: EntryEditor;
}

/** Publishes a draft that passes the check, after a question if it refers to what is not published. */
function PublishButton({ editor }: PublishButtonProps) {
  const [behind, setBehind] = useState<readonly string[]>([]);
  const { saved, isBusy, isDirty } = editor;
  const messageOf = useMessageOf();
  const start = async (): Promise<void> => {
    const found = await editor.check();
    if (found?.isPublishable !== true) return;
    const missing = found.warnings.filter(({ code }) => code === 'not_published').map(messageOf);
    if (missing.length === 0) return editor.publish(false);
    // An entry that several fields name is listed once.
    setBehind([...new Map(missing.map((message) => [idIn(message), message])).values()]);
  };
  return (
    <>
      <button
        className="button primary"
        disabled={isBusy || (saved.status === 'published' && !isDirty)}
        onClick={() => void start()}
        type="button"
      >
        {t('entry.publish')}
      </button>
      {behind.length > 0 && (
        <Suspense>
          <BehindDialog editor={editor} messages={behind} onClose={() => setBehind([])} />
        </Suspense>
      )}
    </>
  );
}

const panelIcons = {
  preview: 'open',
  workflow: 'numbers',
  comments: 'comment',
  publication: 'up',
  versions: 'copy',
  uses: 'entry',
} as const satisfies Record<Panel, IconName>;

interface PanelButtonsProps {
  readonly entry: Entry;
  readonly state: PanelState;
  /** Open threads. */
  readonly commentCount: number;
}

/** Opens and closes what is shown beside the form. A type without a workflow has no panel for one. */
function PanelButtons({ entry, state: { panel, show }, commentCount }: PanelButtonsProps) {
  const { may } = useProject();
  const offered: Readonly<Record<Panel, boolean>> = {
    preview: may('entries.preview'),
    workflow: entry.workflow !== null && may('entries.getWorkflow'),
    comments: may('entries.listComments'),
    publication: true,
    versions: true,
    // In the menu.
    uses: false,
  };
  return panels
    .filter((one) => offered[one])
    .map((one) => (
      <button
        aria-expanded={panel === one}
        className="button plain panel-button"
        key={one}
        onClick={() => show(panel === one ? undefined : one)}
        title={t(`entry.${one}`)}
        type="button"
      >
        <Icon name={panelIcons[one]} />
        <span className="panel-name">{t(`entry.${one}`)}</span>
        {one === 'comments' && commentCount > 0 && (
          <>
            {' '}
            <span className="badge">{commentCount}</span>
          </>
        )}
      </button>
    ));
}

const Presence = lazyPart(() => import('./presence.js'), 'Presence');

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly autosave: Autosave;
  readonly panel: PanelState;
  readonly discussion: Discussion;
  readonly onPeople: (people: readonly Person[]) => void;
  readonly onDeleted: () => void;
}

/** Every locale of the site, with the status of the entry in it. */
function LocaleSwitch({ editor: { saved } }: Pick<Props, 'editor'>) {
  const project = useProject();
  const navigate = useNavigate();
  const locales = useSiteLocales(saved);
  if (locales.length < 2) return null;
  const statusOf = (locale: string) =>
    saved.locales.find((one) => one.locale === locale)?.status ?? 'missing';
  const params = { project: project.slug, environment: project.environment, entry: saved.id };
  return (
    <select
      aria-label={t('entry.locale')}
      className="select compact"
      onChange={({ target }) =>
        void navigate({
          to: '/$project/$environment/entries/$entry',
          params,
          search: ({ beside, ...now }) => ({
            ...now,
            locale: target.value,
            beside: beside === target.value ? saved.locale : beside,
            thread: undefined,
          }),
        })
      }
      value={saved.locale}
    >
      {locales.map((locale) => (
        <option key={locale} value={locale}>
          {localeName(locale)} – {t(`status.${statusOf(locale)}`)}
        </option>
      ))}
    </select>
  );
}

/** Only what the user may do is offered. Their places do not depend on what is reported beside them. */
function Actions({ editor }: Pick<Props, 'editor'>) {
  const { may } = useProject();
  const { saved, isBusy, isDirty } = editor;
  const reach = { locale: saved.locale };
  return (
    <>
      {may('entries.update', reach) && (
        <button
          className="button"
          disabled={isBusy || !isDirty}
          onClick={() => void editor.save()}
          type="button"
        >
          <Icon name="save" />
          <span className="save-name">{t('entry.save')}</span>
        </button>
      )}
      {may('entries.publish', reach) && <PublishButton editor={editor} />}
    </>
  );
}

function ProblemCount({ count }: { readonly count: number }) {
  return (
    <span aria-live="polite" className="problem">
      {count === 0 ? '' : count === 1 ? t('entry.fixOne') : t('entry.fix', { count })}
    </span>
  );
}

export function EntryHead({ editor, type, autosave, panel, discussion, onPeople, onDeleted }: Props) {
  const { slug, environment } = useProject();
  const { saved, draft, isDirty, problems } = editor;
  return (
    <header className="editor-head entry-head">
      <div className="head-title">
        <Link
          aria-label={t('entry.back')}
          className="button icon plain"
          params={{ project: slug, environment }}
          search={{ type: type.apiName }}
          to="/$project/$environment"
        >
          <Icon name="back" />
        </Link>
        <div className="grow">
          <p className="small soft clip">{type.name}</p>
          <h1 className="clip">{titleOf(draft.now, type)}</h1>
        </div>
      </div>
      <div className="head-actions">
        <Actions editor={editor} />
      </div>
      <div className="head-menu">
        <EntryMenu
          editor={editor}
          type={type}
          autosave={autosave}
          onDeleted={onDeleted}
          onUses={() => panel.show('uses')}
        />
      </div>
      <div className="head-line">
        <div className="head-state">
          <StatusBadge status={saved.status} />
          {isDirty && <span className="badge changed">{t('entry.unsaved')}</span>}
          <ProblemCount count={problems.size} />
          <SaveState autosave={autosave} editor={editor} />
          <span className="grow" />
          <Suspense>
            <Presence entry={saved} onPeople={onPeople} />
          </Suspense>
        </div>
        <div className="head-locales">
          <LocaleSwitch editor={editor} />
          <BesideSwitch entry={saved} />
        </div>
        <div className="head-strip">
          <PanelButtons commentCount={discussion.openCount} entry={saved} state={panel} />
        </div>
      </div>
    </header>
  );
}

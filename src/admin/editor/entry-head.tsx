import { Suspense } from 'react';
import type { Person } from '../fields/presence-mark.js';
import { Link, useNavigate } from '@tanstack/react-router';
import { useProject, type ContentType } from '../api/project-data.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { localeName, t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { EntryMenu } from './actions/entry-menu.js';
import { SaveState } from './autosave/save-state.js';
import type { Autosave } from './autosave/use-autosave.js';
import type { Discussion } from './comments/use-discussion.js';
import { BesideSwitch } from './locales/beside-switch.js';
import { useSiteLocales } from './locales/use-beside.js';
import { PanelButtons } from './panel-buttons.js';
import { PublishButton } from './publish-button.js';
import type { EntryEditor } from './use-entry-editor.js';
import type { PanelState } from './use-panel.js';
import { lazyPart } from '../ui/lazy-part.js';

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
          {t('entry.save')}
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
        <EntryMenu {...{ editor, type, autosave, onDeleted }} onUses={() => panel.show('uses')} />
      </div>
      <div className="head-strip">
        <StatusBadge status={saved.status} />
        {isDirty && <span className="badge changed">{t('entry.unsaved')}</span>}
        <ProblemCount count={problems.size} />
        <SaveState autosave={autosave} editor={editor} />
        <span className="grow" />
        <Suspense>
          <Presence entry={saved} onPeople={onPeople} />
        </Suspense>
        <LocaleSwitch editor={editor} />
        <BesideSwitch entry={saved} />
        <PanelButtons commentCount={discussion.openCount} entry={saved} state={panel} />
      </div>
    </header>
  );
}

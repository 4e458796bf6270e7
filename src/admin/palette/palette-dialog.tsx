import { useCallback, useId, useState, useEffect, type KeyboardEvent } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { useOnline } from '../ui/hooks.js';
import type { PaletteOption, PaletteGroup } from './option.js';
import { usePaletteSearch } from './use-palette-search.js';
import { useNavigate } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { useAreas } from '../shell/areas.js';
import { actionsOf, screensOf, type Command } from './commands.js';
import { matchesWords } from './match-words.js';
import { useFoundOptions } from './use-found-options.js';
import { useRecentOptions } from './use-recent-options.js';
import { Icon } from '../ui/icon.js';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly PaletteGroup[];
  readonly active: PaletteOption | undefined;
  readonly isOutdated: boolean;
  readonly onHover: (option: PaletteOption) => void;
  readonly onRun: (option: PaletteOption) => void;
}

const optionId = (listId: string, { key }: PaletteOption): string => `${listId}-${key}`;

/** What the box above it controls; the focus stays in that box. */
function PaletteList({ id, label, groups, active, isOutdated, onHover, onRun }: Props) {
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div aria-busy={isOutdated} aria-label={label} className="palette-list" id={id} role="listbox">
      {groups.map(({ title, options }) => (
        <div aria-label={title} key={title} role="group">
          <div aria-hidden="true" className="side-title">
            {title}
          </div>
          {options.map((option) => (
            <div
              aria-selected={option === active}
              className="palette-option"
              id={optionId(id, option)}
              key={option.key}
              onClick={() => onRun(option)}
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => onHover(option)}
              role="option"
            >
              <Icon name={option.icon} />
              <span className="grow clip">
                <span dir="auto">{option.title}</span>
                {option.excerpt !== undefined && (
                  <span className="soft small palette-excerpt" dir="auto">
                    {option.excerpt}
                  </span>
                )}
              </span>
              {option.note}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface ActiveOption {
  readonly active: PaletteOption | undefined;
  readonly choose: (option: PaletteOption) => void;
  /** After the options were replaced: the first one is active again. */
  readonly reset: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Which option Enter runs: the one that arrow keys chose, else the first.
 * @param isOutdated Enter waits for what a search finds, because the option shown was not asked for
 */
function useActiveOption(
  options: readonly PaletteOption[],
  isOutdated: boolean,
  onRun: (option: PaletteOption) => void,
): ActiveOption {
  const [key, setKey] = useState<string>();
  const [isWaiting, setIsWaiting] = useState(false);
  const active = options.find((option) => option.key === key) ?? options[0];
  const mustWait = isOutdated && (active === undefined || active.isFound === true);
  useEffect(() => {
    if (!isWaiting || mustWait) return;
    setIsWaiting(false);
    if (active !== undefined) onRun(active);
  }, [isWaiting, mustWait, active, onRun]);
  const move = (by: number): void => {
    const place = active === undefined ? -1 : options.indexOf(active);
    setKey(options.at((place + by) % options.length)?.key);
  };
  return {
    active,
    choose: (option) => setKey(option.key),
    reset: () => {
      setKey(undefined);
      setIsWaiting(false);
    },
    onKeyDown: (event) => {
      const step = steps[event.key];
      if (step !== undefined && options.length > 0) move(step);
      else if (event.key === 'Enter' && !event.nativeEvent.isComposing) setIsWaiting(true);
      else return;
      event.preventDefault();
    },
  };
}

/** Of each kind of command while something is typed, so that what was found is in sight. */
const COMMANDS = 5;

/** Screens and actions come first: they are known at once, so nothing moves when the search returns. */
function usePaletteGroups(
  typed: string,
  { entries, assets }: ReturnType<typeof usePaletteSearch>,
): PaletteGroup[] {
  const project = useProject();
  const navigate = useNavigate();
  const recent = useRecentOptions();
  const found = useFoundOptions(entries, assets);
  const links = useAreas().flatMap((area) => area.links);
  const optionsOf = (commands: readonly Command[]): PaletteOption[] =>
    commands
      .filter(({ label }) => matchesWords(typed, label))
      .slice(0, typed === '' ? undefined : COMMANDS)
      .map(({ run, label, ...command }) => ({ ...command, title: label, run: () => run(navigate) }));
  return [
    { title: t('palette.recent'), options: typed === '' ? recent : [] },
    { title: t('palette.screens'), options: optionsOf(screensOf(project, links)) },
    { title: t('palette.actions'), options: optionsOf(actionsOf(project)) },
    { title: t('palette.entries'), options: found.entries },
    { title: t('palette.files'), options: found.assets },
  ].filter(({ options }) => options.length > 0);
}

interface StateProps {
  readonly typed: string;
  readonly count: number;
  readonly search: ReturnType<typeof usePaletteSearch>;
}

/** What the search is doing, in words that screen readers announce. */
function SearchState({ typed, count, search: { isOutdated, error, retry } }: StateProps) {
  const isOnline = useOnline();
  if (!isOnline) return <p role="status">{t('palette.offline')}</p>;
  if (error !== null && !isOutdated)
    return (
      <div className="row" role="alert">
        <p className="problem grow">{failureOf(error).message}</p>
        <button className="button" onClick={retry} type="button">
          {t('app.retry')}
        </button>
      </div>
    );
  const hasNone = count === 0 && !isOutdated;
  return (
    <p className="soft small" role="status">
      {isOutdated && t('palette.searching')}
      {hasNone && t('palette.none', { text: typed })}
      {!isOutdated && !hasNone && t('palette.count', { count })}
    </p>
  );
}

/** Finds entries, files, screens and actions by words. */
export function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const listId = useId();
  const [text, setText] = useState('');
  const typed = text.trim();
  const search = usePaletteSearch(typed);
  const groups = usePaletteGroups(typed, search);
  const options = groups.flatMap((group) => group.options);
  const run = useCallback(
    (option: PaletteOption): void => {
      onClose();
      option.run();
    },
    [onClose],
  );
  const { active, choose, reset, onKeyDown } = useActiveOption(options, search.isOutdated, run);
  const hasOptions = options.length > 0;
  return (
    <Dialog onClose={onClose} title={t('palette.title')}>
      <input
        aria-activedescendant={active && optionId(listId, active)}
        aria-autocomplete="list"
        aria-controls={hasOptions ? listId : undefined}
        aria-expanded={hasOptions}
        aria-label={t('palette.label')}
        autoComplete="off"
        className="input"
        data-focus
        dir="auto"
        maxLength={200}
        onChange={({ target }) => {
          setText(target.value);
          reset();
        }}
        onKeyDown={onKeyDown}
        placeholder={t('palette.label')}
        role="combobox"
        spellCheck={false}
        type="text"
        value={text}
      />
      <SearchState count={options.length} search={search} typed={typed} />
      <div className="palette-results">
        {hasOptions && (
          <PaletteList
            active={active}
            groups={groups}
            id={listId}
            isOutdated={search.isOutdated}
            label={t('palette.results')}
            onHover={choose}
            onRun={run}
          />
        )}
      </div>
    </Dialog>
  );
}

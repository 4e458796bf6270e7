import { useCallback, useId, useState } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { useOnline } from '../ui/use-online.js';
import type { PaletteOption } from './option.js';
import { optionId, PaletteList } from './palette-list.js';
import { useActiveOption } from './use-active-option.js';
import { usePaletteGroups } from './use-palette-groups.js';
import { usePaletteSearch } from './use-palette-search.js';

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

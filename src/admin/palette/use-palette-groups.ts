import { useNavigate } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { actionsOf, screensOf, type Command } from './commands.js';
import { matchesWords } from './match-words.js';
import type { PaletteGroup, PaletteOption } from './option.js';
import { useFoundOptions } from './use-found-options.js';
import type { usePaletteSearch } from './use-palette-search.js';
import { useRecentOptions } from './use-recent-options.js';

/** Of each kind of command while something is typed, so that what was found is in sight. */
const COMMANDS = 5;

/** Screens and actions come first: they are known at once, so nothing moves when the search returns. */
export function usePaletteGroups(
  typed: string,
  { entries, assets }: ReturnType<typeof usePaletteSearch>,
): PaletteGroup[] {
  const project = useProject();
  const navigate = useNavigate();
  const recent = useRecentOptions();
  const found = useFoundOptions(entries, assets);
  const optionsOf = (commands: readonly Command[]): PaletteOption[] =>
    commands
      .filter(({ label }) => matchesWords(typed, label))
      .slice(0, typed === '' ? undefined : COMMANDS)
      .map(({ run, label, ...command }) => ({ ...command, title: label, run: () => run(navigate) }));
  return [
    { title: t('palette.recent'), options: typed === '' ? recent : [] },
    { title: t('palette.screens'), options: optionsOf(screensOf(project)) },
    { title: t('palette.actions'), options: optionsOf(actionsOf(project)) },
    { title: t('palette.entries'), options: found.entries },
    { title: t('palette.files'), options: found.assets },
  ].filter(({ options }) => options.length > 0);
}

import type { UseNavigateResult } from '@tanstack/react-router';
import type { Project } from '../api/project-data.js';
import type { AreaLink } from '../shell/areas.js';
import { t } from '../texts/index.js';
import type { IconName } from '../ui/icon.js';
import { applyTheme, theme, themes } from '../ui/theme.js';

type Navigate = UseNavigateResult<string>;

/** Something that the palette does without a search. */
export interface Command {
  readonly key: string;
  readonly label: string;
  readonly icon: IconName;
  readonly run: (navigate: Navigate) => void;
}

const list = '/$project/$environment';

/** The screens that the user may open. @param links those of the areas */
export function screensOf(
  { slug: project, environment, types }: Project,
  links: readonly AreaLink[],
): Command[] {
  const params = { project, environment };
  return [
    {
      key: 'screen:dashboard',
      label: t('dashboard.title'),
      icon: 'right',
      run: (navigate) => void navigate({ to: `${list}/dashboard`, params }),
    },
    {
      key: 'screen:entries',
      label: t('nav.all'),
      icon: 'right',
      run: (navigate) => void navigate({ to: list, params, search: {} }),
    },
    ...links.map(({ to, label }): Command => ({
      key: `screen:${to}`,
      label: t(label),
      icon: 'right',
      run: (navigate) => void navigate({ to: ['', project, environment, to].join('/') }),
    })),
    ...types
      .filter(({ isBlock }) => !isBlock)
      .map(({ apiName, name }): Command => ({
        key: `type:${apiName}`,
        label: t('palette.entriesOf', { type: name }),
        icon: 'list',
        run: (navigate) => void navigate({ to: list, params, search: { type: apiName } }),
      })),
  ];
}

function creationsOf({ slug: project, environment, types, may }: Project): Command[] {
  return types
    .filter(({ apiName, isBlock, isSingleton, entryCount }) => {
      const hasRoom = !isBlock && !(isSingleton && entryCount > 0);
      return hasRoom && may('entries.create', { contentType: apiName });
    })
    .map(({ apiName, name }) => ({
      key: `new:${apiName}`,
      label: t('palette.newEntry', { type: name }),
      icon: 'add',
      run: (navigate) =>
        void navigate({
          to: `${list}/new/$type`,
          params: { project, environment, type: apiName },
          search: { site: undefined, locale: undefined },
        }),
    }));
}

const usable = new Set(['ready', 'promoting']);

function switchesOf({ slug: project, environment, environments }: Project): Command[] {
  return environments
    .filter(({ slug, status }) => slug !== environment && usable.has(status))
    .map(({ slug, name }) => ({
      key: `environment:${slug}`,
      label: t('palette.environment', { name }),
      icon: 'folder',
      run: (navigate) => void navigate({ to: list, params: { project, environment: slug }, search: {} }),
    }));
}

const themesToChoose = (): Command[] =>
  themes
    .filter((one) => one !== theme())
    .map((one) => ({
      key: `theme:${one}`,
      label: t('palette.theme', { name: t(`theme.${one}`) }),
      icon: 'edit',
      run: () => applyTheme(one),
    }));

/** What the user may do without being on a screen for it. */
export const actionsOf = (project: Project): Command[] => [
  ...creationsOf(project),
  ...switchesOf(project),
  ...themesToChoose(),
];

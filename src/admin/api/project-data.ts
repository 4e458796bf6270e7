import { createContext, useContext } from 'react';
import type { OperationName } from '../../../contracts/index.js';
import { client, type Outputs } from './client.js';
import { everyItem, PAGE_SIZE } from './every-item.js';
import { failureOf } from './failure.js';
import type { Reach } from './permissions.js';

export type ContentType = Outputs['contentTypes']['get']['data'];
export type Field = ContentType['fields'][number];
export type Entry = Outputs['entries']['get']['data'];
export type Site = Outputs['sites']['get']['data'];
export type Environment = Outputs['environments']['get']['data'];
export type Asset = Outputs['media']['get']['data'];

/** What every screen of a project needs. */
export interface ProjectData {
  readonly types: readonly ContentType[];
  readonly sites: readonly Site[];
  /** Empty for those who may not list them. */
  readonly environments: readonly Environment[];
}

/** Roles may lack the permission to list some of what is shown beside the content. */
async function orNone<T>(reading: Promise<T[]>): Promise<T[]> {
  return reading.catch((error: unknown) => {
    if (failureOf(error).code === 'permission_denied') return [];
    throw error;
  });
}

export const readEnvironments = (projectSlug: string): Promise<Environment[]> =>
  orNone(everyItem((page) => client.environments.list.query({ projectSlug, page, limit: PAGE_SIZE })));

async function readProject(projectSlug: string): Promise<ProjectData> {
  const limit = PAGE_SIZE;
  const [types, sites, environments] = await Promise.all([
    everyItem((page) => client.contentTypes.list.query({ projectSlug, page, limit, orderBy: 'name:asc' })),
    everyItem((page) => client.sites.list.query({ projectSlug, page, limit, orderBy: 'createdAt:asc' })),
    readEnvironments(projectSlug),
  ]);
  return { types, sites, environments };
}

const PROJECT_MILLISECONDS = 60_000;

export const projectQuery = (projectSlug: string, environment: string) => ({
  queryKey: ['project', projectSlug, environment],
  queryFn: () => readProject(projectSlug),
  staleTime: PROJECT_MILLISECONDS,
});

export interface Project extends ProjectData {
  readonly slug: string;
  readonly name: string;
  readonly environment: string;
  /** Whether the user may call an operation somewhere, or within a locale or field. */
  readonly may: (operation: OperationName, reach?: Reach) => boolean;
}

export const ProjectContext = createContext<Project | undefined>(undefined);

export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (project === undefined) throw new Error('There is no project around this component.');
  return project;
}

export const typeOf = ({ types }: Pick<Project, 'types'>, apiName: string): ContentType | undefined =>
  types.find((type) => type.apiName === apiName);

/** Every locale of the sites, the default ones first. */
export const localesOf = ({ sites }: Pick<Project, 'sites'>): string[] => [
  ...new Set([
    ...sites.map(({ defaultLocale }) => defaultLocale),
    ...sites.flatMap(({ locales }) => locales),
  ]),
];

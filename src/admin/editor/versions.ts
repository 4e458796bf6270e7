import type { Outputs } from '../api/client.js';

/** Comment of versions that were saved automatically, in every language. */
export const AUTOSAVE_COMMENT = 'Autosave';

export type Version = Outputs['entries']['listVersions']['data'][number];

/** Versions that are shown as one line: the newest, and automatic saves before it by the same person. */
export interface VersionGroup {
  readonly newest: Version;
  readonly earlier: readonly Version[];
}

export const isAutosave = ({ comment }: Version): boolean => comment === AUTOSAVE_COMMENT;

const isSameActor = (a: Version, b: Version): boolean =>
  a.createdBy.type === b.createdBy.type && a.createdBy.id === b.createdBy.id;

const isFolded = (version: Version, newer: Version): boolean =>
  isAutosave(version) && isAutosave(newer) && isSameActor(version, newer) && !version.isPublished;

/** Folds consecutive automatic saves of one person. A published version keeps its line. */
export function groupVersions(versions: readonly Version[]): VersionGroup[] {
  const groups: { newest: Version; earlier: Version[] }[] = [];
  for (const version of versions) {
    const group = groups.at(-1);
    if (group !== undefined && isFolded(version, group.newest)) group.earlier.push(version);
    else groups.push({ newest: version, earlier: [] });
  }
  return groups;
}

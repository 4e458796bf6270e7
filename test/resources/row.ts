import type { Registry } from '../../contracts/index.js';
import type { Example } from '../support/scene.js';

/** System roles, and a custom one that may read and update articles. */
export type Role = 'owner' | 'admin' | 'developer' | 'editor' | 'author' | 'translator' | 'viewer' | 'scoped';

export interface ManagementAccess {
  readonly audience: 'management';
  readonly key: 'read' | 'create' | 'update' | 'publish' | 'unpublish' | 'delete' | 'any' | 'none';
  readonly roles: readonly Role[];
}

/** Who may call an operation (rules access/credentials and access/failures and access/grants). */
export type Access =
  ManagementAccess | { readonly audience: 'delivery' | 'platform' | 'session' | 'account' };

/** Ids of the other tenant's items. */
export interface ForeignIds {
  readonly site: string;
  readonly entry: string;
  readonly node: string;
  readonly role: string;
  readonly user: string;
}

/** An id of the input that the example omits. */
export interface ForeignId {
  readonly path: readonly (string | number)[];
  readonly kind: keyof ForeignIds;
  /** The id need not exist (a filter, a link in a draft): foreign and unknown ids have the same result. */
  readonly isQuiet?: boolean;
}

/** What the registry suites need about one operation. */
export interface Row {
  readonly access: Access;
  /** Creates what the call needs and returns a valid input. */
  readonly example: Example;
  /** The emitted event (rule events/webhooks). */
  readonly event?: string;
  readonly foreignIds?: readonly ForeignId[];
  /** Id positions in the example that may match nothing: filters, items of a bulk call. */
  readonly quietPositions?: readonly string[];
  /** The call makes the project unusable. */
  readonly needsOwnScene?: true;
}

export type Table<Group extends keyof Registry> = { readonly [Verb in keyof Registry[Group]]: Row };

export const allow =
  (...roles: Role[]) =>
  (key: ManagementAccess['key']): ManagementAccess => ({ audience: 'management', key, roles });

const lead = ['owner', 'admin'] as const;
const build = [...lead, 'developer'] as const;
const edit = [...build, 'editor'] as const;
const everyone = [...edit, 'author', 'translator', 'viewer'] as const;

export const leads = allow(...lead);
export const builders = allow(...build);
export const editors = allow(...edit);
export const editorsAndViewers = allow(...edit, 'viewer');
export const membersAndScoped = allow(...everyone, 'scoped');
export const members = allow(...everyone);
export const changers = allow(...edit, 'author', 'translator', 'scoped');
export const makers = allow(...edit, 'author');
/** May change assets; authors only their own. */
export const mediaChangers = allow(...edit, 'author', 'translator');

export const readers: Access = { audience: 'delivery' };
export const platform: Access = { audience: 'platform' };
export const session: Access = { audience: 'session' };
export const account: Access = { audience: 'account' };

export const at = (kind: ForeignId['kind'], ...path: (string | number)[]): ForeignId => ({ path, kind });
export const quiet = (kind: ForeignId['kind'], ...path: (string | number)[]): ForeignId => ({
  ...at(kind, ...path),
  isQuiet: true,
});

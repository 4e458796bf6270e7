/** Ids of the demo that addresses contain. */
export interface Places {
  /** An article. */
  readonly entry: string;
  /** A picture. */
  readonly asset: string;
  /** A release. */
  readonly release: string;
  /** A custom report that is made for the pictures. */
  readonly report: string;
}

export interface Screen {
  /** File name of its pictures. */
  readonly name: string;
  /** Below the address of the project and environment. */
  readonly address: string | ((places: Places) => string);
  /** Shown in the README of the admin app, with this title. */
  readonly title?: string;
}

/** The address of a screen below that of the project and environment. */
export const addressOf = ({ address }: Screen, places: Places): string =>
  typeof address === 'string' ? address : address(places);

/** Every screen of the admin app: one line each, areas add theirs. */
export const screens: readonly Screen[] = [
  { name: 'dashboard', address: '/dashboard', title: 'Dashboard' },
  { name: 'entries', address: '', title: 'List of entries' },
  { name: 'articles', address: '?type=article' },
  { name: 'new-entry', address: '/new/article' },
  { name: 'entry', address: ({ entry }) => `/entries/${entry}`, title: 'Entry' },
  { name: 'entry-beside', address: ({ entry }) => `/entries/${entry}?locale=de&beside=en` },
  { name: 'deleted-entries', address: '?deleted=true' },
  { name: 'tree', address: '/tree', title: 'Tree' },
  { name: 'content-types', address: '/content-types' },
  { name: 'schema', address: '/schema' },
  { name: 'redirects', address: '/redirects' },
  { name: 'sites', address: '/sites' },
  { name: 'workflows', address: '/workflows' },
  { name: 'entry-preview', address: ({ entry }) => `/entries/${entry}?panel=preview` },
  { name: 'entry-workflow', address: ({ entry }) => `/entries/${entry}?panel=workflow` },
  { name: 'entry-comments', address: ({ entry }) => `/entries/${entry}?panel=comments` },
  { name: 'custom-field-types', address: '/custom-field-types' },
  { name: 'media', address: '/media', title: 'Media library' },
  { name: 'media-asset', address: ({ asset }) => `/media/${asset}` },
  { name: 'calendar', address: '/calendar', title: 'Calendar' },
  { name: 'releases', address: '/releases' },
  { name: 'release', address: ({ release }) => `/releases/${release}` },
  { name: 'translations', address: '/translations' },
  { name: 'tasks', address: '/tasks' },
  { name: 'report-publishing', address: '/reports/publishing-activity', title: 'Report' },
  { name: 'report-health', address: '/reports/content-health' },
  { name: 'report-schema', address: '/reports/schema-usage' },
  { name: 'report-users', address: '/reports/user-activity' },
  { name: 'report-keys', address: '/reports/agent-activity' },
  { name: 'custom-reports', address: '/custom-reports' },
  { name: 'custom-report', address: ({ report }) => `/custom-reports/${report}` },
  { name: 'governance', address: '/governance' },
  { name: 'audit', address: '/audit', title: 'Audit' },
  { name: 'users', address: '/users' },
  { name: 'roles', address: '/roles' },
  { name: 'api-keys', address: '/api-keys' },
  { name: 'webhooks', address: '/webhooks' },
  { name: 'ip-allowlist', address: '/ip-allowlist' },
  { name: 'environments', address: '/environments' },
  { name: 'promote', address: '/promote' },
  { name: 'tenants', address: '/tenants' },
];

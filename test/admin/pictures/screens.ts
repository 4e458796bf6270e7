import { readdirSync, readFileSync } from 'node:fs';

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

/** Screens with an id, an address with parameters, or a title in the README. */
const named: readonly Screen[] = [
  { name: 'dashboard', address: '/dashboard', title: 'Dashboard' },
  { name: 'entries', address: '', title: 'List of entries' },
  { name: 'articles', address: '?type=article' },
  { name: 'new-entry', address: '/new/article' },
  { name: 'entry', address: ({ entry }) => `/entries/${entry}`, title: 'Entry' },
  { name: 'entry-beside', address: ({ entry }) => `/entries/${entry}?locale=de&beside=en` },
  { name: 'deleted-entries', address: '?deleted=true' },
  { name: 'tree', address: '/tree', title: 'Tree' },
  { name: 'entry-preview', address: ({ entry }) => `/entries/${entry}?panel=preview` },
  { name: 'entry-workflow', address: ({ entry }) => `/entries/${entry}?panel=workflow` },
  { name: 'entry-comments', address: ({ entry }) => `/entries/${entry}?panel=comments` },
  { name: 'media', address: '/media', title: 'Media library' },
  { name: 'media-asset', address: ({ asset }) => `/media/${asset}` },
  { name: 'calendar', address: '/calendar', title: 'Calendar' },
  { name: 'release', address: ({ release }) => `/releases/${release}` },
  { name: 'report-publishing', address: '/reports/publishing-activity', title: 'Report' },
  { name: 'custom-report', address: ({ report }) => `/custom-reports/${report}` },
  { name: 'audit', address: '/audit', title: 'Audit' },
];

const read = (file: string): string => readFileSync(`src/admin/${file}`, 'utf8');

/** What the routes of the app say, and the kinds of reports that share one route. */
const addresses = [
  ...['router.tsx', ...readdirSync('src/admin/routes').map((file) => `routes/${file}`)].flatMap((file) =>
    [...read(file).matchAll(/getParentRoute(?:,|: \(\) => projectRoute,)\s*path: '(\/[a-z-]+)'/g)].map(
      ([, path = '']) => path,
    ),
  ),
  ...[...read('insight/reports/report-kinds.tsx').matchAll(/^  '([a-z-]+)': kind\(/gm)].map(
    ([, name = '']) => `/reports/${name}`,
  ),
];
const isNamed = new Set(named.map(({ address }) => address));

/** Every screen of the admin app. */
export const screens: readonly Screen[] = [
  ...named,
  ...addresses
    .filter((address) => !isNamed.has(address))
    .map((address) => ({ name: address.slice(1).replaceAll('/', '-'), address })),
];

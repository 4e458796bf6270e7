import type { Desk } from '../../support/admin-desk.js';

/** Ids and days of the content that dialogs are opened on. */
export interface DialogPlaces {
  /** A published article of two versions, with a comment, a table and an author to choose. */
  readonly entry: string;
  readonly asset: string;
  readonly release: string;
  readonly report: string;
  readonly role: string;
  readonly view: string;
  /** On which a publication is scheduled. */
  readonly day: string;
}

/** The name of a button, link, item of a menu or checkbox that is clicked, or what else is done. */
export type Step = string | RegExp | ((desk: Desk) => Promise<unknown>);

interface OpenedDialog {
  /** Where it is rendered, below `src/admin`. */
  readonly file: string;
  readonly name: string;
  /** Below the address of the project and environment. */
  readonly at: string | ((places: DialogPlaces) => string);
  readonly steps: readonly Step[];
}

const entry = ({ entry: id }: DialogPlaces): string => `/entries/${id}`;
const panel = (name: string) => (places: DialogPlaces) => `${entry(places)}?panel=${name}`;
const asset = ({ asset: id }: DialogPlaces): string => `/media/${id}`;
const release = ({ release: id }: DialogPlaces): string => `/releases/${id}`;
const report = ({ report: id }: DialogPlaces): string => `/custom-reports/${id}`;
const view = ({ view: id }: DialogPlaces): string => `?view=${id}`;

const all = 'Select every loaded entry';
const firstOf =
  (selector: string) =>
  ({ page }: Desk) =>
    page.locator(selector).first().click();
const press = (key: string) => async (desk: Desk) => {
  await desk.page.keyboard.press(key);
};
const write = (label: string | RegExp, text: string) => async (desk: Desk) => {
  const field = desk.page.getByRole('textbox', { name: label });
  await field.click();
  await field.pressSequentially(text);
};
const inBody = async ({ page }: Desk): Promise<void> => {
  await page.getByRole('textbox', { name: 'Body', exact: true }).click();
};

/** Dialogs, menus and lists that the walk opens from their screens. */
export const dialogs: readonly OpenedDialog[] = [
  {
    file: 'account/personal-keys',
    name: 'new personal key',
    at: '/account',
    steps: ['Create a personal key'],
  },
  {
    file: 'administration/imports/start-import',
    name: 'import of a file',
    at: '/imports',
    steps: ['Import a file'],
  },
  { file: 'account/passkeys', name: 'new passkey', at: '/account', steps: ['Add a passkey'] },
  { file: 'account/second-factor', name: 'second factor', at: '/account', steps: ['Set up'] },
  { file: 'administration/new-tenant-dialog', name: 'new tenant', at: '/tenants', steps: ['New tenant'] },
  {
    file: 'administration/role-screen',
    name: 'limited permission',
    at: ({ role }) => `/roles/${role}`,
    steps: ['Add a limited permission'],
  },
  { file: 'editor/actions/entry-menu', name: 'menu of an entry', at: entry, steps: ['More'] },
  { file: 'editor/actions/entry-menu', name: 'duplicate', at: entry, steps: ['More', 'Duplicate …'] },
  { file: 'editor/actions/delete-dialog', name: 'delete entry', at: entry, steps: ['More', 'Delete …'] },
  { file: 'editor/actions/delete-dialog', name: 'unpublish', at: entry, steps: ['More', 'Unpublish …'] },
  {
    file: 'editor/comments/thread-item',
    name: 'delete comment',
    at: panel('comments'),
    steps: ['Delete'],
  },
  {
    file: 'editor/comments/comment-form',
    name: 'members to mention',
    at: panel('comments'),
    steps: [write('New comment', '@')],
  },
  {
    file: 'editor/create/new-entry-dialog',
    name: 'new author',
    at: entry,
    steps: ['Choose: Author', 'New Type'],
  },
  {
    file: 'editor/leave-guard',
    name: 'leave',
    at: '/new/article',
    steps: [write(/^Title/, 'Not saved'), 'Dashboard'],
  },
  {
    file: 'editor/locales/column-titles',
    name: 'copy a locale',
    at: (places) => `${entry(places)}?locale=de&beside=en`,
    steps: ['Copy all from English (en)'],
  },
  {
    file: 'editor/version-panel',
    name: 'compare versions',
    at: panel('versions'),
    steps: ['Compare with the current version'],
  },
  { file: 'entries/bulk-bar', name: 'menu of a selection', at: '', steps: [all, 'More'] },
  { file: 'entries/bulk-dialogs', name: 'publish a selection', at: '', steps: [all, 'Publish'] },
  {
    file: 'entries/bulk-transition',
    name: 'workflow of a selection',
    at: '',
    steps: [all, 'More', 'Workflow'],
  },
  { file: 'entries/entry-list-screen', name: 'types of entries', at: '', steps: ['New entry'] },
  { file: 'entries/list-filters', name: 'field filter', at: '?type=article', steps: ['Filter by field'] },
  { file: 'entries/list-filters', name: 'columns', at: '?type=article', steps: ['Columns'] },
  { file: 'entries/views/view-dialogs', name: 'new view', at: '?type=article', steps: ['Save as a view'] },
  { file: 'entries/views/view-dialogs', name: 'edit view', at: view, steps: ['Edit view'] },
  { file: 'entries/views/view-dialogs', name: 'delete view', at: view, steps: ['Edit view', 'Delete'] },
  { file: 'fields/add-block-dialog', name: 'kinds of blocks', at: '/new/landing', steps: ['Add to Parts'] },
  { file: 'fields/entry-picker', name: 'choose an entry', at: entry, steps: ['Choose: Author'] },
  {
    file: 'insight/audit/audit-screen',
    name: 'audit record',
    at: '/audit',
    steps: [firstOf('.text-button')],
  },
  { file: 'insight/custom/custom-report-screen', name: 'delete report', at: report, steps: ['Delete'] },
  { file: 'insight/custom/definition-dialog', name: 'edit report', at: report, steps: ['Edit report'] },
  {
    file: 'insight/governance/issue-dialog',
    name: 'governance issue',
    at: '/governance',
    steps: [firstOf('.text-button')],
  },
  {
    file: 'media/asset-picker',
    name: 'choose a file',
    at: entry,
    steps: [inBody, 'Insert a picture or file'],
  },
  { file: 'media/details/asset-screen', name: 'delete file', at: asset, steps: ['Delete'] },
  { file: 'media/library/folder-bar', name: 'new folder', at: '/media', steps: ['New folder'] },
  {
    file: 'media/library/selection-bar',
    name: 'tag files',
    at: '/media',
    steps: ['Select all shown', 'Add tags'],
  },
  {
    file: 'notifications/notification-panel',
    name: 'notifications',
    at: '/dashboard',
    steps: [/^Notifications/],
  },
  { file: 'palette/palette-dialog', name: 'palette', at: '/dashboard', steps: ['Search and commands'] },
  {
    file: 'palette/palette-dialog',
    name: 'results of the palette',
    at: '/dashboard',
    steps: ['Search and commands', press('t'), press('i')],
  },
  { file: 'planning/calendar/calendar-screen', name: 'calendar feed', at: '/calendar', steps: ['Subscribe'] },
  {
    file: 'planning/calendar/job-dialog',
    name: 'scheduled publication',
    at: ({ day }) => `/calendar?day=${day}`,
    steps: [firstOf('.calendar-item')],
  },
  {
    file: 'planning/releases/add-to-release',
    name: 'add to a release',
    at: entry,
    steps: ['More', 'Add to a release'],
  },
  {
    file: 'planning/releases/item-fields',
    name: 'choose a redirect',
    at: release,
    steps: [
      'Add a change',
      ({ page }) =>
        page.getByRole('combobox', { name: 'What changes', exact: true }).selectOption('Redirect'),
      ({ page }) => page.getByRole('combobox', { name: 'Change', exact: true }).selectOption({ index: 1 }),
      'Choose',
    ],
  },
  { file: 'planning/releases/new-item', name: 'change of a release', at: release, steps: ['Add a change'] },
  { file: 'planning/releases/release-dialogs', name: 'publish a release', at: release, steps: ['Publish'] },
  { file: 'planning/tasks/tasks-screen', name: 'assign work', at: '/tasks', steps: ['Assign work'] },
  {
    file: 'planning/translations/board-screen',
    name: 'export',
    at: '/translations',
    steps: ['Export XLIFF'],
  },
  {
    file: 'planning/translations/import-dialog',
    name: 'import',
    at: '/translations',
    steps: ['Import XLIFF'],
  },
  {
    file: 'planning/translations/translation-dialog',
    name: 'translation',
    at: '/translations',
    steps: [/A weir/],
  },
  { file: 'resources/item-dialog', name: 'new API key', at: '/api-keys', steps: ['New API key'] },
  { file: 'resources/action-dialog', name: 'revoke a key', at: '/api-keys', steps: ['Agent', 'Revoke'] },
  { file: 'rich-text/slash-menu', name: 'slash menu', at: '/new/article', steps: [inBody, press('/')] },
  {
    file: 'rich-text/toolbar',
    name: 'menu of tables',
    at: '/new/article',
    steps: [inBody, 'Insert a table', 'Table'],
  },
  {
    file: 'rich-text/editor-dialogs',
    name: 'link',
    at: entry,
    steps: [inBody, press('Control+A'), 'Link'],
  },
  {
    file: 'rich-text/link-target',
    name: 'entry of a link',
    at: entry,
    steps: [
      ...[inBody, press('Control+A'), 'Link'],
      ({ page }) => page.getByRole('dialog').getByRole('radio', { name: 'Entry', exact: true }).check(),
      'Choose',
    ],
  },
  {
    file: 'shell/project-shell',
    name: 'account',
    at: '/dashboard',
    steps: [firstOf('header > button:last-of-type')],
  },
  { file: 'shell/project-shell', name: 'shortcuts', at: '/dashboard', steps: [press('?')] },
  {
    file: 'structure/redirects/redirects-screen',
    name: 'import',
    at: '/redirects',
    steps: ['Import a CSV file'],
  },
  { file: 'structure/tree/new-node-dialog', name: 'new node', at: '/tree', steps: ['New node'] },
  {
    file: 'structure/tree/edit-node-dialog',
    name: 'edit node',
    at: '/tree',
    steps: [firstOf('[role=treeitem]'), /^Edit /],
  },
  {
    file: 'structure/tree/tree-screen',
    name: 'remove node',
    at: '/tree',
    steps: [firstOf('[role=treeitem]'), /^Remove /],
  },
  {
    file: 'structure/types/field-dialog',
    name: 'new field',
    at: '/content-types/article',
    steps: ['Add a field'],
  },
  {
    file: 'structure/types/type-screen',
    name: 'settings',
    at: '/content-types/article',
    steps: ['Settings'],
  },
  { file: 'structure/types/type-screen', name: 'rename', at: '/content-types/article', steps: ['Rename'] },
  {
    file: 'structure/types/type-screen',
    name: 'delete field',
    at: '/content-types/article',
    steps: ['Delete Title'],
  },
  {
    file: 'structure/types/delete-type-dialog',
    name: 'delete type',
    at: '/content-types/article',
    steps: ['Delete'],
  },
];

import type { Desk } from '../../support/admin-desk.js';
import type { Step } from './dialogs.js';

/** Dialogs that show the outcome of longer work. The test that does this work checks them with `expectAccessible`. */
export const elsewhere: readonly { readonly file: string; readonly test: string; readonly name: string }[] = [
  { file: 'account/connections', test: 'account', name: 'end a connection' },
  { file: 'account/passkeys', test: 'account', name: 'remove a passkey' },
  { file: 'account/second-factor', test: 'account', name: 'turn off the second factor' },
  { file: 'administration/promote-dialog', test: 'administration-flows', name: 'promote' },
  { file: 'editor/actions/reference-list', test: 'editor-problems', name: 'publish along' },
  { file: 'editor/autosave/recovery-dialog', test: 'editor-autosave', name: 'recovery' },
  { file: 'editor/conflict-dialog', test: 'editor-autosave', name: 'conflict' },
  { file: 'entries/bulk-dialogs', test: 'content-lists', name: 'refused entries' },
  { file: 'media/details/replace-file', test: 'media-replacement', name: 'file not replaced' },
  { file: 'media/library/selection-bar', test: 'media', name: 'refused files' },
  { file: 'planning/tasks/task-row', test: 'planning', name: 'workflow of a task' },
  { file: 'resources/secret-dialog', test: 'administration', name: 'secret' },
  { file: 'rich-text/editor-dialogs', test: 'rich-text-pasting', name: 'picture details' },
  { file: 'session/login-screen', test: 'admin-app', name: 'login over the screen' },
  { file: 'structure/schema/schema-screen', test: 'structure-schema', name: 'undo of the schema' },
];

/** Does a step in the dialog that is open, else on the screen. */
export async function take(desk: Desk, step: Step): Promise<void> {
  if (typeof step === 'function') {
    await step(desk);
    return;
  }
  const { page } = desk;
  const dialog = page.locator('dialog[open]').last();
  const area = (await dialog.isVisible()) ? dialog : page.locator('body');
  const name = { name: step, exact: true };
  const roles = ['button', 'menuitem', 'link', 'checkbox'] as const;
  const [first, ...others] = roles.map((role) => area.getByRole(role, name));
  if (first === undefined) return;
  await others
    .reduce((all, one) => all.or(one), first)
    .first()
    .click();
}

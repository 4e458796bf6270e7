import type { ReactNode } from 'react';
import { maybeText, t } from '../../texts/index.js';
import type { AuditEvent } from './audit-queries.js';

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `ip_rule` as "allowed network". */
export const subjectText = (subject: string): string =>
  maybeText(`subject.${subject}`) ?? subject.replaceAll('_', ' ');

const verbText = (verb: string): string => maybeText(`did.${verb}`) ?? verb.replaceAll('_', ' ');

/** `entry.publish` as "Entry: published". */
export function actionText(action: string): string {
  const [subject = '', verb = ''] = action.split('.');
  return `${capitalized(subjectText(subject))}: ${verbText(verb)}`;
}

/** What a person sees of the target; ids mean nothing to them. */
export const targetText = ({ name, id }: AuditEvent['target']): string =>
  name === '' || name === id ? t('audit.nameless') : name;

/** Such as "Rita published entry About", with the name as the caller shows it. */
export function sentenceOf({ action, actor }: AuditEvent, name: ReactNode): ReactNode {
  const [subject = '', verb = ''] = action.split('.');
  const words = { actor: actor.name, verb: verbText(verb), subject: subjectText(subject), name: '\n' };
  const [before = '', after = ''] = t('audit.sentence', words).split('\n');
  return (
    <>
      {before}
      {name}
      {after}
    </>
  );
}

const content = ['create', 'update', 'delete'] as const;
const actionsBySubject: Readonly<Record<string, readonly string[]>> = {
  entry: [
    ...['create', 'update', 'publish', 'unpublish', 'schedule', 'move', 'transition', 'approve', 'assign'],
    ...['restore', 'delete', 'undelete', 'bulk', 'import'],
  ],
  media: [...content, 'locale_update', 'bulk'],
  tree_node: [...content, 'move'],
  translation: ['assign', 'update', 'mark_stale'],
  comment: [...content, 'resolve', 'reopen'],
  redirect: [...content, 'import'],
  content_type: [...content, 'rename'],
  field: [...content, 'rename'],
  schema: ['apply', 'undo'],
  workflow: content,
  site: content,
  locale: content,
  environment: [...content, 'promote', 'rollback'],
  user: [...content, 'remove', 'invite', 'invitation_revoke', 'password_reset', 'password_change'],
  role: [...content, 'grant', 'ungrant'],
  api_key: ['create', 'update', 'rotate', 'revoke'],
  webhook: [...content, 'rotate_secret', 'adopt', 'disable', 'test'],
  ip_rule: content,
  session: ['create', 'end'],
};

/** Actions that the filter offers, by what they are about. */
export const actionGroups = Object.entries(actionsBySubject).map(([subject, verbs]) => ({
  subject,
  label: capitalized(subjectText(subject)),
  actions: verbs.map((verb) => ({ action: `${subject}.${verb}`, label: actionText(`${subject}.${verb}`) })),
}));

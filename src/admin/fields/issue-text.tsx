import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { issueText, type Issue } from '../api/failure.js';
import { typeOf, useProject } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import { partsOf } from '../api/issue-words.js';
import { titleOf } from '../entries/entry-title.js';
import { EntryLink } from '../insight/entry-link.js';
import { t } from '../texts/index.js';

/** An entry by its title, which is read. */
export function NamedEntry({ id }: { readonly id: string }) {
  const project = useProject();
  const { locale } = usePlace();
  const call = { projectSlug: project.slug, id, ...(locale !== '' && { locale }) };
  const { data, error } = useQuery(api.entries.get.queryOptions(call, { retry: false }));
  const entry = data?.data;
  if (error !== null) return <span>{t('issue.unknown')}</span>;
  const title =
    entry === undefined ? t('app.loading') : titleOf(entry, typeOf(project, entry.contentTypeApiName));
  return <EntryLink id={id} locale={locale === '' ? null : locale} title={title} />;
}

type IssueMessage = Pick<Issue, 'code' | 'message'>;

/**
 * What is wrong: the message that the project set for the field, else that of the app if it has one.
 * Ids stay: they are shown as links.
 */
export function useMessageOf(): (issue: IssueMessage) => string {
  const { types } = useProject();
  const own = new Set<unknown>(
    types.flatMap(({ fields }) => fields.map((field) => field.validations.message)),
  );
  return (issue) => (own.has(issue.message) ? issue.message : issueText(issue));
}

/** A message in which entries are named by their titles. */
export const IssueText = ({ text }: { readonly text: string }) =>
  partsOf(text).map((part, index) => (index % 2 === 1 ? <NamedEntry id={part} key={index} /> : part));

interface MessagesProps {
  readonly messages: readonly string[];
}

/** Messages of a field, each in a line. */
export const Messages = ({ messages }: MessagesProps) =>
  messages.map((message) => (
    <p className="problem" key={message}>
      <IssueText text={message} />
    </p>
  ));

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BrokenLink } from '../../../../contracts/entries/entries/entry-reference.js';
import { api, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../entries/status-badge.js';
import { EntryLink } from '../../insight/entry-link.js';
import { localeName, t } from '../../texts/index.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Loaded } from '../../ui/states.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { IssueText } from '../../fields/issue-text.js';
import { useFieldNames } from '../field-label.js';
import type { EntryEditor } from '../use-entry-editor.js';

const SHOWN = 20;

/** The drafts that refer to an entry, with the field and locale of each. */
export function ReferenceList({ id, empty }: { readonly id: string; readonly empty: string }) {
  const project = useProject();
  const [page, setPage] = useState(1);
  const input = { projectSlug: project.slug, id, page, limit: SHOWN };
  const query = useQuery(
    api.entries.listReferences.queryOptions(input, { placeholderData: keepPreviousData, staleTime: 0 }),
  );
  const fieldOf = useFieldNames();
  return (
    <Loaded query={query}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <p className="soft">{empty}</p>
        ) : (
          <>
            <ul aria-label={t('uses.list')} className="versions">
              {data.map(({ entryId, contentTypeApiName, fieldApiName, blocks, locale, title, status }) => (
                <li className="version" key={[entryId, fieldApiName, ...blocks, locale].join(' ')}>
                  <p className="row">
                    <span className="grow clip">
                      <EntryLink id={entryId} locale={locale} title={title} />
                    </span>
                    <StatusBadge status={status} />
                  </p>
                  <p className="small soft">
                    {[
                      fieldOf(contentTypeApiName, fieldApiName, blocks.length > 0),
                      ...(locale === null ? [] : [localeName(locale)]),
                    ].join(' · ')}
                  </p>
                </li>
              ))}
            </ul>
            {meta.pages > 1 && (
              <PageSwitch onPage={setPage} page={page} pages={meta.pages} total={meta.total} />
            )}
          </>
        )
      }
    </Loaded>
  );
}

interface LinkedProps {
  readonly id: string;
  readonly direction: 'out' | 'in';
  readonly label: string;
}

/** What an entry uses; with `in`, entries whose published version alone refers to it. */
export function LinkedList({ id, direction, label }: LinkedProps) {
  const { slug, environment } = useProject();
  const input = { projectSlug: slug, id, direction };
  const query = useQuery(api.entries.listDependencies.queryOptions(input, { staleTime: 0 }));
  const shown = (query.data?.data ?? []).filter(
    ({ links }) => direction === 'out' || links.every(({ inDraft }) => !inDraft),
  );
  if (shown.length === 0) return null;
  return (
    <>
      <h3>{label}</h3>
      <ul aria-label={label} className="versions">
        {shown.map(({ kind, id: linked, title, status, links }) => (
          <li className="version" key={linked}>
            <p className="row">
              <span className="grow clip">
                {kind === 'entry' ? (
                  <EntryLink id={linked} locale={null} title={title} />
                ) : (
                  <Link
                    className="row-link"
                    params={{ project: slug, environment, asset: linked }}
                    to="/$project/$environment/media/$asset"
                  >
                    {title}
                  </Link>
                )}
              </span>
              {status !== null && <StatusBadge status={status} />}
            </p>
            {direction === 'out' && links.every(({ inDraft }) => !inDraft) && (
              <p className="small soft">{t('uses.publishedOnly')}</p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface BrokenProps {
  readonly id: string;
  /** Undefined: the entry is deleted in every locale. */
  readonly locale?: string;
}

/** The published links that unpublishing or deleting an entry breaks, asked of the service without doing it. */
export function BrokenLinks({ id, locale }: BrokenProps) {
  const { slug: projectSlug } = useProject();
  const fieldOf = useFieldNames();
  const { data: broken = [] } = useQuery({
    queryKey: ['broken links', projectSlug, id, locale],
    queryFn: async (): Promise<readonly BrokenLink[]> => {
      const call = { projectSlug, id, dryRun: true };
      const { meta } = await (locale === undefined
        ? client.entries.delete.mutate(call)
        : client.entries.unpublish.mutate({ ...call, locale }));
      return meta?.broken ?? [];
    },
    staleTime: 0,
  });
  if (broken.length === 0) return null;
  return (
    <>
      <h3>{t('broken.title')}</h3>
      <p className="soft">{t('broken.hint')}</p>
      <ul aria-label={t('broken.title')} className="versions">
        {broken.map(({ entryId, contentTypeApiName, fieldApiName, title, locale: of, isRestricting }) => (
          <li className="version" key={[entryId, fieldApiName, of].join(' ')}>
            <p className="clip">
              <EntryLink id={entryId} locale={of} title={title} />
            </p>
            <p className="small soft">
              {[
                fieldOf(contentTypeApiName, fieldApiName),
                localeName(of),
                ...(isRestricting ? [t('broken.needed')] : []),
              ].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What would be published with an entry, asked of the service without doing it. */
function PublicationPlan({ id, locale }: Required<BrokenProps>) {
  const { slug: projectSlug } = useProject();
  const query = useQuery({
    queryKey: ['publication plan', projectSlug, id, locale],
    queryFn: async () => {
      const call = { projectSlug, id, locale, withDependencies: true, dryRun: true };
      return (await client.entries.publish.mutate(call)).meta?.publishes ?? [];
    },
    staleTime: 0,
    retry: false,
  });
  if (query.error !== null) return <p className="problem">{t('plan.refused')}</p>;
  const along = (query.data ?? []).filter(({ isDependency }) => isDependency);
  if (along.length === 0) return null;
  return (
    <>
      <h3>{t('plan.title')}</h3>
      <ul aria-label={t('plan.title')} className="versions">
        {along.map(({ entryId, title, locale: of }) => (
          <li className="version" key={entryId}>
            <p className="clip">
              <EntryLink id={entryId} locale={of} title={title} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

interface BehindProps {
  readonly editor: EntryEditor;
  /** What the check found about entries that readers would not see. */
  readonly messages: readonly string[];
  readonly onClose: () => void;
}

/** Asks whether entries that are not published go along, because readers would miss them. */
export function BehindDialog({ editor, messages, onClose }: BehindProps) {
  const publish = (along: boolean) => () => {
    onClose();
    void editor.publish(along);
  };
  return (
    <Dialog onClose={onClose} title={t('publish.behindTitle')}>
      <p>{t('publish.behindHint', { locale: localeName(editor.saved.locale) })}</p>
      <ul>
        {messages.map((message) => (
          <li key={message}>
            <IssueText text={message} />
          </li>
        ))}
      </ul>
      <PublicationPlan id={editor.saved.id} locale={editor.saved.locale} />
      <DialogFooter isFocused onCancel={onClose} onRun={publish(true)} run={t('publish.along')}>
        <button className="button" onClick={publish(false)} type="button">
          {t('publish.alone')}
        </button>
      </DialogFooter>
    </Dialog>
  );
}

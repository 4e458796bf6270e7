import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Outputs } from '../../api/client.js';
import { cursorPages } from '../../api/cursor-pages.js';
import { useProject } from '../../api/project-data.js';
import { entryName } from '../../insight/entry-link.js';
import { formatNumber, formatTime, t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshWork } from '../tasks/use-tasks.js';
import { useMembers } from '../users.js';
import type { BoardSearch } from '../../routes/searches.js';
import { settableStatuses, translationText, type TranslationStatus } from './statuses.js';

type Translation = Outputs['translations']['list']['data'][number];

const PAGE = 20;
/** What a drag carries: the id of an entry. */
const DRAGGED = 'application/x-headwater-translation';

interface Props {
  readonly status: TranslationStatus;
  readonly locale: string;
  readonly search: BoardSearch;
  readonly onOpen: (entryId: string) => void;
}

function useColumn({ status, locale, search }: Props) {
  const { slug: projectSlug } = useProject();
  const { type, site, assignee, priority } = search;
  const input = {
    projectSlug,
    locale,
    limit: PAGE,
    status: [status],
    ...(type !== undefined && { contentTypeApiName: [type] }),
    ...(site !== undefined && { siteId: [site] }),
    ...(assignee !== undefined && { assigneeId: [assignee] }),
    ...(priority !== undefined && { priority: [priority] }),
  };
  return useInfiniteQuery(
    cursorPages(api.translations.list.queryKey(input), (cursor) =>
      client.translations.list.query({ ...input, cursor }),
    ),
  );
}

interface CardProps {
  readonly translation: Translation;
  readonly locale: string;
  readonly onOpen: () => void;
}

function Card({ translation: { entryId, title, locales, contentTypeApiName }, locale, onOpen }: CardProps) {
  const { types, may } = useProject();
  const members = useMembers();
  const work = locales.find((one) => one.locale === locale);
  const assignee = members.find(({ id }) => id === work?.assigneeId);
  const dueAt = work?.dueAt ?? null;
  const outdated = work?.outdatedFields.length ?? 0;
  return (
    <button
      className="board-card"
      draggable={may('translations.update') && work?.status !== 'missing'}
      onClick={onOpen}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, entryId)}
      type="button"
    >
      <span className="clip">{entryName(title)}</span>
      <span className="soft small clip">
        {[
          types.find(({ apiName }) => apiName === contentTypeApiName)?.name ?? contentTypeApiName,
          ...(assignee === undefined ? [] : [assignee.name]),
        ].join(' · ')}
      </span>
      <span className="row tight">
        {work?.priority === 'high' && <span className="badge overdue">{t('priority.high')}</span>}
        {dueAt !== null && <span className="badge changed">{formatTime(dueAt)}</span>}
        {outdated > 0 && <span className="badge changed">{t('board.outdated', { count: outdated })}</span>}
      </span>
    </button>
  );
}

/** The translations in one status. What is written can be dropped on another one. */
export function BoardColumn(props: Props) {
  const { status, locale, onOpen } = props;
  const { slug: projectSlug, may } = useProject();
  const query = useColumn(props);
  const [isOver, setIsOver] = useState(false);
  const target = settableStatuses.find((one) => one === status);
  const take = async (entryId: string): Promise<void> => {
    try {
      await client.translations.update.mutate({ projectSlug, entryId, locale, status: target });
      notify(t('board.moved', { status: translationText(status) }));
    } catch (error) {
      notifyFailure(error);
    }
    refreshWork();
  };
  return (
    <section
      aria-label={translationText(status)}
      className={isOver ? 'board-column over' : 'board-column'}
      onDragLeave={() => setIsOver(false)}
      onDragOver={(event) => {
        if (target === undefined || !may('translations.update')) return;
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDrop={(event) => {
        setIsOver(false);
        const entryId = event.dataTransfer.getData(DRAGGED);
        if (entryId === '') return;
        event.preventDefault();
        void take(entryId);
      }}
    >
      <Loaded query={query}>
        {({ pages }) => {
          const cards = pages.flatMap(({ data }) => data);
          return (
            <>
              <h2 className="row">
                <span className="grow">{translationText(status)}</span>
                <span className="soft small">{formatNumber(pages[0]?.meta.total ?? cards.length)}</span>
              </h2>
              <ul className="board-cards">
                {cards.map((translation) => (
                  <li key={translation.entryId}>
                    <Card
                      locale={locale}
                      onOpen={() => onOpen(translation.entryId)}
                      translation={translation}
                    />
                  </li>
                ))}
              </ul>
              {query.hasNextPage && (
                <button
                  className="button"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                  type="button"
                >
                  {t('board.more')}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

import { ICalCalendar, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { StoredItem } from './calendar.repository.js';

const SECONDS_BETWEEN_READS = 900;

const verbs: Readonly<Record<StoredItem['kind'], string>> = {
  publish: 'Publish',
  unpublish: 'Unpublish',
  published: 'Published',
  unpublished: 'Unpublished',
};

/** RFC 5545 permits tabs and line feeds only. */
const plain = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ');

function summaryOf({ kind, status, entryTitle, entryId, locale }: StoredItem): string {
  const failed = status === 'failed' ? 'Failed: ' : '';
  return plain(`${failed}${verbs[kind]} ${entryTitle === '' ? entryId : entryTitle} (${locale})`);
}

function descriptionOf({ contentTypeApiName, status, timezone, entryId, error }: StoredItem): string {
  const lines = [
    `Type: ${contentTypeApiName}`,
    `Status: ${status}`,
    `Time zone: ${timezone}`,
    `Entry: ${entryId}`,
    ...(error === null ? [] : [`Error: ${error.code}: ${error.message}`]),
  ];
  return plain(lines.join('\n'));
}

function statusOf({ status, orphaned }: StoredItem): ICalEventStatus {
  if (status === 'canceled') return ICalEventStatus.CANCELLED;
  return orphaned ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}

/**
 * An RFC 5545 calendar with times in UTC. Equal items give equal text, so that it can have an entity tag.
 * @param name of letters, digits and hyphens: the library does not escape it
 */
export function calendarFeed(name: string, items: readonly StoredItem[]): string {
  const calendar = new ICalCalendar({
    name,
    prodId: { company: 'Headwater', product: 'Calendar' },
    ttl: SECONDS_BETWEEN_READS,
  });
  for (const item of items) {
    calendar.createEvent({
      id: `${item.id}@headwater`,
      start: item.scheduledAt,
      stamp: item.updatedAt,
      lastModified: item.updatedAt,
      summary: summaryOf(item),
      description: descriptionOf(item),
      categories: [{ name: item.kind }],
      status: statusOf(item),
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  return `${calendar.toString()}\r\n`;
}

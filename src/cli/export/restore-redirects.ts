import { limits } from '../../../contracts/limits.js';
import { everyItem } from '../client/rest-operations.js';
import { loseUnlessFatal, type Restore } from './restore-settings.js';

/** Redirects in their order. One of the same path is changed. */
export async function restoreRedirects(restore: Restore): Promise<void> {
  const { client, projectSlug, reader, report, ids } = restore;
  const known = new Map<string, { id: string; text: string }>();
  const nameOf = (siteId: string, { locale, source }: { locale: string | null; source: string }) =>
    JSON.stringify([siteId, locale, source]);
  for await (const { id, siteId, locale, source, ...rest } of everyItem((page) =>
    client.call('redirects', 'list', {
      projectSlug,
      orderBy: 'createdAt:asc',
      limit: limits.pageLimitMaximum,
      page,
    }),
  ))
    known.set(nameOf(siteId, { locale, source }), { id, text: textOf(rest) });
  for await (const { value } of reader.lines('redirects.jsonl')) {
    const { siteId: _siteId, ...redirect } = value;
    const siteId = ids.get(value.siteId) ?? value.siteId;
    const found = known.get(nameOf(siteId, value));
    const isSame = found?.text === textOf(value);
    report.count('redirect', found === undefined ? 'made' : isSame ? 'same' : 'changed');
    if (isSame) continue;
    const sent =
      found === undefined
        ? client.call('redirects', 'create', { projectSlug, siteId, ...redirect })
        : client.call('redirects', 'update', { projectSlug, id: found.id, ...redirect });
    await sent.catch((error: unknown) => {
      loseUnlessFatal(restore, error, { kind: 'redirect', where: value.source, what: 'the redirect' });
    });
  }
}

/** What can differ between two redirects of a path. */
const textOf = (given: {
  readonly target: string | null;
  readonly status: number;
  readonly matchType: string;
  readonly queryMatch: string;
  readonly isActive: boolean;
  readonly note: string | null;
}): string => {
  const { target, status, matchType, queryMatch, isActive, note } = given;
  return JSON.stringify([target, status, matchType, queryMatch, isActive, note]);
};

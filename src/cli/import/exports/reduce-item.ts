import { createHash } from 'node:crypto';
import { AppError, type InputIssue } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { reasonOf, type BatchItemInput } from '../send-items.js';
import type { Losses, SourceEntry, SourceVersion } from './export-source.js';

/** Times that items are sent with less than before. */
const ROUNDS = 8;

export type Upsert = Extract<BatchItemInput, { action: 'upsert' }>;

export interface Job {
  readonly entry: SourceEntry;
  readonly version: SourceVersion;
  readonly item: Upsert;
  /** Reported once the item is written. */
  readonly losses: readonly EntryLoss[];
}

export type Reason = readonly [what: string, why: string, remedy: string];
export type EntryLoss = readonly [place: string, reason: Reason];

const facts = ['createdAt', 'updatedAt', 'publishedAt', 'createdByName'] as const;

export const factsLost: EntryLoss = [
  'dates and author',
  [
    'dates and author',
    'The caller lacks the permission entries.import.',
    'Import with the session of an owner or admin, into an empty project.',
  ],
];

/** Failures of the whole run, which continues later. */
export const isFatal = (error: AppError): boolean =>
  error.status === 401 || error.status === 429 || error.status >= 500;

/** What a run leaves out of items that are refused. */
export class Refusals {
  /** False once the caller may not name times and authors. */
  keepsFacts = true;
  /** Items that could not be written. */
  failed = 0;

  constructor(private readonly losses: Losses) {}

  /** What is sent again of an item. @throws Error that ends the run */
  readonly reduce = (job: Job, error: Error, round: number): Job[] => {
    if (!(error instanceof AppError) || isFatal(error)) throw error;
    if (namesFacts(error)) this.keepsFacts = false;
    const rest = reduceItem(job, error, round);
    if (rest !== undefined) return [rest];
    const reason = ['the entry', reasonOf(error), 'Correct the cause, and import again.'] as const;
    this.losses.add('entry', `${job.entry.where} / ${job.version.locale}`, reason);
    this.failed += 1;
    return [];
  };
}

/**
 * The same item without what was refused, to be sent again; undefined if nothing can be left out.
 * @param round how often it was sent, from 0
 */
function reduceItem(job: Job, error: AppError, round: number): Job | undefined {
  const { code, details } = error;
  const {
    item,
    version: { locale, slug },
  } = job;
  const { issues = [] } = (details ?? {}) as { issues?: readonly InputIssue[] };
  if (round >= ROUNDS) return undefined;
  if (namesFacts(error)) return withoutFacts(job);
  if (code === 'slug_conflict' && slug !== undefined) {
    const free = `${slug.slice(0, limits.slugLength - 10)}-${suffixOf(job)}`;
    const reason = [
      `the slug ${slug}`,
      `Another entry has it; the slug is ${free}.`,
      'Change the slug.',
    ] as const;
    const place = `${locale} / slug`;
    const losses = job.losses.filter(([known]) => known !== place);
    return reduced({ ...job, losses }, { ...item, slug: free }, [place, reason]);
  }
  const rest = code === 'validation_failed' ? withoutRefused(job, issues, round) : undefined;
  if (rest !== undefined || item.publish !== true) return rest;
  const { publishedAt: _publishedAt, ...draft } = item;
  const reason = ['published', reasonOf(error), 'Correct the entry, and publish it.'] as const;
  return reduced(job, { ...draft, publish: false }, [locale, reason]);
}

/** The same in every run: 2, then 3, then one of the entry alone. */
function suffixOf({ entry, version, item }: Job): string {
  if (item.slug === version.slug) return '2';
  if (item.slug?.endsWith('-2') === true) return '3';
  return createHash('sha256').update(entry.id).digest('hex').slice(0, 8);
}

/** Keys, and users without the right to import, cannot set dates and authors. */
function namesFacts({ code, details }: AppError): boolean {
  const { path = [] } = (details ?? {}) as { path?: InputIssue['path'] };
  return code !== 'validation_failed' && facts.some((name) => path[0] === name);
}

function withoutFacts(job: Job): Job {
  const { createdAt: _c, updatedAt: _u, publishedAt: _p, createdByName: _n, ...item } = job.item;
  return reduced(job, item, factsLost);
}

const reduced = (job: Job, item: Upsert, ...losses: readonly EntryLoss[]): Job => ({
  ...job,
  item,
  losses: [...job.losses, ...losses],
});

/** An entry that others could not be linked to is tried again before the link is left out. */
function withoutRefused(job: Job, issues: readonly InputIssue[], round: number): Job | undefined {
  const item: Record<string, unknown> = { ...job.item, fields: { ...job.item.fields } };
  const losses: EntryLoss[] = [];
  for (const {
    path: [part = '', name = ''],
    code,
    message,
  } of issues) {
    if (code === 'unresolved_reference' && round === 0) return job;
    const holder = part === 'fields' ? (item.fields as Record<string, unknown>) : item;
    const key = String(part === 'fields' ? name : part);
    if (!['fields', 'slug', ...facts].includes(String(part)) || !Object.hasOwn(holder, key)) continue;
    Reflect.deleteProperty(holder, key);
    losses.push([
      `${job.version.locale} / ${key}`,
      ['the value', message, 'Edit the entry after the import.'],
    ]);
  }
  return losses.length === 0 ? undefined : reduced(job, item as Upsert, ...losses);
}

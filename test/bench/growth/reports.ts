import { AUDIT_DAYS } from './reports-content.js';
import type { Measure } from './measures.js';
import type { Stage } from './stage.js';

/** Another limit each round makes another request. */
const limit = (round: number): string => `limit=${String(20 + (round % 10))}`;
const since = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const report = (name: string, query = ''): Measure => ({
  name: query === '' ? name : `${name}, ${query.replace(/^from=.*/, 'all')}`,
  run: (stage, round) => stage.call('GET', `{main}/reports/${name}?${limit(round)}&${query}`),
});
const all = `from=${since(AUDIT_DAYS)}&granularity=week`;

const made = new WeakMap<Stage, Map<string, Promise<string>>>();

/** The id of a custom report, which is created once. */
async function definedIn(stage: Stage, name: string, body: object): Promise<string> {
  const ids = made.get(stage) ?? new Map<string, Promise<string>>();
  made.set(stage, ids);
  const create = async (): Promise<string> => {
    const answer = await stage.call('POST', '{main}/custom-reports', {
      name,
      metrics: [{ op: 'count' }],
      ...body,
    });
    return (answer as { data: { id: string } }).data.id;
  };
  const id = ids.get(name) ?? create();
  ids.set(name, id);
  return id;
}

const custom = (name: string, body: object): Measure => ({
  name: `custom: ${name}`,
  prepare: (stage) => definedIn(stage, name, body),
  run: (stage, round, id) =>
    stage.call('GET', `{main}/custom-reports/${id}/run?to=${encodeURIComponent(since(round / 96))}`),
});

/** Reports over audit records. */
export const auditMeasures: readonly Measure[] = [
  report('publishing-activity'),
  report('publishing-activity', all),
  report('publishing-activity', 'timezone=Europe/Berlin'),
  report('user-activity'),
  report('user-activity', all),
  report('agent-activity'),
  report('agent-activity', all),
  report('schema-usage'),
  report('content-health'),
  custom('records by day and action', { source: 'audit', groupBy: ['date', 'action'] }),
  custom('records by actor', { source: 'audit', groupBy: ['actorId', 'resource'] }),
  custom('publications by type', { source: 'publishing', groupBy: ['contentTypeApiName', 'locale'] }),
];

const found = new WeakMap<Stage, Promise<number>>();

/** The report after the job has found all issues. */
export const healthMeasures: readonly Measure[] = ['', 'contentTypeApiName=page', 'locale=en'].map(
  (query) => {
    const measure = report('content-health', query);
    return {
      ...measure,
      prepare: async (stage) => {
        const first = found.get(stage) ?? stage.composition.jobs.assessHealth();
        found.set(stage, first);
        await first;
        return '';
      },
    };
  },
);

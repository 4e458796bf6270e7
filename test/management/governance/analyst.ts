import { openDesk, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import type { TestApp } from '../../support/app.js';
import type {
  DetectorName,
  GovernanceAnalysis,
  GovernanceIssue,
} from '../../../contracts/insight/governance/governance.js';
import { editorial, newWorkflow } from '../workflows/definitions.js';

export const analyze = async (desk: Desk, body: object = {}): Promise<GovernanceAnalysis> => {
  const response = await desk.post('/governance/analyze', body);
  if (response.status !== 200) throw new Error(`analyze: ${String(response.status)} ${response.text}`);
  return (response.body as { data: GovernanceAnalysis }).data;
};

export const issuesOf = async (desk: Desk, query = ''): Promise<GovernanceIssue[]> =>
  ((await desk.get(`/governance/issues?limit=100${query}`)).body as { data: GovernanceIssue[] }).data;

/** What one detector finds about a subject now. */
export async function found(
  desk: Desk,
  detector: DetectorName,
  subjectId: string,
): Promise<GovernanceIssue | undefined> {
  await analyze(desk, { detectors: [detector] });
  return (await issuesOf(desk, `&subjectId=${subjectId}&detector=${detector}`))[0];
}

/** A project whose articles have a workflow. */
export async function reviewedDesk(app: TestApp): Promise<Desk> {
  const desk = await openDesk(app);
  await newWorkflow(desk, editorial());
  return desk;
}

export async function published(desk: Desk, title = 'A lock'): Promise<string> {
  const { id } = await createEntry(desk.app, desk.project, {
    contentTypeApiName: 'article',
    fields: { title },
  });
  await desk.post(`/entries/${id}/publish`, {});
  return id;
}

export interface Happened {
  readonly action: string;
  /** Times of the records. */
  readonly at: readonly Date[];
  /** Of the records, unless it is no entry that matters. */
  readonly targetId?: string;
  readonly interface?: 'management' | 'mcp';
  readonly actor: { readonly type: string; readonly id: string; readonly name: string };
}

/** Writes audit records, as if it had happened. */
export async function happened({ app, project }: Desk, happening: Happened): Promise<void> {
  const { action, at, actor, targetId = 'x', interface: surface = 'management' } = happening;
  await app.rows(
    project.tenantId,
    `INSERT INTO audit_events (id, tenant_id, project_id, project_slug, environment_id, environment, at, action, actor, target,
       changed_fields, context, metadata)
     SELECT gen_random_uuid(), $1, $2, $3, h.environment_id, h.environment_slug, given.at, $4, $5,
       jsonb_build_object('type', 'entry', 'id', $7::text, 'name', ''), '{}', jsonb_build_object('interface', $8::text), '{}'
     FROM environment_heads h, unnest($6::timestamptz[]) AS given (at) WHERE h.project_id = $2 AND h.is_default`,
    [project.tenantId, project.projectId, project.slug, action, JSON.stringify(actor), at, targetId, surface],
  );
}

/** `count` times, `seconds` apart, the last one so long before now. */
export function times(count: number, seconds: number, secondsAgo: number): Date[] {
  const last = Date.now() - secondsAgo * 1000;
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * seconds * 1000));
}

export const setKey = ({ app, project }: Desk, id: string, set: string): Promise<object[]> =>
  app.rows(project.tenantId, `UPDATE api_keys SET ${set} WHERE id = $1`, [id]);

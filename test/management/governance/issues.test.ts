import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { createRole, sessionWith, type TestGrant } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { change, otherSite } from '../entries/history.js';
import { member, moveTo } from '../workflows/definitions.js';
import { analyze, found, happened, issuesOf, published, reviewedDesk, setKey, times } from './analyst.js';

const app = useOwnApp();
const unknownId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00';
const robot = { type: 'api_key', id: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a71', name: 'Robot' };
const skipped = '&detector=skipped_workflow';

const resolve = (desk: Desk, id: string, body: object = {}) =>
  desk.post(`/governance/issues/${id}/resolve`, body);

const opened = ({ app: { rows }, project }: Desk) =>
  rows<{ data: Record<string, unknown> }>(
    project.tenantId,
    "SELECT payload -> 'data' AS data FROM outbox_events WHERE type = 'governance.issue_opened' ORDER BY created_at, id",
  );

const setState = ({ app: { rows }, project }: Desk, set: string) =>
  rows(project.tenantId, `UPDATE governance_analyses SET ${set}`);

describe('Life of a governance issue', () => {
  verifies('governance/issues', 'governance/analysis');

  it('opens once, stays acknowledged, reopens with new evidence and ends with its cause', async () => {
    const desk = await reviewedDesk(app());
    const entryId = await published(desk);
    const first = await found(desk, 'skipped_workflow', entryId);
    const again = await found(desk, 'skipped_workflow', entryId);
    expect(again).toMatchObject({ id: first?.id, status: 'open', firstSeenAt: first?.firstSeenAt, count: 1 });
    const { body } = await resolve(desk, first?.id ?? '', { note: 'Agreed' });
    expect(body.data).toMatchObject({
      id: first?.id,
      status: 'acknowledged',
      note: 'Agreed',
      resolvedBy: { type: 'api_key' },
      resolvedAt: expect.any(String),
    });
    expect(await found(desk, 'skipped_workflow', entryId)).toMatchObject({
      status: 'acknowledged',
      note: 'Agreed',
    });
    await change(desk, entryId, { fields: { title: 'Another lock' } });
    await desk.post(`/entries/${entryId}/publish`, {});
    expect(await found(desk, 'skipped_workflow', entryId)).toMatchObject({
      id: first?.id,
      status: 'open',
      resolvedBy: null,
      resolvedAt: null,
      note: null,
    });
    await desk.post(`/entries/${entryId}/unpublish`, {});
    expect(await found(desk, 'skipped_workflow', entryId)).toMatchObject({
      id: first?.id,
      status: 'resolved',
      resolvedBy: null,
    });
    expect(outcome(await resolve(desk, first?.id ?? ''))).toEqual([409, 'governance_issue_resolved']);
    await desk.post(`/entries/${entryId}/publish`, {});
    expect(await found(desk, 'skipped_workflow', entryId)).toMatchObject({ id: first?.id, status: 'open' });
    const events = (await opened(desk)).map(({ data }) => data);
    expect(events).toMatchObject(
      [false, true, true].map((isReopened) => ({
        issueId: first?.id,
        detector: 'skipped_workflow',
        subject: { type: 'entry', id: entryId },
        isReopened,
      })),
    );
    const records = (await desk.get(`/audit-events?targetId=${String(first?.id)}`)).body.data as {
      action: string;
    }[];
    expect(records.map(({ action }) => action).reverse()).toEqual([
      'governance_issue.open',
      'governance_issue.acknowledge',
      'governance_issue.reopen',
      'governance_issue.resolve',
      'governance_issue.reopen',
    ]);
  });

  it('about activity ends 30 days after its last evidence, and not before', async () => {
    const desk = await openDesk(app());
    await happened(desk, { action: 'entry.delete', at: times(25, 1, 600), actor: robot });
    const issue = await found(desk, 'bulk_delete_spike', robot.id);
    expect(issue).toMatchObject({ status: 'open', severity: 'critical', count: 25 });
    expect(await found(desk, 'bulk_delete_spike', robot.id)).toMatchObject({
      status: 'open',
      lastSeenAt: issue?.lastSeenAt,
    });
    await app().rows(
      desk.project.tenantId,
      "UPDATE governance_issues SET last_seen_at = now() - interval '31 days'",
    );
    await setState(desk, `scans = jsonb_build_object('bulk_delete_spike', now())`);
    expect(await found(desk, 'bulk_delete_spike', robot.id)).toMatchObject({
      id: issue?.id,
      status: 'resolved',
    });
    await happened(desk, { action: 'entry.delete', at: times(30, 1, 0), actor: robot });
    expect(await found(desk, 'bulk_delete_spike', robot.id)).toMatchObject({
      id: issue?.id,
      status: 'open',
      count: 30,
    });
  });

  it('keeps an older note unless the call has one', async () => {
    const desk = await reviewedDesk(app());
    const issue = await found(desk, 'skipped_workflow', await published(desk));
    await resolve(desk, issue?.id ?? '', { note: 'One' });
    expect((await resolve(desk, issue?.id ?? '')).body.data.note).toBe('One');
    expect((await resolve(desk, issue?.id ?? '', { note: null })).body.data.note).toBeNull();
    expect(outcome(await resolve(desk, issue?.id ?? '', { note: 'a\u0000b' }))[0]).toBe(422);
    for (const id of [unknownId, 'no-id', issue?.subject.id ?? ''])
      expect(outcome(await resolve(desk, id))).toEqual([404, 'governance_issue_not_found']);
  });
});

describe('An analysis', () => {
  verifies('governance/issues', 'governance/analysis');

  it('is null before the first, and has the counts of open issues', async () => {
    const desk = await reviewedDesk(app());
    expect((await desk.get('/governance/analyze')).body).toEqual({ data: null });
    await published(desk);
    await published(desk);
    const made = await analyze(desk);
    expect(made).toMatchObject({ status: 'completed', completedAt: expect.any(String) });
    const { open, bySeverity, byDetector } = made.summary;
    expect(byDetector).toMatchObject({ skipped_workflow: 2 });
    expect(open).toBe(Object.values(byDetector).reduce((sum, count) => sum + count, 0));
    expect(open).toBe(Object.values(bySeverity).reduce((sum, count) => sum + count, 0));
    expect((await desk.get('/governance/analyze')).body.data).toEqual(made);
  });

  it('never opens an issue twice when several run at once', async () => {
    const desk = await reviewedDesk(app());
    for (let made = 0; made < 3; made += 1) await published(desk);
    const all = await Promise.all(Array.from({ length: 4 }, () => desk.post('/governance/analyze', {})));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await analyze(desk);
    expect(await issuesOf(desk, skipped)).toHaveLength(3);
    const events = (await opened(desk)).filter(({ data }) => data.detector === 'skipped_workflow');
    expect(events).toHaveLength(3);
  });

  it('returns the one that is running, and replaces one that was killed', async () => {
    const desk = await reviewedDesk(app());
    const { analysisId } = await analyze(desk);
    await published(desk);
    await setState(desk, "status = 'running', completed_at = NULL, stepped_at = now()");
    expect(await analyze(desk)).toMatchObject({ analysisId, status: 'running', completedAt: null });
    expect(await issuesOf(desk, skipped)).toEqual([]);
    await setState(desk, "stepped_at = now() - interval '11 minutes'");
    expect((await desk.get('/governance/analyze')).body.data).toMatchObject({ analysisId, status: 'failed' });
    const next = await analyze(desk);
    expect(next.status).toBe('completed');
    expect(next.analysisId).not.toBe(analysisId);
    expect(await issuesOf(desk, skipped)).toHaveLength(1);
  });

  it('runs every hour for every environment, each by one process', async () => {
    const desk = await reviewedDesk(app());
    const entryId = await published(desk);
    const { jobs } = app().composition;
    await Promise.all([jobs.analyzeGovernance(), jobs.analyzeGovernance()]);
    expect(await issuesOf(desk, `&subjectId=${entryId}`)).toHaveLength(1);
    const last = (await desk.get('/governance/analyze')).body.data as { analysisId: string };
    await jobs.analyzeGovernance();
    expect((await desk.get('/governance/analyze')).body.data.analysisId).toBe(last.analysisId);
    await setState(desk, "started_at = now() - interval '61 minutes'");
    await jobs.analyzeGovernance();
    expect((await desk.get('/governance/analyze')).body.data.analysisId).not.toBe(last.analysisId);
  });

  it('looks at what has changed since the last one, unless a range is given', async () => {
    const desk = await reviewedDesk(app());
    await analyze(desk);
    const entryId = await published(desk);
    const old = "at = now() - interval '1 day'";
    await app().rows(desk.project.tenantId, `UPDATE entry_publications SET ${old}`);
    await app().rows(desk.project.tenantId, "UPDATE content_types SET updated_at = now() - interval '1 day'");
    await analyze(desk);
    expect(await issuesOf(desk, skipped)).toEqual([]);
    await analyze(desk, { from: new Date(Date.now() - 172_800_000).toISOString() });
    expect(await issuesOf(desk, skipped)).toMatchObject([{ subject: { id: entryId } }]);
    const range = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect(outcome(await desk.post('/governance/analyze', range))).toEqual([422, 'validation_failed']);
    expect(outcome(await desk.post('/governance/analyze', { detectors: ['none'] }))[0]).toBe(422);
  });

  it('of a branch is about the branch, and keys belong to the default environment', async () => {
    const desk = await reviewedDesk(app());
    const slug = await branch({ app: app(), project: desk.project });
    const there = desk.in(slug);
    const body = { siteId: desk.project.siteId, contentTypeApiName: 'article', fields: { title: 'Away' } };
    const entryId = ((await there.post('/entries', body)).body as { data: { id: string } }).data.id;
    await there.post(`/entries/${entryId}/publish`, {});
    await analyze(there);
    await analyze(desk);
    expect(await issuesOf(there, `&subjectId=${entryId}`)).toHaveLength(1);
    expect(await issuesOf(desk, `&subjectId=${entryId}`)).toEqual([]);
    expect(await issuesOf(desk, '&detector=no_expiry_key')).not.toEqual([]);
    expect(await issuesOf(there, '&detector=no_expiry_key')).toEqual([]);
  });
});

describe('The list of governance issues', () => {
  verifies('governance/analysis');

  it('filters, sorts and pages with the same statements whatever its length', async () => {
    const desk = await reviewedDesk(app());
    const one = await published(desk);
    await analyze(desk);
    const path = '/governance/issues?limit=100';
    const few = await app().recordStatements(() => desk.get(path));
    const ids = [one];
    for (let made = 0; made < 5; made += 1) ids.push(await published(desk));
    await analyze(desk);
    const many = await app().recordStatements(() => desk.get(path));
    expect(many.statements).toHaveLength(few.statements.length);
    expect(many.result.body.meta.total).toBeGreaterThanOrEqual(few.result.body.meta.total + 5);
    expect(await issuesOf(desk, `${skipped}&severity=warning&status=open`)).toHaveLength(6);
    expect(await issuesOf(desk, `${skipped}&severity=critical`)).toEqual([]);
    expect(await issuesOf(desk, `&subjectId=${one},${String(ids[1])}`)).toHaveLength(2);
    const up = await desk.get(`/governance/issues?limit=1&page=2&orderBy=firstSeenAt:asc${skipped}`);
    expect(up.body.meta).toEqual({ total: 6, page: 2, limit: 1, pages: 6 });
    const listed = await issuesOf(desk, `${skipped}&orderBy=firstSeenAt:asc`);
    expect(up.body.data).toEqual([listed[1]]);
  });

  it('keeps odd characters of names in the evidence and the message', async () => {
    const desk = await openDesk(app());
    const name = `Key \u202e"'; <script> \\ 🎉 ${'x'.repeat(50)}`;
    const { id } = await desk.newKey({ type: 'management', name });
    expect(await found(desk, 'no_expiry_key', id)).toMatchObject({ subject: { type: 'api_key', id, name } });
    await setKey(desk, id, 'revoked_at = now()');
    expect(await found(desk, 'no_expiry_key', id)).toMatchObject({ status: 'resolved' });
  });

  it('shows callers that are limited to sites only the issues about their entries', async () => {
    const desk = await reviewedDesk(app());
    const entryId = await published(desk);
    await analyze(desk);
    const [issue] = await issuesOf(desk, skipped);
    const siteIds = [desk.project.siteId];
    const others = [await otherSite(desk)];
    const grants = (scope: object): TestGrant[] => [
      { resource: 'governance', action: 'read', scope },
      { resource: 'governance', action: 'update', scope },
      { resource: 'entries', action: 'read' },
    ];
    const withRights = async (rights: readonly TestGrant[]) =>
      desk.as(await sessionWith(app(), desk.project, rights));
    const here = await withRights(grants({ siteIds }));
    expect((await issuesOf(here)).map(({ subject }) => subject.id)).toEqual([entryId]);
    expect((await here.get('/governance/analyze')).body.data.summary.byDetector).toEqual({
      skipped_workflow: 1,
    });
    expect(outcome(await here.post('/governance/analyze', {}))).toEqual([403, 'permission_denied']);
    expect((await resolve(here, issue?.id ?? '')).status).toBe(200);
    const elsewhere = await withRights(grants({ siteIds: others }));
    expect(await issuesOf(elsewhere)).toEqual([]);
    expect(outcome(await resolve(elsewhere, issue?.id ?? ''))).toEqual([404, 'governance_issue_not_found']);
    const keyIssue = (await issuesOf(desk, '&detector=no_expiry_key'))[0]?.id ?? '';
    expect(outcome(await resolve(here, keyIssue))).toEqual([404, 'governance_issue_not_found']);
    const blind = await withRights([{ resource: 'governance', action: 'read' }]);
    const seen = await issuesOf(blind);
    expect(seen.map(({ subject }) => subject.type)).not.toContain('entry');
    expect(seen).not.toEqual([]);
    expect(outcome(await resolve(blind, keyIssue))).toEqual([403, 'permission_denied']);
    const role = await createRole(app(), desk.project, [{ resource: 'entries', action: 'read' }]);
    const stranger = (await member(desk, role)).desk;
    expect(outcome(await stranger.get('/governance/issues'))).toEqual([403, 'permission_denied']);
  });

  it('has no issue of another tenant', async () => {
    const desk = await reviewedDesk(app());
    const entryId = await published(desk);
    const issue = await found(desk, 'skipped_workflow', entryId);
    const other = await reviewedDesk(app());
    await analyze(other);
    expect(await issuesOf(other, `&subjectId=${entryId}`)).toEqual([]);
    expect(outcome(await resolve(other, issue?.id ?? ''))).toEqual([404, 'governance_issue_not_found']);
    await moveTo(desk, entryId, 'review');
    expect(await found(desk, 'skipped_workflow', entryId)).toMatchObject({ status: 'open' });
  });
});

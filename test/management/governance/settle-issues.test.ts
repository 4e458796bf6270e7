import { describe, expect, it } from '@jest/globals';
import {
  settleIssues,
  type Detected,
} from '../../../src/features/insight/governance/issues/settle-issues.js';
import type { Finding, StoredIssue } from '../../../src/features/insight/governance/findings/stored-issue.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';

const subjects = ['a', 'b', 'c'];
const start = Date.UTC(2026, 0, 1);

const finding = (subjectId: string, evidence: number, seenAt: Date): Finding => ({
  subjectType: 'entry',
  subjectId,
  subjectName: subjectId,
  severity: 'info',
  message: '',
  evidence: { evidence },
  fingerprint: String(evidence),
  count: 1,
  seenAt,
});

const detected = (findings: readonly Finding[]): Detected => ({
  detector: { name: 'skipped_workflow', kind: 'condition' },
  findings,
});

/** An analysis finds subjects with their evidence; before it, a user acknowledges others. */
const step = fc.record({
  found: fc.dictionary(fc.constantFrom(...subjects), fc.integer({ min: 1, max: 2 }), {
    noNullPrototype: true,
  }),
  acknowledged: fc.subarray(subjects),
});

/** The issues after an analysis. */
function after(known: readonly StoredIssue[], found: readonly Detected[], now: Date) {
  let made = 0;
  const settled = settleIssues(known, found, {
    now,
    newId: () => `${String(now.getTime())}-${String((made += 1))}`,
  });
  const written = [...settled.opened, ...settled.seen];
  for (const change of [...settled.reopened, ...settled.resolved]) written.push(change.after);
  const ids = new Set(written.map(({ id }) => id));
  return { settled, issues: [...known.filter(({ id }) => !ids.has(id)), ...written] };
}

describe('Settling issues', () => {
  verifies('governance/issues');

  it('leaves one issue per subject with the status that its history says, and repeating it changes none', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let issues: StoredIssue[] = [];
        const expected = new Map<string, { status: string; evidence: number }>();
        for (const [index, { found, acknowledged }] of steps.entries()) {
          const now = new Date(start + index * 3_600_000);
          const isHeeded = (subject: string) =>
            acknowledged.includes(subject) && expected.get(subject)?.status === 'open';
          issues = issues.map((issue) =>
            isHeeded(issue.subjectId) ? { ...issue, status: 'acknowledged' } : issue,
          );
          for (const subject of subjects.filter(isHeeded))
            expected.set(subject, { ...expected.get(subject)!, status: 'acknowledged' });
          for (const subject of subjects) {
            const [was, evidence] = [expected.get(subject), found[subject]];
            if (evidence !== undefined) {
              const isKept = was?.status === 'acknowledged' && was.evidence === evidence;
              expected.set(subject, { status: isKept ? 'acknowledged' : 'open', evidence });
            } else if (was !== undefined) expected.set(subject, { ...was, status: 'resolved' });
          }
          const findings = Object.entries(found).map(([subject, evidence]) =>
            finding(subject, evidence, now),
          );
          const first = after(issues, [detected(findings)], now);
          const second = after(first.issues, [detected(findings)], now);
          const { opened, reopened, resolved } = second.settled;
          expect([opened, reopened, resolved]).toEqual([[], [], []]);
          expect(second.issues).toHaveLength(first.issues.length);
          issues = second.issues;
        }
        const statuses = issues.map(({ subjectId, status }) => [subjectId, status]);
        expect(statuses.sort()).toEqual(
          [...expected].map(([subject, { status }]) => [subject, status]).sort(),
        );
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { draftOf, withField } from './draft.js';
import { failedSave, isHeldBack, pauseBeforeSave } from './save-progress.js';

const content = (fields: Record<string, unknown>) => ({ slug: 'a', fields });
const failure = (code: string) => ({ code, message: code, problem: code, issues: [], details: {} });
const none = { kind: 'none' } as const;

describe('An automatic save', () => {
  const draft = withField(draftOf(content({ title: 'One' })), 'title', 'Two');

  it('waits five seconds after a change, and longer after each failure of the connection', () => {
    const first = failedSave(failure('offline'), draft, none);
    const second = failedSave(failure('service_unavailable'), draft, first);
    const pauses = [none, first, second].map((progress) =>
      pauseBeforeSave(progress, 'at' in progress ? progress.at : 0),
    );
    expect(pauses).toEqual([5000, 10_000, 20_000]);
    let last = second;
    for (let time = 0; time < 10; time += 1) last = failedSave(failure('offline'), draft, last);
    expect(pauseBeforeSave({ kind: 'none' }, 0, true)).toBe(300);
    expect(pauseBeforeSave(last, last.at)).toBe(60_000);
    expect(pauseBeforeSave(last, last.at + 3_600_000)).toBe(5000);
  });

  it('does not send a refused draft again before it changes', () => {
    const refused = failedSave(failure('validation_failed'), draft, none);
    expect(isHeldBack(refused, draft)).toBe(true);
    expect(isHeldBack(refused, withField(draft, 'title', 'Three'))).toBe(false);
    expect(isHeldBack(failedSave(failure('offline'), draft, none), draft)).toBe(false);
  });

  it('leaves a conflict to the user, whatever is typed then', () => {
    const conflict = failedSave(failure('version_conflict'), draft, none);
    expect(isHeldBack(conflict, withField(draft, 'title', 'Three'))).toBe(true);
  });
});

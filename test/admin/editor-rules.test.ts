import { describe, expect, it } from '@jest/globals';
import { failedSave, isHeldBack, pauseBeforeSave } from '../../src/admin/editor/save-progress.js';
import { withStoredBlocks } from '../../src/admin/editor/stored-blocks.js';
import { draftOf, withField } from '../../src/admin/editor/draft.js';
import { directionOf } from '../../src/admin/editor/locales/direction.js';
import { groupVersions, type Version } from '../../src/admin/editor/versions.js';

const content = (fields: Record<string, unknown>) => ({ slug: 'a', fields });
const failure = (code: string) => ({ code, message: code, issues: [], details: {} });
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

describe('Blocks that were new when they were saved', () => {
  const [first, second] = [
    { _type: 'quote', fields: { words: 'One' } },
    { _type: 'quote', fields: { words: 'Two' } },
  ];
  const sent = content({ parts: [first, second] });
  const links = [
    { _ref: '1', _type: 'quote' },
    { _ref: '2', _type: 'quote' },
  ];
  const saved = content({ parts: links });

  it('are named by what was typed in them since', () => {
    const typed = content({ parts: [{ ...first, fields: { words: 'One more' } }, second] });
    expect(withStoredBlocks(typed, sent, saved).fields.parts).toEqual([
      { _ref: '1', _type: 'quote', fields: { words: 'One more' } },
      links[1],
    ]);
  });

  it('are found when they were moved since, and blocks that were added since stay new', () => {
    const added = { _type: 'quote', fields: { words: 'Three' } };
    const typed = content({ parts: [second, first, added] });
    expect(withStoredBlocks(typed, sent, saved).fields.parts).toEqual([links[1], links[0], added]);
  });
});

describe('Versions', () => {
  const version = (versionNum: number, comment: string | null, id = 'ada', isPublished = false) =>
    ({ versionNum, comment, isPublished, createdBy: { type: 'user', id, name: id } }) as Version;

  it('are folded where one person saved automatically several times', () => {
    const groups = groupVersions([
      ...[version(8, 'Autosave'), version(7, 'Autosave'), version(6, 'Autosave', 'bob')],
      ...[version(5, 'Autosave', 'bob', true), version(4, 'Autosave', 'bob'), version(3, null, 'bob')],
      ...[version(2, 'Corrected the dates', 'bob'), version(1, null, 'bob')],
    ]);
    const numbers = groups.map(({ newest, earlier }) => [newest, ...earlier].map((one) => one.versionNum));
    expect(numbers).toEqual([[8, 7], [6], [5, 4], [3], [2], [1]]);
  });
});

it('locales of Arabic and Hebrew script are written from right to left', () => {
  const codes = ['en', 'de-AT', 'ar', 'he', 'fa-IR', 'ur', 'az-Arab', 'az', 'not a locale'];
  expect(codes.filter((code) => directionOf(code) === 'rtl')).toEqual(['ar', 'he', 'fa-IR', 'ur', 'az-Arab']);
});

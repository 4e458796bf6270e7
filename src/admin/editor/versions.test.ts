import { describe, expect, it } from '@jest/globals';
import { groupVersions, type Version } from './versions.js';

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

import type { EntrySnapshot } from '../../../contracts/entries/entries/entry-version.js';

export const createdAt = '2011-05-01T08:30:00.000Z';

/** As `GET entries/{id}/versions/{versionNum}` of the source returned it. */
export const sourceVersion = (versionNum: number, fields: object, more: Partial<EntrySnapshot> = {}) => {
  const locales = Object.keys(fields);
  return {
    versionNum,
    createdAt: new Date(Date.parse(createdAt) + versionNum * 1000).toISOString(),
    createdBy: {
      type: 'user',
      id: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
      name: `Author ${String(versionNum)}`,
    },
    changeType: versionNum === 1 ? 'create' : 'update',
    locale: null,
    locales,
    comment: `Change ${String(versionNum)}`,
    changedFields: ['title'],
    isPublished: false,
    publications: [],
    snapshot: { slug: 'page', slugs: Object.fromEntries(locales.map((code) => [code, 'page'])), fields },
    ...more,
  };
};

export const threeVersions = [
  sourceVersion(1, { en: { title: 'First' } }),
  sourceVersion(2, { en: { title: 'Second', gone: 1 }, de: { title: 'Zwei' } }, { locales: ['de'] }),
  sourceVersion(3, { en: { title: 'Third', code: 'c' }, de: { title: 'Drei', code: 'c' } }),
];

import type { Migration } from './migration.js';

const NO_FOLDER = '00000000-0000-0000-0000-000000000000';
/** Counts the assets of every folder together. */
const ALL_FOLDERS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const countKeys = 'environment_id, folder_id, mime_type, is_used';
const sources = {
  insert: [['added', '1']],
  delete: [['removed', '-1']],
  update: [
    ['added', '1'],
    ['removed', '-1'],
  ],
} as const;

/** The function of a trigger of 0026-media. @param folders SQL of the folders that count a row */
function counter(verb: keyof typeof sources, folders: readonly string[]): string {
  const sides = sources[verb].map(
    ([source, step]) =>
      `SELECT s.environment_id, f.folder_id, s.mime_type, s.is_used, s.id, ${step} AS step
         FROM ${source} s, LATERAL (VALUES ${folders.map((folder) => `(${folder})`).join(', ')}) AS f (folder_id)`,
  );
  return `
    CREATE OR REPLACE FUNCTION count_media_${verb}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO media_counts AS c (${countKeys}, slot, assets)
        SELECT ${countKeys}, get_byte(uuid_send(id), 15) & 15 AS slot, sum(step) FROM (${sides.join(' UNION ALL ')}) AS changed
          GROUP BY ${countKeys}, slot HAVING sum(step) <> 0 ORDER BY ${countKeys}, slot
        ON CONFLICT (${countKeys}, slot) DO UPDATE SET assets = c.assets + excluded.assets;
      RETURN NULL;
    END $$;`;
}

const counters = (folders: readonly string[]): string =>
  (['insert', 'delete', 'update'] as const).map((verb) => counter(verb, folders)).join('');

const ownFolder = `coalesce(s.folder_id, '${NO_FOLDER}'::uuid)`;

/** Totals of all folders, because a project may have as many folders as assets. */
export const mediaTotals: Migration = {
  name: '0037-media-totals',
  up: `
    LOCK TABLE media_assets IN SHARE ROW EXCLUSIVE MODE;
    ${counters([ownFolder, `'${ALL_FOLDERS}'::uuid`])}
    INSERT INTO media_counts (${countKeys}, slot, assets)
      SELECT environment_id, '${ALL_FOLDERS}', mime_type, is_used, slot, sum(assets) FROM media_counts
        GROUP BY environment_id, mime_type, is_used, slot;
  `,
  down: `
    LOCK TABLE media_assets IN SHARE ROW EXCLUSIVE MODE;
    ${counters([ownFolder])}
    DELETE FROM media_counts WHERE folder_id = '${ALL_FOLDERS}';
  `,
};

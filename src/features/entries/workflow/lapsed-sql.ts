/** Version rows `v` that changed what an approval of `locale` covers, after a base row with `shared_fields`. */
export const changesContent = (locale: string, shared: string): string =>
  `v.changed_fields <> '{}' AND (${locale} = '' OR v.locale = ${locale} OR v.shared_fields <> ${shared})`;

/** Whether the content has changed since an approval `a`. */
export const lapsedSql = `EXISTS (
    SELECT FROM entry_versions v WHERE v.environment_id = a.environment_id AND v.entry_id = a.entry_id
      AND v.version_num > a.version AND ${changesContent(
        'a.locale',
        `(SELECT s.shared_fields FROM entry_versions s WHERE s.environment_id = a.environment_id
          AND s.entry_id = a.entry_id AND s.version_num <= a.version ORDER BY s.version_num DESC LIMIT 1)`,
      )})`;

/**
 * Pending jobs of a locale, soonest first, as JSON.
 * @param locale alias of `entry_locales`
 */
export const scheduledSql = (locale: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('jobId', j.id, 'kind', j.kind, 'timezone', j.timezone,
       'scheduledAt', to_char(j.scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY j.scheduled_at, j.id), '[]')
     FROM scheduled_jobs j WHERE j.environment_id = ${locale}.environment_id AND j.entry_id = ${locale}.entry_id
       AND j.locale = ${locale}.locale AND j.status = 'scheduled')`;

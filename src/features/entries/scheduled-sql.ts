/**
 * What is scheduled for one locale of an entry, soonest first, as a JSON list.
 * @param locale alias of the row of `entry_locales`
 */
export const scheduledSql = (locale: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('jobId', j.id, 'kind', j.kind, 'timezone', j.timezone,
       'scheduledAt', to_char(j.scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY j.scheduled_at, j.id), '[]')
     FROM scheduled_jobs j WHERE j.environment_id = ${locale}.environment_id AND j.entry_id = ${locale}.entry_id
       AND j.locale = ${locale}.locale AND j.status = 'scheduled')`;

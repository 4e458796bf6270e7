/** Keys that have one value in every answer, each with its reason. */
export const constantKeys: Readonly<Record<string, string>> = {
  'AuditCheck.nextBlock': 'One call checks 100,000 records, which would take a test minutes to write.',
  'CreatedApiKey.revokedAt':
    'A secret is returned for new and rotated keys only, and a revoked key cannot be rotated.',
  'CreatedApiKey.status':
    'A secret is returned for new and rotated keys only, and an inactive key cannot be rotated.',
  'InvitedUser.secondFactor': 'Who was only invited has not logged in, and has no second factor.',
  'Notification.project.name': 'The projects of tests have one name, and none is renamed.',
  'OwnSession.network': 'Every test connects from this machine.',
  'Session.expiresIn': 'Access tokens of this service are valid for one hour.',
  'SiteMeta.warnings[].message': 'There is one warning, ambiguous_paths.',
  'SiteMeta.warnings[].path[]': 'There is one warning, ambiguous_paths, which concerns one key.',
  'TranslationJobState.status': 'A job that was just started is queued.',
  'entries.delete meta.warnings[].path[]':
    'What the deletion of an entry leaves behind has no place in the input.',
  'redirects.create meta.warnings[].code': 'There is one warning, literal_source.',
  'redirects.create meta.warnings[].path[]':
    'The warning literal_source concerns two keys, so it has no path.',
  'redirects.import meta.warnings[].path[]':
    'The warning literal_source concerns two columns, so it has no path.',
  'redirects.update meta.warnings[].code': 'There is one warning, literal_source.',
  'redirects.update meta.warnings[].path[]':
    'The warning literal_source concerns two keys, so it has no path.',
  'webhooks.update meta.warnings[].code': 'There is one warning, secret_header_dropped.',
  'webhooks.update meta.warnings[].path[]': 'The warning secret_header_dropped concerns the URL.',
};

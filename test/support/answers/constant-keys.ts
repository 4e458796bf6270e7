/** Keys that have one value in every answer, each with its reason. */
export const constantKeys: Readonly<Record<string, string>> = {
  'AuditCheck.nextBlock': 'One call checks 100,000 records, which would take a test minutes to write.',
  'BrokenLink.contentTypeApiName': 'Tests of plans link from one content type.',
  'BrokenLink.title': 'The entries that link in tests of plans have one title.',
  'ConnectionKey.project.name': 'The projects of tests have one name, and none is renamed.',
  'CreatedApiKey.oauthClientId': 'The key of an OAuth client is returned by no call, and cannot be rotated.',
  'CreatedApiKey.revokedAt':
    'A secret is returned for new and rotated keys only, and a revoked key cannot be rotated.',
  'CreatedApiKey.status':
    'A secret is returned for new and rotated keys only, and an inactive key cannot be rotated.',
  'CreatedPersonalKey.lastUsedAt': 'A key that was just made was never used.',
  'CreatedPersonalKey.project.name': 'The projects of tests have one name, and none is renamed.',
  'CreatedPersonalKey.revokedAt': 'A key that was just made is not revoked.',
  'CreatedPersonalKey.status': 'A key that was just made is active.',
  'InvitedUser.secondFactor': 'Who was only invited has not logged in, and has no second factor.',
  'Notification.project.name': 'The projects of tests have one name, and none is renamed.',
  'OwnSession.network': 'Every test connects from this machine.',
  'PersonalKey.isReadOnly': 'Tests list personal keys that may write, and call with those that only read.',
  'PersonalKey.project.name': 'The projects of tests have one name, and none is renamed.',
  'PersonalKey.user.name': 'The members of tests who have personal keys have one name.',
  'PlannedPublication.contentTypeApiName': 'Tests of plans publish entries of one content type.',
  'PlannedPublication.locale': 'Tests of plans publish one locale.',
  'Release.error.code': 'Tests read failed releases with their items, as ReleaseDetail.',
  'Release.error.details': 'Tests read failed releases with their items, as ReleaseDetail.',
  'Release.error.message': 'Tests read failed releases with their items, as ReleaseDetail.',
  'Release.requiresApproval.distinctFromAuthor': 'Tests of approvals ask for others than the author.',
  'Release.requiresApproval.roleIds[]':
    'Tests read releases that roles approve with their items, as ReleaseDetail.',
  'ReleaseDetail.approvals[].comment': 'Tests approve without a comment.',
  'ReleaseDetail.approvals[].lapsed': 'Tests notice a lapsed approval by the publication that it refuses.',
  'ReleaseDetail.items[].redirect.isActive': 'Tests of releases create one redirect.',
  'ReleaseDetail.items[].redirect.locale': 'Tests of releases create one redirect.',
  'ReleaseDetail.items[].redirect.matchType': 'Tests of releases create one redirect.',
  'ReleaseDetail.items[].redirect.note': 'Tests of releases create one redirect.',
  'ReleaseDetail.items[].redirect.queryMatch': 'Tests of releases create one redirect.',
  'ReleaseDetail.items[].redirect.status': 'Tests of releases create one redirect.',
  'ReleaseDetail.requiresApproval.distinctFromAuthor': 'Tests of approvals ask for others than the author.',
  'ReleaseDetail.rolledBackAt': 'A rollback returns the release without its items, as Release.',
  'ReleaseValidation.warnings[].itemId': 'Validations of tests have one item that another release has, too.',
  'ReleaseValidation.warnings[].path[]':
    'What is validated has no input, so that a warning has no place in it.',
  'Session.expiresIn': 'Access tokens of this service are valid for one hour.',
  'SiteMeta.warnings[].message': 'There is one warning, ambiguous_paths.',
  'SiteMeta.warnings[].path[]': 'There is one warning, ambiguous_paths, which concerns one key.',
  'TranslationJobState.status': 'A job that was just started is queued.',
  'entries.delete meta.warnings[].path[]':
    'What the deletion of an entry leaves behind has no place in the input.',
  'entries.listDependencies meta.isComplete':
    'Only an entry with more dependencies than a response holds is incomplete.',
  'entries.unpublish meta.warnings[].code': 'There is one warning, still_referenced.',
  'entries.unpublish meta.warnings[].message': 'There is one warning, still_referenced.',
  'entries.unpublish meta.warnings[].path[]':
    'What an unpublication leaves behind has no place in the input.',
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

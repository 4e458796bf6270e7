/** In an order in which every row follows those that it names. */
export const schemaTables = [
  'content_types',
  'fields',
  'custom_field_types',
  'workflows',
  'renames',
  'search_settings',
] as const;

/** In an order in which every row follows those that it names. */
export const contentTables = [
  'media_folders',
  'media_assets',
  'media_asset_locales',
  'media_asset_versions',
  'entries',
  'entry_locales',
  'entry_versions',
  'entry_publications',
  'entry_links',
  'owned_blocks',
  'published_entries',
  'published_media',
  'unique_values',
  'tree_nodes',
  'routes',
  'redirects',
  'translation_sources',
  'translations',
  'workflow_history',
  'workflow_approvals',
  'health_issues',
  'health_notes',
] as const;

export type CopiedTable = (typeof schemaTables)[number] | (typeof contentTables)[number];

/** Kept by triggers of the others. */
export const derivedTables = [
  'draft_values',
  'environment_heads',
  'entry_counts',
  'filter_documents',
  'filter_keys',
  'filter_notes',
  'published_counts',
  'media_counts',
  'media_asset_tags',
  'media_set_counts',
  'media_tag_counts',
  'media_search',
  'search_documents',
  'search_queue',
  'search_vector_queue',
  'search_vectors',
  'search_words',
  'translation_counts',
] as const;

/** Belong to one environment and do not follow into its copies: running work, selections, talk, records and findings of what happened. */
export const leftTables = [
  'activity_counts',
  'api_key_usage',
  'api_keys',
  'audit_events',
  'comment_mentions',
  'empty_searches',
  'entry_comments',
  'environment_bases',
  'environment_branches',
  'environment_changes',
  'environment_epochs',
  'environment_jobs',
  'environment_selections',
  'former_vocabularies',
  'governance_analyses',
  'governance_issues',
  'import_jobs',
  'media_uploads',
  'media_upload_parts',
  'notifications',
  'outbox_events',
  'promotions',
  'release_approvals',
  'release_items',
  'releases',
  'scheduled_jobs',
  'schema_applies',
  'search_indexes',
  'search_vector_states',
  'sync_changes',
  'translation_job_files',
  'translation_jobs',
] as const;

/** Outlive their environment: a bound key reaches no other one, and records are never deleted with what they name. */
export const lastingTables = [
  'activity_counts',
  'api_key_usage',
  'api_keys',
  'audit_events',
  'former_vocabularies',
  'outbox_events',
] as const;

/**
 * Every number of the specification (section 8) and of the decisions, once.
 * A limit is part of the interface: changing one is a change of the contract.
 */
export const limits = {
  /** Delivery and management lists: the largest `limit` and the one assumed. */
  pageLimitMaximum: 100,
  pageLimitDefault: 25,
  /** The highest page number accepted, so that `(page - 1) * limit` stays a safe offset. */
  pageMaximum: 1_000_000,
  /** The agent tool `search_content` answers shorter pages. */
  searchToolLimitMaximum: 50,
  searchToolLimitDefault: 10,
  /** Conditions and length of values of a delivery filter. */
  filterConditions: 10,
  filterValueLength: 1000,
  /** Specification 4.1 rule 3. */
  includeMaximum: 3,
  /** Bytes of a JSON request body on REST, tRPC and MCP. */
  requestBodyBytes: 1_048_576,
  /** Bytes of a GraphQL request body. */
  graphqlBodyBytes: 102_400,
  /** Nesting of any JSON value from outside. */
  jsonDepth: 100,
  /** GraphQL, specification section 8. */
  queryDepth: 10,
  queryComplexity: 1000,
  referenceDepth: 3,
  queryAliases: 50,
  queryTokens: 2000,
  /** Content model. */
  fieldsPerContentType: 100,
  itemsPerField: 500,
  richTextBytes: 262_144,
  textLength: 512,
  longTextLength: 200_000,
  apiNameLength: 63,
  slugLength: 200,
  nameLength: 200,
  descriptionLength: 2000,
  commentLength: 1000,
  titleSuffixLength: 100,
  /** Entries that a deep copy makes in all, and that one publish takes along. */
  entriesPerCopy: 100,
  dependenciesPerPublish: 100,
  patternLength: 500,
  urlLength: 2048,
  selectOptions: 500,
  /** JSON Schemas: bytes, levels of schemas in schemas, schemas altogether. */
  jsonSchemaBytes: 65_536,
  jsonSchemaDepth: 10,
  jsonSchemaParts: 1000,
  /** JSON Schemas with every reference put in place: parts, and how many of them one inside another. */
  jsonSchemaExpansion: 10_000,
  jsonSchemaReach: 100,
  customFieldTypesPerProject: 200,
  /** Entries of one bulk call, and waiting jobs of one entry. */
  bulkEntries: 100,
  schedulesPerEntry: 50,
  /** How long the reply to an `Idempotency-Key` is kept, and the length of one. */
  idempotencyHours: 24,
  idempotencyKeyLength: 255,
  /** Credentials. */
  apiKeysPerProject: 200,
  networksPerKey: 50,
  ipRulesPerProject: 200,
  /** Seconds that a replaced secret may work on. */
  secretOverlapSeconds: 604_800,
  /** Requests per minute that a key may be given. */
  rateLimitMaximum: 600_000,
  passwordMinimumLength: 12,
  passwordMaximumLength: 200,
  accessTokenSeconds: 3600,
  /** A session that is not renewed for so long has run out. */
  refreshTokenSeconds: 604_800,
  /** Life of the token by which an agent confirms a call. */
  confirmSeconds: 300,
  /** Life of a preview token. */
  previewSecondsMinimum: 60,
  previewSecondsMaximum: 604_800,
  previewSecondsDefault: 3600,
  /** Seconds that a session token's times may be off. */
  tokenLeewaySeconds: 60,
  /** Roles of a project, grants of a role, values of one list of a grant's scope, roles of a user. */
  rolesPerProject: 100,
  grantsPerRole: 500,
  grantScopeValues: 100,
  rolesPerUser: 20,
  membersPerProject: 10_000,
  /** Locales of one tenant. */
  localesPerTenant: 200,
  /** `Surrogate-Key` falls back to coarse tags above this many bytes. */
  surrogateKeyBytes: 8192,
  /** Trees: levels, nodes of one answer, and bytes of a path without its locale's prefix. */
  treeDepth: 50,
  treeNodesPerAnswer: 50_000,
  routePathBytes: 1960,
  /** URLs of one sitemap (specification section 8). */
  sitemapUrls: 50_000,
  /** Redirects: bytes of a path, patterns of a site, steps of a chain. */
  redirectPathBytes: 2000,
  redirectPatternsPerSite: 50,
  redirectHops: 10,
  /** CSV files of redirects. */
  redirectImportRows: 10_000,
  redirectImportBytes: 10_485_760,
  redirectRecordBytes: 65_536,
  redirectExportRows: 50_000,
  /** Audit: events of a page of the export, records that one check reads. */
  auditExportPage: 100,
  auditRecordsPerCheck: 100_000,
  /** Webhooks: number, own headers, values of a filter, longest collecting, events and bytes of one call. */
  webhooksPerProject: 100,
  webhookHeaders: 20,
  webhookHeaderValueLength: 4096,
  webhookFilterValues: 100,
  webhookBatchWindowSeconds: 3600,
  webhookBatchEvents: 50,
  webhookEntryBytes: 65_536,
} as const;

/**
 * Every limit of the specification (section 8) and of the decisions. Changing one changes the contract.
 */
export const limits = {
  /** Delivery and management lists: maximum and default of `limit`. */
  pageLimitMaximum: 100,
  pageLimitDefault: 25,
  /** The highest page number accepted, so that `(page - 1) * limit` stays a safe offset. */
  pageMaximum: 1_000_000,
  /** A cursor contains the values that its list is sorted by. */
  cursorLength: 12_000,
  /** Of one page of a sync. */
  syncItems: 1000,
  syncItemsDefault: 250,
  /** How long a cursor of a sync is valid. */
  syncDays: 90,
  /** The MCP tools `search` and `search_content`. */
  searchToolLimitMaximum: 50,
  searchToolLimitDefault: 10,
  /** Parts of a result, and values of a facet, that the MCP tool `search` returns. */
  searchToolHighlights: 3,
  searchToolFacetValues: 20,
  /** Items that MCP tools without pages return (rule mcp/tools). */
  toolListMaximum: 1000,
  /** Search: characters of a query, facets of one call. */
  searchQueryLength: 1000,
  searchFacets: 10,
  searchCompletions: 20,
  searchCompletionsDefault: 10,
  /** Results of words that are ranked and counted. */
  searchMatches: 20_000,
  /** Results of a search by meaning. */
  searchNearest: 200,
  /** Number of conditions and length of values of a delivery filter. */
  filterConditions: 10,
  filterValueLength: 1000,
  filterValues: 500,
  /** Characters of a filter that is one parameter, and levels of `and`, `or` and `not` in it. */
  whereLength: 4000,
  whereDepth: 5,
  /** Rule delivery/entry. */
  includeMaximum: 3,
  /** Bytes of a JSON request body on REST, tRPC and MCP. */
  requestBodyBytes: 1_048_576,
  /** Bytes of a GraphQL request body. */
  graphqlBodyBytes: 102_400,
  /** Nesting of any JSON value in a request. */
  jsonDepth: 100,
  /** Members of one object of a request; more make it a slow dictionary in every step. */
  jsonMembers: 10_000,
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
  /** HTML and Markdown of one request: characters, tags of one value, warnings of each kind. */
  conversionCharacters: 262_144,
  conversionTags: 20_000,
  conversionWarnings: 20,
  /** Images that a request imports from other servers. */
  importedImages: 20,
  textLength: 512,
  longTextLength: 200_000,
  apiNameLength: 63,
  externalIdLength: 255,
  slugLength: 200,
  nameLength: 200,
  descriptionLength: 2000,
  commentLength: 1000,
  /** Characters of an argument of an agent's prompt. */
  promptArgumentLength: 10_000,
  /** Path of a field through nested blocks. */
  textPathLength: 1000,
  /** Comments on an entry: number, length, quoted characters, users that one mentions. */
  commentsPerEntry: 2000,
  commentTextLength: 5000,
  commentQuoteLength: 500,
  mentionsPerComment: 50,
  /** Tasks of a user that are counted and returned. */
  tasksListed: 1000,
  /** Notifications of a user that are returned, days that they are kept, characters that one quotes. */
  notificationsPerUser: 500,
  notificationDays: 90,
  notificationQuoteLength: 200,
  titleSuffixLength: 100,
  /** Entries created by a deep copy, and dependencies published with an entry. */
  entriesPerCopy: 100,
  dependenciesPerPublish: 100,
  /** Entries and assets of a list of dependencies, and the links that are followed to them. */
  dependenciesListed: 1000,
  dependencyDepth: 5,
  /** Blocks and dependencies that one call publishes along. */
  publishedAlong: 1000,
  /** Own blocks of an entry in one locale, and their nesting. */
  ownBlocks: 500,
  ownBlockDepth: 10,
  patternLength: 500,
  urlLength: 2048,
  selectOptions: 500,
  /** JSON Schemas: bytes, nesting, number of subschemas and of different patterns. */
  jsonSchemaBytes: 65_536,
  jsonSchemaDepth: 10,
  jsonSchemaParts: 1000,
  jsonSchemaPatterns: 50,
  /** JSON Schemas with every reference resolved: number of subschemas and nesting. */
  jsonSchemaExpansion: 10_000,
  jsonSchemaReach: 100,
  customFieldTypesPerProject: 200,
  /** Content types of a schema document. */
  schemaContentTypes: 1000,
  /** Entries of one bulk call, items of a batch, and pending jobs of one entry. */
  bulkEntries: 100,
  batchItems: 100,
  schedulesPerEntry: 50,
  /** Schedules that a preview of the future runs. */
  futureSchedules: 1000,
  releasesPerEnvironment: 2000,
  itemsPerRelease: 1000,
  /** Retention of stored responses, and length of an `Idempotency-Key`. */
  idempotencyHours: 24,
  idempotencyKeyLength: 255,
  /** Credentials. */
  apiKeysPerProject: 200,
  networksPerKey: 50,
  ipRulesPerProject: 200,
  calendarDays: 366,
  /** Calendar feeds: days before now, items of the past and of the future, days that a URL works. */
  calendarFeedPastDays: 30,
  calendarFeedItems: 1000,
  calendarFeedDays: 365,
  /** An imported XLIFF file. */
  xliffImportBytes: 8_388_608,
  /** Archives of translations: files, bytes of the archive and of all files in it, jobs that wait or run, days that they are kept. */
  translationJobFiles: 1000,
  translationArchiveBytes: 104_857_600,
  translationArchiveExpandedBytes: 536_870_912,
  translationJobsOpen: 500,
  translationJobDays: 7,
  viewsPerProject: 2000,
  environmentsPerProject: 100,
  /** Items that a promotion names, and that its event lists. */
  promotedItems: 10_000,
  /** Items of one promotion. */
  itemsPerPromotion: 100_000,
  /** Workflows, and their parts. */
  workflowsPerProject: 100,
  statesPerWorkflow: 50,
  transitionsPerWorkflow: 200,
  typesPerWorkflow: 500,
  sitesPerWorkflow: 100,
  rolesPerTransition: 50,
  approvalsPerTransition: 5,
  workflowHistory: 100,
  columnsPerView: 100,
  /** Maximum seconds that a previous secret remains valid after rotation. */
  secretOverlapSeconds: 604_800,
  /** Maximum requests per minute of a key. */
  rateLimitMaximum: 600_000,
  passwordMinimumLength: 12,
  passwordMaximumLength: 200,
  accessTokenSeconds: 3600,
  /** A session expires after this many seconds without renewal. */
  refreshTokenSeconds: 604_800,
  /** MCP event streams of one process. */
  eventStreamsPerKey: 20,
  eventStreamsPerTenant: 100,
  eventStreamsPerProcess: 1000,
  /** Presence on an entry: windows, users that are shown, characters of a place, seconds between two announcements and until one ends. */
  /** Pictures of users: side in pixels, bytes of the file that is uploaded, pictures read in one call. */
  avatarPixels: 128,
  avatarUploadBytes: 524_288,
  avatarsPerCall: 50,
  presenceWindows: 300,
  presencePeopleShown: 50,
  presencePathLength: 300,
  presenceRepeatSeconds: 10,
  presenceSeconds: 25,
  /** Event streams of users in one process. */
  liveStreamsPerUser: 20,
  liveStreamsPerProcess: 5000,
  /** Streams of changes for previews in one process. */
  previewStreamsPerCaller: 1000,
  previewStreamsPerProcess: 5000,
  /** Time to enter the code of a login. */
  loginChallengeSeconds: 300,
  /** Wrong codes that end a login. */
  loginChallengeFailures: 6,
  secondFactorCodeLength: 40,
  passkeysPerUser: 20,
  /** Personal keys that have neither expired nor been revoked, and days until one expires. */
  personalKeysPerUser: 20,
  personalKeyDays: 365,
  /** OAuth: a request until a user answers it, its code, the key that a client receives, clients that no user has approved. */
  oauthRequestSeconds: 600,
  oauthCodeSeconds: 60,
  oauthAccessDays: 365,
  oauthDefaultDays: 30,
  oauthWaitingClients: 10_000,
  oauthRedirectUris: 10,
  /** Time to complete the registration of a passkey or a login with it. */
  passkeyChallengeSeconds: 300,
  /** Lifetime of a token that resets a password. */
  passwordResetSeconds: 3600,
  invitationSeconds: 604_800,
  /** Lifetime of the token that confirms a call. */
  confirmSeconds: 300,
  /** Lifetime of a preview token. */
  previewSecondsMinimum: 60,
  previewSecondsMaximum: 604_800,
  previewSecondsDefault: 3600,
  /** Of callers who may only read entries. */
  previewSecondsOfReaders: 3600,
  /** Clock tolerance for session tokens. */
  tokenLeewaySeconds: 60,
  rolesPerProject: 100,
  grantsPerRole: 500,
  grantScopeValues: 100,
  rolesPerUser: 20,
  membersPerProject: 10_000,
  localesPerTenant: 200,
  /** Above this many bytes `Surrogate-Key` has short keys, then none of entries and assets. */
  surrogateKeyBytes: 8192,
  /** Trees: levels, nodes of one response, and bytes of a path without its locale prefix. */
  treeDepth: 50,
  treeNodesPerResponse: 50_000,
  /** Of the published tree. */
  siteTreeDepth: 10,
  siteTreeNodes: 5000,
  routePathBytes: 1960,
  /** URLs of one sitemap (specification section 8). */
  sitemapUrls: 50_000,
  /** Redirects: bytes of a path, patterns per site, length of a chain. */
  redirectPathBytes: 2000,
  redirectPatternsPerSite: 50,
  redirectHops: 10,
  /** Parameters in the source of a redirect. */
  redirectSourceParameters: 10,
  /** Parameters of a request by which redirects are looked up. */
  requestParameters: 50,
  /** Hosts that redirects of a site may name. */
  allowedTargetsPerSite: 100,
  redirectImportRows: 10_000,
  redirectImportBytes: 10_485_760,
  redirectRecordBytes: 65_536,
  redirectExportRows: 50_000,
  /** Bytes of an uploaded file, unless the upload is a large one. */
  mediaUploadBytes: 104_857_600,
  /** Large uploads: bytes of the file, requests or pieces that its bytes arrive in, lifetime. */
  mediaLargeUploadBytes: 5_368_709_120,
  mediaUploadParts: 10_000,
  mediaUploadHours: 24,
  /** A file that arrives with its request: how long it counts as open if the process dies. A request may last an hour. */
  mediaRequestMinutes: 70,
  /** Audit: events per page of the export, records per verification. */
  auditExportPage: 100,
  auditRecordsPerCheck: 100_000,
  /** Webhooks; the last three: batching time, events per request, bytes of an entry in a payload. */
  webhooksPerProject: 100,
  webhookHeaders: 20,
  webhookHeaderValueLength: 4096,
  webhookFilterValues: 100,
  webhookBatchWindowSeconds: 3600,
  webhookBatchEvents: 50,
  webhookEntryBytes: 65_536,
  /** Media: length of overlay values (specification section 8). */
  mediaAltTextLength: 2000,
  mediaTitleLength: 500,
  mediaDescriptionLength: 5000,
  /** Media: length of a file name, tags of an asset and their length, its sites, counted uses, total of a list filtered by a string. */
  mediaFileNameLength: 200,
  mediaTags: 50,
  mediaTagLength: 100,
  mediaSites: 100,
  mediaUsesCounted: 10_000,
  mediaMatchesCounted: 1000,
  /** Media folders: levels, and number in a project. */
  mediaFolderDepth: 10,
  mediaFolders: 5000,
  /** Lifetime of a signed URL. */
  signedUrlSecondsMinimum: 60,
  signedUrlSecondsMaximum: 604_800,
  signedUrlSecondsDefault: 3600,
  /** Governance: issues that a detector keeps open in an environment, length of a note. */
  governanceIssuesPerDetector: 1000,
  governanceNoteLength: 2000,
  /** Days of a report; records are kept this long. */
  reportDays: 400,
  /** Custom reports: number in a project, parts of one, rows of a run. */
  customReportsPerProject: 2000,
  customReportMetrics: 5,
  customReportGroupings: 2,
  customReportFilters: 10,
  customReportRows: 1000,
  bulkAssets: 100,
} as const;

export {
  ActiveRedirects,
  type ActiveRedirect,
  type ActiveRedirectQuery,
} from './resolve/active-redirects.repository.js';
export { AutoRedirectRepository, type PathChange } from './rules/auto-redirect.repository.js';
export { styleRedirectSql } from './rules/style-redirect-sql.js';
export { parseTarget, redirectOldPath } from './rules/looping-paths.js';
export { findLoopingPaths } from './rules/looping-paths.js';
export { splitTarget } from './redirect-address.js';
export { allowedPatterns, allowedTargetSql } from './redirect-target.js';
export { RedirectHits } from './resolve/redirect-hits.js';
export { RedirectResolver, type ResolvedRedirect } from './resolve/redirect-resolver.repository.js';
export { escapeFormula } from './import/redirect-csv.js';
export {
  createRedirect,
  deleteRedirect,
  getRedirect,
  restoreRedirect,
  updateRedirect,
} from './rules/redirects.js';
export { RedirectRepository, editable as editableRedirect, type RedirectRow } from './redirect.repository.js';

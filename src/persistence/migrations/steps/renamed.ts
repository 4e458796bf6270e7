/**
 * Former names of migrations by their current ones, so that databases that recorded a former name do not repeat the
 * step.
 */
export const formerNames: Readonly<Record<string, string>> = {
  '0019-ended-sessions': '0026-ended-sessions',
  '0020-audit-chain': '0019-audit-chain',
  '0021-confirmations': '0023-confirmations',
  '0022-purges': '0020-purges',
  '0023-purge-marks': '0028-purge-marks',
  '0024-filter-values': '0029-filter-values',
};

import type { Finding } from '../findings/stored-issue.js';
import type { ScannedKey } from './key-scan.repository.js';

type Rest = Pick<Finding, 'severity' | 'message' | 'evidence' | 'seenAt'>;

/** A condition of a key; its evidence does not change while the condition is the same. */
export const keyFinding = ({ id, name }: Pick<ScannedKey, 'id' | 'name'>, rest: Rest): Finding => ({
  ...rest,
  subjectType: 'api_key',
  subjectId: id,
  subjectName: name,
  fingerprint: JSON.stringify(rest.evidence),
  count: 1,
});

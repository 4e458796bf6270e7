import { AppError, type InputIssue } from '../../../contracts/errors.js';
import { isAppError } from '../client/operations-client.js';

const MAXIMUM_REASON_LENGTH = 300;

export function reasonOf(error: unknown): string {
  const reason = explain(error);
  return reason.length > MAXIMUM_REASON_LENGTH ? `${reason.slice(0, MAXIMUM_REASON_LENGTH)} …` : reason;
}

function explain(error: unknown): string {
  if (isAppError(error, 'version_conflict'))
    return 'another client changed the page during the import. Run the import again';
  if (!(error instanceof AppError)) return firstLine(error);
  const { code, message, details, cause } = error;
  if (cause !== undefined) return `${code}: ${firstLine(cause)}`;
  const { issues = [] } = (details ?? {}) as { issues?: readonly InputIssue[] };
  const wrong = issues
    .map(({ path, message: what }) => (path.length > 0 ? `${what} (${path.join('.')})` : what))
    .join(' ');
  return `${code}: ${wrong === '' ? message : wrong}`;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

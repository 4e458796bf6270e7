/** Keeps statements, parameters and details out of the server's log, and puts the SQL state into each line. */
export const LOG_SETTINGS: readonly string[] = [
  'logging_collector=off',
  'log_line_prefix=%m [%p] %e ',
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
  'log_statement=none',
  'log_duration=off',
  'log_min_duration_statement=-1',
  'log_min_duration_sample=-1',
  'log_transaction_sample_rate=0',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
];

const SERVER_LINE =
  /^(?<when>\d{4}-\d\d-\d\d \S+ \S+ \[\d+\]) (?<state>[0-9A-Z]{5}) (?<severity>[A-Z]+\d?): /;
const STATUS: ReadonlySet<string | undefined> = new Set(['LOG', 'INFO']);
const PROBLEMS: ReadonlySet<string | undefined> = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC']);

/**
 * Returns a filter for the lines of one server. Messages of problems quote values of users, also over several
 * lines, so only their severity and SQL state remain. Lines before the server's first one are kept: they say why a
 * program cannot be run.
 */
export function valueFreeLines(): (line: string) => string | undefined {
  let hasStarted = false;
  return (line) => {
    const { when, state, severity } = SERVER_LINE.exec(line)?.groups ?? {};
    if (severity === undefined) return hasStarted ? undefined : line;
    hasStarted = true;
    if (STATUS.has(severity)) return line;
    return PROBLEMS.has(severity) ? `${String(when)} ${severity}: SQL state ${String(state)}` : undefined;
  };
}

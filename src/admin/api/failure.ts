import { TRPCClientError } from '@trpc/client';
import { idIn, issueWords } from './issue-words.js';
import { failureText, formatNumber, maybeText } from '../texts/index.js';

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** What a call was refused with; code `offline` if the service was not reached. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** What is wrong with what was sent, if the service says that, else the message. */
  readonly problem: string;
  readonly issues: readonly Issue[];
  readonly details: Readonly<Record<string, unknown>>;
}

interface FailureData {
  readonly error?: string;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A call of REST that was refused. */
export class RestFailure extends Error {
  constructor(readonly data: FailureData) {
    super(data.message);
  }
}

const dataOf = (error: unknown): FailureData | null | undefined =>
  error instanceof TRPCClientError || error instanceof RestFailure
    ? (error.data as FailureData | null | undefined)
    : undefined;

/** Numbers as the language of the app writes them; days and times stay. */
const shownValue = (value: string): string =>
  value !== '' && Number.isFinite(Number(value)) ? formatNumber(Number(value)) : value;

/** What is wrong in the words of the app, if it has any. Ids stay: they are shown as links. */
export function issueText({ code, message }: Pick<Issue, 'code' | 'message'>): string {
  const { keys, values } = issueWords({ code, message });
  const shown = { id: idIn(message), first: shownValue(values.first), second: shownValue(values.second) };
  const known = keys.map((key) => maybeText(key, shown)).find((text) => text !== undefined);
  return known ?? failureText(code, message);
}

export function failureOf(error: unknown): Failure {
  const data = dataOf(error);
  const code = data?.error ?? (error instanceof TypeError || isUnreached(error) ? 'offline' : 'unexpected');
  const details = data?.details ?? {};
  const message = error instanceof Error ? error.message : String(error);
  const said = failureText(code, message);
  const issues = issuesIn(details);
  const [issue] = issues;
  return { code, message: said, problem: issue === undefined ? said : issueText(issue), issues, details };
}

const isUnreached = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.cause instanceof TypeError;

const issuesIn = ({ issues }: Failure['details']): readonly Issue[] =>
  Array.isArray(issues) ? (issues as Issue[]) : [];

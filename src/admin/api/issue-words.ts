/** Codes that mean different things to people, with the words by which their messages differ. */
const variants: Readonly<Record<string, readonly string[]>> = {
  custom: ['dot segment', 'invisible'],
  invalid_format: [
    'mailto',
    'spaces',
    'dot segment',
    'invisible',
    'email',
    'URL',
    'color',
    'date',
    'time',
    'ID',
  ],
  too_small: ['width', 'height', 'characters'],
  too_big: ['characters'],
  too_large: ['width', 'height', 'file'],
  too_long: ['bytes'],
  too_many_items: ['group'],
  invalid_type: ['integer', 'number'],
  invalid_path: ['start', 'exact', 'space'],
  invalid_target: ['password', 'host'],
};

/** Numbers, days and times in a message, without a full stop at its end. */
const VALUE = /(?<![\w#-])-?\d[\w:+-]*(?:\.\d+)*(?:Z\b)?/g;

interface ServiceIssue {
  readonly code: string;
  readonly message: string;
}

interface IssueWords {
  /** Keys of the catalogue, the most exact first. */
  readonly keys: readonly string[];
  /** What the message says besides: `{first}` and `{second}`. */
  readonly values: Readonly<Record<'first' | 'second', string>>;
}

/** How an issue of the service is said in the words of the app. */
export function issueWords({ code, message }: ServiceIssue): IssueWords {
  const [first = '', second = ''] = message.match(VALUE) ?? [];
  const variant = variants[code]?.find((word) => new RegExp(`\\b${word}\\b`).test(message));
  const key = `issue.${code}`;
  return {
    keys: variant === undefined ? [key] : [`${key}.${variant}`, key],
    values: { first, second },
  };
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Cuts a message at the ids of entries in it; every second part is an id. */
export const partsOf = (message: string): readonly string[] => message.split(new RegExp(`(${uuid.source})`));

/** The first id in a message. */
export const idIn = (message: string): string => uuid.exec(message)?.[0] ?? '';

import { z } from 'zod';
import { limits } from '../../../contracts/limits.js';
import { EntrySlug, LocaleCode } from '../../../contracts/primitives.js';

const Key = z.string().min(1).max(limits.textLength);

/** `file` is in the folder `images` beside the corpus. */
const PagePicture = z.object({
  src: z.string(),
  file: z.string().regex(/^(?!\.)[^/\\\u0000]{1,200}$/, 'must be the name of a file'),
  alt: z.string().max(limits.mediaAltTextLength),
});

const PageLine = z.object({
  key: Key,
  parent: Key.nullable(),
  position: z.int().min(0),
  locale: LocaleCode,
  slug: EntrySlug,
  title: z.string().min(1).max(limits.textLength),
  html: z.string(),
  links: z.array(z.string()),
  images: z.array(PagePicture).default([]),
});
/** One page in one locale: a line of the corpus. */
export type PageLine = z.infer<typeof PageLine>;

export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}

function describe({ path, code, message }: z.core.$ZodIssue, page: object): string {
  const [key] = path;
  if (key === undefined) return 'is not an object';
  const name = path.map((step) => String(step)).join('.');
  if (code === 'invalid_type' && !Object.hasOwn(page, key)) return `lacks the key ${name}`;
  return `${name}: ${message}`;
}

/**
 * @throws LineProblem naming every problem of the line
 */
export function parsePageLine(text: string): PageLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LineProblem('is not JSON');
  }
  const result = PageLine.safeParse(value);
  if (result.success) return result.data;
  throw new LineProblem(result.error.issues.map((issue) => describe(issue, value as object)).join('; '));
}

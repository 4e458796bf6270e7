import { z } from 'zod';

export interface StartKind {
  /** `operate` is for commands that only reach the database. */
  readonly purpose: 'serve' | 'operate';
  readonly isEmbedded: boolean;
}

/** Values by name; unset ones are missing. */
type GivenSettings = Readonly<Record<string, string | undefined>>;

/** The settings of one part of the process. */
export interface SettingsPart<Slice> {
  readonly settings: Readonly<Record<string, z.ZodType>>;
  /** Missing or invalid settings, each with its name. */
  issues(given: GivenSettings): string[];
  /** Contradictions between valid settings, each with the fix. */
  problems(given: GivenSettings, start: StartKind): string[];
  /** Requires settings without issues. */
  slice(given: GivenSettings): Slice;
}

interface PartDefinition<Shape extends z.ZodRawShape, Slice> {
  readonly settings: Shape;
  slice(read: z.output<z.ZodObject<Shape>>): Slice;
  problems?(read: z.output<z.ZodObject<Shape>>, start: StartKind): string[];
}

export function definePart<Shape extends z.ZodRawShape & Record<string, z.ZodType>, Slice>({
  settings,
  slice,
  problems,
}: PartDefinition<Shape, Slice>): SettingsPart<Slice> {
  const parser = z.object(settings);
  return {
    settings,
    issues: (given) =>
      parser.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [],
    problems: (given, start) => problems?.(parser.parse(given), start) ?? [],
    slice: (given) => slice(parser.parse(given)),
  };
}

export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

export function url(...protocols: string[]) {
  const error = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), { error });
}

export const webUrl = () => url('https:', 'http:');

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/** `1` or `0`. */
export const flag = () => oneOf(['1', '0']).transform((value) => value === '1');

export const secret = () =>
  z.string().refine((value) => Buffer.byteLength(value) >= 32, { error: 'must have at least 32 bytes' });

/** Items separated by commas; empty ones are dropped. */
export const listOf = (text: string): string[] => text.split(',').flatMap((item) => item.trim() || []);

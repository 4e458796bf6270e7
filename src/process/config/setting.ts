import { z } from 'zod';

/** The settings of one part of the process, declared once: parser, default and description. */
export interface SettingsPart<Shape extends z.ZodRawShape, Slice> {
  readonly settings: Shape;
  /** What the part receives. */
  slice(read: z.output<z.ZodObject<Shape>>): Slice;
  /** Settings that contradict each other, each with the fix. */
  problems?(read: z.output<z.ZodObject<Shape>>, start: StartKind): string[];
}

export interface StartKind {
  /** `operate` is for commands that only reach the database. */
  readonly purpose: 'serve' | 'operate';
  readonly isEmbedded: boolean;
}

export const definePart = <Shape extends z.ZodRawShape, Slice>(
  part: SettingsPart<Shape, Slice>,
): SettingsPart<Shape, Slice> => part;

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

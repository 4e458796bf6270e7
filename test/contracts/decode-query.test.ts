import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { decodeQuery, queryDecoders } from '../../src/surfaces/rest/decode-query.js';

const schema = z.strictObject({
  text: z.string().optional(),
  count: z.int().default(1),
  ratio: z.number().nullish(),
  isFine: z.boolean().default(false),
  kinds: z.array(z.string()).optional(),
  sizes: z.array(z.int()).optional(),
  order: z.enum(['a', 'b']).default('a'),
});
const decoders = queryDecoders(schema, Object.keys(schema.shape));
const decode = (search: string) => decodeQuery(search, decoders);

describe('A query string', () => {
  it('becomes what the schema expects, which stays as strict as it was', () => {
    const search = 'text=5&count=7&ratio=-1.5&isFine=true&order=b';
    expect(decode(search)).toEqual({ text: '5', count: 7, ratio: -1.5, isFine: true, order: 'b' });
    expect(schema.safeParse({ count: '7' }).success).toBe(false);
    expect(schema.safeParse({ isFine: 'true' }).success).toBe(false);
  });

  it('leaves alone what is no number or boolean, for the schema to refuse', () => {
    for (const count of ['', ' 7', '7 ', '+7', '07', '0x7', '7e1', 'Infinity', 'NaN', '٧'])
      expect(decode(`count=${encodeURIComponent(count)}`)).toEqual({ count });
    for (const isFine of ['TRUE', '1', 'yes', '', 'null'])
      expect(decode(`isFine=${isFine}`)).toEqual({ isFine });
  });

  it('holds several values with commas or by repetition', () => {
    expect(decode('kinds=a,b&kinds=c&sizes=1,2')).toEqual({ kinds: ['a', 'b', 'c'], sizes: [1, 2] });
    expect(decode('sizes=1,x')).toEqual({ sizes: [1, 'x'] });
  });

  it('that repeats a single value is left as a list, for the schema to refuse', () => {
    expect(decode('count=1&count=2')).toEqual({ count: ['1', '2'] });
  });

  it('is decoded once: plus is a space, percent signs that are escaped stay', () => {
    expect(decode('text=a+b%2Bc%2525')).toEqual({ text: 'a b+c%25' });
  });

  it('leaves out what is not there and what nobody knows', () => {
    expect(decode('')).toEqual({});
    expect(decode('&&=&other=1&__proto__=x&constructor=y')).toEqual({});
    expect(decode('text')).toEqual({ text: '' });
  });

  it.each(['text=%', 'text=%ff', 'text=%ED%A0%80', 'text=%00', '%ff=1', 'other=%00'])(
    'that holds %s is refused',
    (search) => {
      expect(() => decode(search)).toThrow('The input is invalid.');
    },
  );
});

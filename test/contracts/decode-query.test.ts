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
  it('is decoded to the types of the schema, which stays strict', () => {
    const search = 'text=5&count=7&ratio=-1.5&isFine=true&order=b';
    expect(decode(search)).toEqual({ text: '5', count: 7, ratio: -1.5, isFine: true, order: 'b' });
    expect(schema.safeParse({ count: '7' }).success).toBe(false);
    expect(schema.safeParse({ isFine: 'true' }).success).toBe(false);
  });

  it('keeps invalid numbers and booleans for the schema to reject', () => {
    for (const count of ['', ' 7', '7 ', '+7', '07', '0x7', '7e1', 'Infinity', 'NaN', '٧'])
      expect(decode(`count=${encodeURIComponent(count)}`)).toEqual({ count });
    for (const isFine of ['TRUE', '1', 'yes', '', 'null'])
      expect(decode(`isFine=${isFine}`)).toEqual({ isFine });
  });

  it('accepts several values with commas or by repetition', () => {
    expect(decode('kinds=a,b&kinds=c&sizes=1,2')).toEqual({ kinds: ['a', 'b', 'c'], sizes: [1, 2] });
    expect(decode('sizes=1,x')).toEqual({ sizes: [1, 'x'] });
  });

  it('keeps a comma that is escaped, and any other backslash', () => {
    const of = (kinds: string) => decode(`kinds=${encodeURIComponent(kinds)}`);
    expect(of('a\\,b,c')).toEqual({ kinds: ['a,b', 'c'] });
    expect(of('a\\b,\\,')).toEqual({ kinds: ['a\\b', ','] });
    expect(of('a\\\\,b')).toEqual({ kinds: ['a\\,b'] });
    expect(decode('kinds=a%5C&kinds=b')).toEqual({ kinds: ['a\\', 'b'] });
    expect(of('')).toEqual({ kinds: [''] });
    expect(decode('text=a%5C%2Cb')).toEqual({ text: 'a\\,b' });
  });

  it('becomes a list when a single value is repeated, for the schema to reject', () => {
    expect(decode('count=1&count=2')).toEqual({ count: ['1', '2'] });
  });

  it('is decoded once: plus is a space, escaped percent signs stay', () => {
    expect(decode('text=a+b%2Bc%2525')).toEqual({ text: 'a b+c%25' });
  });

  it('omits absent and unknown parameters', () => {
    expect(decode('')).toEqual({});
    expect(decode('&&=&other=1&__proto__=x&constructor=y')).toEqual({});
    expect(decode('text')).toEqual({ text: '' });
  });

  it.each(['text=%', 'text=%ff', 'text=%ED%A0%80', 'text=%00', '%ff=1', 'other=%00'])(
    'with %s is rejected',
    (search) => {
      expect(() => decode(search)).toThrow('The input is invalid.');
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { generate } from 'unpic/providers/contentful';
import { AppError } from '../../../contracts/errors.js';
import { readTransform, transformQuery } from '../../../src/features/media/media/deliver/media-urls.js';

const refusal = (search: string): unknown => {
  try {
    readTransform(new URLSearchParams(search));
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
};

describe('Parameters of a rendition', () => {
  it('are those that image components write for Contentful', () => {
    const url = generate('https://cdn.example/media/demo/id/hash/a.jpg', {
      width: 800,
      height: 600,
      format: 'webp',
      quality: 70,
      fit: 'fill',
    });
    const expected = { w: 800, h: 600, fm: 'webp', q: 70, fit: 'fill' };
    expect(readTransform(new URL(String(url)).searchParams)).toEqual(expected);
  });

  it('are written as they are read', () => {
    const transform = {
      w: 10,
      fit: 'crop',
      fp: { x: 0.25, y: 1 },
      rect: { x: 0, y: 5, w: 10, h: 20 },
      dpr: 1.5,
      bg: 'rgb:00ff7F',
      auto: 'format',
    } as const;
    const query = transformQuery(transform);
    expect(query.get('fp')).toBe('0.25,1');
    expect(query.get('rect')).toBe('0,5,10,20');
    expect(readTransform(query)).toEqual(transform);
  });

  it('may name the stored focal point, and do not include the signature', () => {
    expect(readTransform(new URLSearchParams('fp=auto&w=5&exp=1&sig=x'))).toEqual({ w: 5 });
  });

  it.each([
    'w=0',
    'w=4001',
    'w=1.5',
    'w=-1',
    'w=1e3',
    'w=',
    'w=10&w=20',
    'q=0',
    'q=101',
    'dpr=0.5',
    'dpr=4',
    'fit=stretch',
    'f=nose',
    'fm=tiff',
    'fp=1',
    'fp=1,2',
    'fp=1,2,3',
    'bg=red',
    'rect=1,2,3',
    'rect=0,0,0,5',
    'rect=a,b,c,d',
    'fl=png8',
    'auto=compress',
    'size=10',
    '__proto__=1',
    'constructor=1',
  ])('refuses %s', (search) => {
    expect(refusal(search)).toBe('validation_failed');
  });
});

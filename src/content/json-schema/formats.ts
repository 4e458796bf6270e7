import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { spendWork } from './work.js';

/** Other formats are annotations, which check nothing. */
const names = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const;

/** No format has longer values. The expressions were timed on hostile strings of this length. */
const lengthMaximum = 2048;
const workPerCharacter = 64;

type TestText = (text: string) => boolean;

function bounded(format: Format): TestText {
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  const isGood =
    typeof check === 'function' ? (check as TestText) : (text: string) => (check as RegExp).test(text);
  return (text) => {
    if (text.length > lengthMaximum) return false;
    spendWork(text.length * workPerCharacter);
    return isGood(text);
  };
}

export const formats: ReadonlyMap<string, TestText> = new Map(
  names.map((name) => [name, bounded(fullFormats[name])]),
);

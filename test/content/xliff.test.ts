import { describe, expect, it } from '@jest/globals';
import type { RichTextMark, RichTextNode } from '../../contracts/rich-text.js';
import { checkDocument } from '../../src/content/rich-text/document-tree.js';
import { nodesOf, segmentOf } from '../../src/content/xliff/inline.js';
import { readXliff } from '../../src/content/xliff/read-xliff.js';
import { translatedValues } from '../../src/content/blocks/translated-values.js';
import { unitsOf, withTargets, unitIdOf, writeXliff } from '../../src/content/xliff/write-xliff.js';
import { runInTurns } from '../../src/infrastructure/lazy.js';
import type { FieldDefinition } from '../../src/content/model/field-definition.js';
import { verifies } from '../support/verifies.js';
import { fc } from '../support/properties.js';

const field = (apiName: string, type: string): FieldDefinition =>
  ({
    apiName,
    type,
    localized: true,
    isList: false,
    settings: {},
    validations: {},
  }) as unknown as FieldDefinition;
const type = { id: 't', apiName: 'page', fields: [field('title', 'text'), field('body', 'richText')] };
const types = { contentType: () => undefined };

const string = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed());
const words = fc.oneof(
  string,
  fc.constantFrom('Hello {name}', '%s of %1$d', ' a <b> & c ', 'line\r\n\tend', '${x}{{y}}', '\u0007'),
);
const entryId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a68';
const bold = { type: 'bold' };
const link = { type: 'link', attrs: { href: '/locks', title: 'A "lock" & more' } };
const markSets = fc.constantFrom<RichTextMark[]>(
  [],
  [bold],
  [link],
  [link, bold],
  [link, { type: 'italic' }, bold],
  [{ type: 'code' }],
  [{ type: 'link', attrs: { entryId, anchor: 'a' } }],
);
const inline: fc.Arbitrary<RichTextNode> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: words, marks: markSets }),
  fc.record({ type: fc.constant('hardBreak'), marks: markSets }),
  fc.record({ type: fc.constant('entryMention'), attrs: fc.constant({ entryId }), marks: markSets }),
);

/** As editors write it: no empty lists of marks, no neighbours with the same marks. */
const content = fc.array(inline, { maxLength: 5 }).map((nodes) => {
  const tidy = nodes.map(({ marks, ...node }) => (marks?.length ? { ...node, marks } : node) as RichTextNode);
  const segment = segmentOf(tidy);
  return nodesOf(segment.content, segment.codes);
});
const paragraph = content.map((nodes): RichTextNode => ({ type: 'paragraph', content: nodes }));
const heading = content.map((nodes): RichTextNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: nodes,
}));
const list = fc.array(paragraph, { minLength: 1, maxLength: 3 }).map((items): RichTextNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [item] })),
}));
const embed = fc.tuple(words, fc.option(words)).map(([caption, alt]): RichTextNode => ({
  type: 'assetEmbed',
  attrs: { assetId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69', caption, alt },
}));
const entryEmbed: RichTextNode = { type: 'entryEmbed', attrs: { entryId } };
const document = fc
  .array(
    fc.oneof(
      paragraph,
      heading,
      list,
      embed,
      fc.constant(entryEmbed),
      fc.constant({ type: 'horizontalRule' }),
    ),
    {
      maxLength: 5,
    },
  )
  .map((nodes): RichTextNode => ({ type: 'doc', content: nodes }));

const entry = { entryId: 'e', version: 1, sourceLocale: 'en', targetLocale: 'de' };

/** Exports, copies every source to its target, and imports. */
async function roundTrip(values: Record<string, unknown>): Promise<Record<string, unknown>> {
  const units = unitsOf(types, type, values).map((unit) => ({
    ...unit,
    hash: 'h',
    target: null,
    state: 'initial' as const,
  }));
  const xml = writeXliff({ ...entry, units }).replace(
    /<source xml:space="preserve">(.*?)<\/source>/gs,
    '$&<target xml:space="preserve">$1</target>',
  );
  const read = await runInTurns(readXliff(xml));
  const targets = new Map(units.map((unit) => [unit.name, read.units.get(unitIdOf(unit))?.target ?? []]));
  return Object.fromEntries(
    translatedValues(types, type, values).map((value) => [value.mark, withTargets(types, value, targets)]),
  );
}

const problemOf = async (xml: string): Promise<unknown> => {
  try {
    return await runInTurns(readXliff(xml));
  } catch (error) {
    return (error as { problem?: { code: string } }).problem?.code ?? error;
  }
};

describe('XLIFF', () => {
  verifies('translations/xliff', 'content/rich-text-references');

  it('returns an equal document when each source is its target', async () => {
    await fc.assert(
      fc.asyncProperty(words, document, async (title, body) => {
        fc.pre(checkDocument(body).length === 0);
        expect(await roundTrip({ title, body })).toEqual({ title, body });
      }),
      { numRuns: 300 },
    );
  });

  it('protects marks, line breaks and placeholders as codes', () => {
    const body = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'Dear {name}, ' },
            { type: 'text', text: 'read', marks: [bold] },
            { type: 'hardBreak' },
          ],
        },
      ],
    };
    const units = unitsOf(types, type, { body }).map((unit) => ({
      ...unit,
      hash: 'h',
      target: null,
      state: 'initial' as const,
    }));
    const xml = writeXliff({ ...entry, units });
    expect(xml).toContain('Dear <ph id="p1" dataRef="d_p1" disp="{name}" canCopy="no" canDelete="no"/>, ');
    expect(xml).toContain('subType="hw:bold"');
    expect(xml).toContain('<unit id="body.0-h" name="body.0"');
  });

  it('has units for the texts of a picture, and codes for mentions, which translations keep', () => {
    const mention = { type: 'entryMention', attrs: { entryId } };
    const picture = {
      type: 'assetEmbed',
      attrs: { assetId: entryId, caption: 'Crate', alt: 'Apples', align: 'left' },
    };
    const body = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'See ' }, mention] }, picture],
    };
    const units = unitsOf(types, type, { body });
    const value = translatedValues(types, type, { body }).find(({ mark }) => mark === 'body');
    expect(units.map(({ name }) => name)).toEqual(['body.0', 'body.1.caption', 'body.1.alt']);
    const targets = new Map([
      ['body.0', [{ kind: 'ph', id: 'p1' } as const, { kind: 'text', text: ' ansehen' } as const]],
      ['body.1.alt', [{ kind: 'text', text: 'Äpfel' } as const]],
    ]);
    expect(value && withTargets(types, value, targets)).toEqual({
      type: 'doc',
      content: [
        { type: 'paragraph', content: [mention, { type: 'text', text: ' ansehen' }] },
        { ...picture, attrs: { ...picture.attrs, alt: 'Äpfel' } },
      ],
    });
  });

  const open =
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">';

  it.each([
    ['doctype', '<!DOCTYPE xliff [<!ENTITY a "b">]><xliff/>'],
    ['doctype', '<!DOCTYPE xliff SYSTEM "http://127.0.0.1/x.dtd"><xliff/>'],
    ['malformed_xml', `${open}<file id="f" original="x"><unit id="u">&a;</unit></file></xliff>`],
    ['malformed_xml', `${open}<file id="f">`],
    ['malformed_xml', 'not XML'],
    ['unsupported_version', '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"></xliff>'],
    ['no_file', `${open}</xliff>`],
    ['several_files', `${open}<file id="f" original="x"/><file id="g" original="y"/></xliff>`],
    ['repeated_unit', `${open}<file id="f" original="x"><unit id="u"/><unit id="u"/></file></xliff>`],
    ['too_deep', `${open}${'<group>'.repeat(100)}${'</group>'.repeat(100)}</xliff>`],
  ])('refuses with %s: %s', async (code, xml) => {
    expect(await problemOf(xml)).toBe(code);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { DOMParser, DOMSerializer, Node } from 'prosemirror-model';
import { richTextSchema } from '../../content/rich-text/schema.js';
import { editorSchema } from './editor-schema.js';

describe('Rich text', () => {
  it('has the nodes, marks and attributes of the service, each with a view', () => {
    const shape = ({ nodes, marks }: typeof editorSchema) =>
      Object.values({ ...nodes, ...marks }).map(({ name, spec }) => [name, Object.keys(spec.attrs ?? {})]);
    expect(shape(editorSchema)).toEqual(shape(richTextSchema));
    const specs = Object.values({ ...editorSchema.nodes, ...editorSchema.marks });
    const unseen = specs.filter(
      ({ name, spec }) => spec.toDOM === undefined && name !== 'doc' && name !== 'text',
    );
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });

  it('keeps what names entries and assets when it is copied', () => {
    const id = '01a20000-0000-7000-8000-000000000001';
    const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
      document: Document;
    };
    const link = (attrs: object) => [{ type: 'link', attrs }];
    const given = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'a', marks: link({ entryId: id, anchor: 'b', rel: 'nofollow' }) },
            { type: 'entryMention', attrs: { entryId: id } },
            { type: 'text', text: 'c', marks: link({ assetId: id }) },
          ],
        },
        { type: 'entry_embed', attrs: { entryId: id } },
        { type: 'assetEmbed', attrs: { assetId: id, alt: 'd', align: 'left' } },
        { type: 'assetEmbed', attrs: { assetId: id, caption: 'e' } },
      ],
    };
    const node = Node.fromJSON(editorSchema, given);
    const copied = DOMSerializer.fromSchema(editorSchema).serializeFragment(node.content, { document });
    const place = document.createElement('div');
    place.append(copied);
    const pasted = DOMParser.fromSchema(editorSchema).parse(place);
    const canonical = JSON.stringify(node.toJSON()).replace('entry_embed', 'entryEmbed');
    expect(pasted.toJSON()).toEqual(JSON.parse(canonical));
  });

  it('keeps documents in both spellings as they are', () => {
    const text = [{ type: 'text', text: 'Lock', marks: [{ type: 'strong' }, { type: 'bold' }] }];
    const paragraph = { type: 'paragraph', content: text };
    const list = { type: 'bullet_list', content: [{ type: 'list_item', content: [paragraph] }] };
    const cell = { type: 'tableCell', attrs: { colspan: 2, rowspan: 1 }, content: [paragraph] };
    const table = { type: 'table', content: [{ type: 'tableRow', content: [cell] }] };
    const document = { type: 'doc', content: [paragraph, list, table, { type: 'horizontalRule' }] };
    const node = Node.fromJSON(editorSchema, document);
    expect(node.toJSON()).toEqual(Node.fromJSON(richTextSchema, document).toJSON());
    expect(node.toJSON()).toMatchObject({ content: [{}, { type: 'bullet_list' }, {}, {}] });
  });
});

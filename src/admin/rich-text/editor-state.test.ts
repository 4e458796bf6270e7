import { describe, expect, it } from '@jest/globals';
import { Node } from 'prosemirror-model';
import { richTextSchema } from '../../content/rich-text/schema.js';
import { editorSchema } from './editor-state.js';

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

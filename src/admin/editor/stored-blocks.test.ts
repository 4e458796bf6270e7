import { describe, expect, it } from '@jest/globals';
import { withStoredBlocks } from './stored-blocks.js';

const content = (fields: Record<string, unknown>) => ({ slug: 'a', fields });

describe('Blocks that were new when they were saved', () => {
  const [first, second] = [
    { _type: 'quote', fields: { words: 'One' } },
    { _type: 'quote', fields: { words: 'Two' } },
  ];
  const sent = content({ parts: [first, second] });
  const links = [
    { _ref: '1', _type: 'quote' },
    { _ref: '2', _type: 'quote' },
  ];
  const saved = content({ parts: links });

  it('are named by what was typed in them since', () => {
    const typed = content({ parts: [{ ...first, fields: { words: 'One more' } }, second] });
    expect(withStoredBlocks(typed, sent, saved).fields.parts).toEqual([
      { _ref: '1', _type: 'quote', fields: { words: 'One more' } },
      links[1],
    ]);
  });

  it('are found when they were moved since, and blocks that were added since stay new', () => {
    const added = { _type: 'quote', fields: { words: 'Three' } };
    const typed = content({ parts: [second, first, added] });
    expect(withStoredBlocks(typed, sent, saved).fields.parts).toEqual([links[1], links[0], added]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { verifies } from '../support/verifies.js';
import { ask, serveFake } from './fake-service.js';
import { catalogOf, document, id, link } from './fixture.js';

describe('GraphQL settings', () => {
  verifies('graphql/costs');

  it('change the depth, complexity and reference limits', async () => {
    const narrow = await serveFake(catalogOf(), {
      maxQueryDepth: 4,
      maxComplexity: 20,
      maxReferenceDepth: 1,
    });
    const friends = 'friend { friend { name } }';
    narrow.published.documents = [1, 2, 3].map((number) =>
      document(number, 'author', { fields: { name: `a${number}`, friend: link(number + 1) } }),
    );
    try {
      const entry = (inner: string) =>
        ask(narrow, `{ entry(id: "${id(1)}") { ... on Author { ${inner} } } }`);
      expect((await entry(friends)).body.data).toEqual({ entry: { friend: { friend: null } } });
      expect((await entry(`friend { ${friends} }`)).body.details).toEqual({ max: 4, actual: 5 });
      expect((await entry(`a: ${friends} b: name c: name d: name e: name`)).status).toBe(200);
      expect((await entry(`a: ${friends} b: name c: name d: name e: name f: name`)).body.details).toEqual({
        max: 20,
        actual: 21,
      });
    } finally {
      await narrow.close();
    }
  });
});

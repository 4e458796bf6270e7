import { it } from '@jest/globals';
import { ask, serveFake } from './fake-service.js';
it('x', async () => { const e = await serveFake(); console.log((await ask(e, '{ __typename }')).status, e.logged.join('').slice(0, 1500)); await e.close(); });

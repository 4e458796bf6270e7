import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { queueMail } from '../../../src/features/access/mail/index.js';
import { projectAddressOf, systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { must } from '../../support/call.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { startHungServer } from '../../support/hung-neighbours.js';
import { startMailSink, type MailSink } from '../../support/mail-sink.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const LINK = 'https://cms.example.com/admin/invitation#token=hwt_the-secret-token';
const smtp = (url: string) => ({ url, name: 'Headwater', address: 'cms@example.com' });

let sink: MailSink;
let app: TestApp;
let project: TestProject;
let now = new Date();

beforeAll(async () => {
  sink = await startMailSink();
  app = await startTestApp({ smtp: smtp(sink.url), clock: () => now, neighbourMs: 2000 });
  project = await createProject(app, { locales: ['en', 'de'] });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});
beforeEach(() => {
  Object.assign(sink.behavior, { refuseRecipient: undefined, refuseData: undefined, delayMs: 0 });
});

interface Queued {
  readonly email?: string;
  readonly name?: string;
  readonly inviter?: string;
  readonly language?: string;
  readonly of?: TestProject;
  readonly at?: TestApp;
  readonly fails?: boolean;
}

/** Queues an invitation with a secret link in a transaction, which `fails` rolls back. */
async function queue({ at = app, of = project, fails = false, ...given }: Queued = {}): Promise<string> {
  const { units, mail } = at.composition.services;
  const { email = `${unique()}@example.com`, name = 'Ada', inviter = 'Grace', language } = given;
  const address = projectAddressOf({ tenantId: of.tenantId, projectId: of.projectId, projectSlug: of.slug });
  const run = units.run(
    { scope: systemScope({ address }), isReadOnly: false, lock: 'none' },
    async (work) => {
      await queueMail(work, {
        kind: 'invitation',
        to: { email, name },
        values: { project: 'The <Site>', inviter, days: 7 },
        url: LINK,
        secretBox: mail.secretBox,
        language,
      });
      if (fails) throw new Error('The change failed.');
    },
  );
  await (fails ? run.catch(() => undefined) : run);
  return email;
}

interface Row {
  readonly status: string;
  readonly outcome: string | null;
  readonly attempts: number;
  readonly sealed: string | null;
  readonly whole: string;
  readonly wait: number;
}

async function rowOf(email: string, at = app): Promise<Row | undefined> {
  const [row] = await at.rows<Row>(
    null,
    `SELECT status, outcome, attempts, sealed_url AS sealed, m::text AS whole,
       extract(epoch FROM next_attempt_at - $2::timestamptz)::float8 AS wait FROM mails m WHERE recipient = $1`,
    [email, now],
  );
  return row;
}

const send = (at = app): Promise<number> => at.composition.jobs.sendMails();
const later = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000);
};

describe('A queued mail', () => {
  verifies('access/mail-queue', 'limits/neighbours');

  it('is sent by the worker with text and HTML, and its secret link is removed', async () => {
    const email = await queue();
    const waiting = await rowOf(email);
    expect([waiting?.status, waiting?.sealed?.startsWith('s1.')]).toEqual(['pending', true]);
    expect(waiting?.whole).not.toContain('the-secret-token');
    expect(await send()).toBe(1);
    const mail = sink.to(email);
    expect(mail?.headers).toMatchObject({ from: 'Headwater <cms@example.com>', to: `Ada <${email}>` });
    expect(mail?.subject).toBe('Invitation to The <Site>');
    expect(mail?.text).toContain(`Accept the invitation:\n${LINK}`);
    expect(mail?.html).toContain(`href="${LINK}"`);
    expect(mail?.html).toContain('“The &lt;Site&gt;”');
    expect(mail?.html).not.toContain('<Site>');
    expect(await rowOf(email)).toMatchObject({ status: 'sent', outcome: null, attempts: 1, sealed: null });
    expect(await send()).toBe(0);
    expect(sink.mails.filter(({ recipients }) => recipients.includes(email))).toHaveLength(1);
  });

  it('does not exist if its transaction fails', async () => {
    const email = await queue({ fails: true });
    expect(await rowOf(email)).toBeUndefined();
  });

  it('is in the language of the user, else in that of the tenant, else in English', async () => {
    const german = await createProject(app, { locales: ['de-AT', 'en'] });
    const french = await createProject(app, { locales: ['fr'] });
    const mails = await Promise.all([
      queue({ language: 'de-CH' }),
      queue({ of: german }),
      queue({ of: german, language: 'en' }),
      queue({ of: french }),
    ]);
    await send();
    const german1 = 'Einladung zu The <Site>';
    const english = 'Invitation to The <Site>';
    expect(mails.map((email) => sink.to(email)?.subject)).toEqual([german1, german1, english, english]);
    expect(sink.to(mails[0])?.text).toContain('„The <Site>“');
  });

  it('cannot be given another header or recipient by a name', async () => {
    const evil = 'Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u2028X-Evil: 1';
    await platform(app, `PUT /tenants/${project.tenantSlug}`, { name: evil });
    const email = await queue({ name: evil, inviter: evil });
    await send();
    const mail = sink.to(email);
    expect(mail?.recipients).toEqual([email]);
    expect(Object.keys(mail?.headers ?? {}).sort()).toEqual(
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    expect(mail?.html).not.toContain('<script>');
    expect(mail?.html).toContain('&lt;script&gt;');
  });

  it('has the sender and the reply address of the tenant', async () => {
    const own = await createProject(app);
    const sender = { name: 'Acme Ünited', address: 'web@acme.example', replyTo: 'desk@acme.example' };
    const set = (mailSender: object) => platform(app, `PUT /tenants/${own.tenantSlug}`, { mailSender });
    expect((await set(sender)).body.data.mailSender).toEqual(sender);
    const email = await queue({ of: own });
    await send();
    expect(sink.to(email)?.headers).toMatchObject({
      from: expect.stringContaining('<web@acme.example>'),
      'reply-to': 'desk@acme.example',
    });
    expect((await set({})).body.data.mailSender).toEqual({ name: null, address: null, replyTo: null });
    for (const name of ['A\r\nBcc: x@example.com', 'A <b@example.com>'])
      expect((await set({ name })).status).toBe(422);
    expect((await set({ address: 'a@example.com\r\nBcc: x@example.com' })).status).toBe(422);
  });

  it('waits while its tenant is deactivated', async () => {
    const own = await createProject(app);
    const email = await queue({ of: own });
    await platform(app, `DELETE /tenants/${own.tenantSlug}`);
    await send();
    expect((await rowOf(email))?.status).toBe('pending');
    await platform(app, `PUT /tenants/${own.tenantSlug}`, { status: 'active' });
    await send();
    expect((await rowOf(email))?.status).toBe('sent');
  });

  it('is sent with a user and a password, and by several connections but not by many', async () => {
    const beside = await startTestApp({ smtp: smtp(sink.url.replace('//', '//cms:s%40cret@')) });
    const own = await createProject(beside);
    const mails = await Promise.all(Array.from({ length: 25 }, () => queue({ at: beside, of: own })));
    sink.behavior.delayMs = 20;
    expect(await send(beside)).toBe(25);
    expect(mails.every((email) => sink.to(email) !== undefined)).toBe(true);
    expect(sink.logins.at(-1)).toEqual({ user: 'cms', password: 's@cret' });
    expect(sink.peak()).toBeGreaterThan(1);
    expect(sink.peak()).toBeLessThanOrEqual(4);
    await beside.close();
  });
});

describe('A mail that cannot be sent', () => {
  verifies('access/mail-queue', 'limits/neighbours');

  it('is given up at once when the server refuses its recipient for good', async () => {
    sink.behavior.refuseRecipient = 550;
    const email = await queue();
    await send();
    expect(await rowOf(email)).toMatchObject({ status: 'failed', outcome: 'eenvelope 550', sealed: null });
    const ready = await app.request.get('/readyz');
    expect(ready.body.data).toMatchObject({ status: 'ready' });
  });

  it('is tried again after growing pauses, and sent when the server accepts it', async () => {
    sink.behavior.refuseData = 451;
    const email = await queue();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await send()).toBe(1);
      const row = await rowOf(email);
      expect(row).toMatchObject({ status: 'pending', outcome: 'emessage 451', attempts: attempt });
      pauses.push(Math.round(row?.wait ?? 0));
      expect(await send()).toBe(0);
      later(pauses.at(-1) ?? 0);
    }
    expect(pauses).toEqual([10, 60, 300]);
    sink.behavior.refuseData = undefined;
    expect(await send()).toBe(1);
    expect(await rowOf(email)).toMatchObject({ status: 'sent', outcome: null, attempts: 4 });
  });

  it('is given up after about a day and recorded', async () => {
    sink.behavior.refuseData = 451;
    const email = await queue();
    const started = now.getTime();
    while ((await rowOf(email))?.status === 'pending') {
      expect(await send()).toBe(1);
      later(Math.max(1, (await rowOf(email))?.wait ?? 0));
    }
    expect(await rowOf(email)).toMatchObject({ status: 'failed', outcome: 'emessage 451', sealed: null });
    const hours = (now.getTime() - started) / 3_600_000;
    expect(hours).toBeGreaterThan(12);
    expect(hours).toBeLessThan(25);
  });

  it('waits while the server hangs, which readiness shows; requests do not wait', async () => {
    const hung = await startHungServer();
    const stuck = await startTestApp({ smtp: smtp(hung.url.replace('http', 'smtp')), neighbourMs: 300 });
    const own = await createProject(stuck);
    const email = await queue({ at: stuck, of: own });
    expect(await send(stuck)).toBe(1);
    const row = await rowOf(email, stuck);
    expect(row).toMatchObject({ status: 'pending', attempts: 1 });
    expect(row?.sealed).not.toBeNull();
    const ready = await stuck.request.get('/readyz');
    expect([ready.status, ready.body.data]).toMatchObject([200, { status: 'degraded', degraded: ['mail'] }]);
    const path = `${own.management}/sites`;
    await must(stuck, { method: 'GET', path, key: own.keys.management });
    await stuck.close();
    hung.close();
  });

  it('is kept from a server whose certificate is not trusted', async () => {
    const secure = await startMailSink({ secure: true });
    const beside = await startTestApp({
      smtp: smtp(secure.url.replace('//', '//cms:secret@')),
      neighbourMs: 2000,
    });
    const email = await queue({ at: beside, of: await createProject(beside) });
    await send(beside);
    expect((await rowOf(email, beside))?.status).toBe('pending');
    expect([secure.mails, secure.logins]).toEqual([[], []]);
    await beside.close();
    await secure.close();
  });

  it('is recorded as failed without a mail server, and deleted after its retention', async () => {
    const without = await startTestApp({ clock: () => now });
    const email = await queue({ at: without, of: await createProject(without) });
    expect(await send(without)).toBe(1);
    expect(await rowOf(email, without)).toMatchObject({
      status: 'failed',
      outcome: 'no_server',
      sealed: null,
    });
    later(29 * 86_400);
    await without.composition.jobs.prune();
    expect(await rowOf(email, without)).toBeDefined();
    later(2 * 86_400);
    await without.composition.jobs.prune();
    expect(await rowOf(email, without)).toBeUndefined();
    await without.close();
  });
});

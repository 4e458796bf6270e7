import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { notifyOfDisabled } from '../../../src/features/access/notifications/index.js';
import { atAddress, systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { startBeside, startTestApp, type TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import { openDesk, type Desk } from '../../support/desk.js';
import { startMailSink, type MailSink } from '../../support/mail-sink.js';
import { createMember, systemRoleId, type TestMember } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { said } from '../comments/threads.js';
import { article } from '../entries/history.js';
import { editorRole } from '../workflows/definitions.js';

let sink: MailSink;
let app: TestApp;
let other: TestApp;
let desk: Desk;
let now = new Date();

beforeAll(async () => {
  sink = await startMailSink();
  const smtp = { url: sink.url, name: 'Headwater', address: 'cms@example.com' };
  const options = { smtp, clock: () => now, publicBaseUrl: 'https://cms.example.com' };
  app = await startTestApp(options);
  other = await startBeside(app, options);
  desk = await openDesk(app);
});
afterAll(async () => {
  await other.close();
  await app.close();
  await sink.close();
});

// Sessions of the file expire otherwise.
afterEach(() => {
  now = new Date();
});

const call = (user: TestMember, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) =>
  must<Record<string, unknown>>(app, { method, path: `/api/v1/me${path}`, key: user.token, body });

const member = async (name: string): Promise<TestMember> =>
  createMember(app, desk.project, [await editorRole(desk)], name);

/** Passes on the events, and lets two processes send what is due. */
async function sendMails(): Promise<void> {
  await app.composition.jobs.deliverWebhooks();
  await Promise.all([app, other].map(({ composition }) => composition.jobs.sendMails()));
  await app.composition.jobs.sendMails();
}

const mailsTo = ({ email }: TestMember) => sink.mails.filter(({ recipients }) => recipients.includes(email));

describe('Mail about notifications', () => {
  verifies('access/notification-mail');

  it('is sent at once with the quotation and a link to the comment, in the language of the user', async () => {
    const ada = await member('Ada');
    await call(ada, 'PATCH', '', { language: 'de' });
    await call(ada, 'PUT', '/notification-settings', { mail: { mentioned: 'immediately' } });
    const { id } = await article(desk, { title: 'Schleuse <1>' });
    const comment = await said(desk, id, `@[${ada.id}] <b>fertig</b>?`);
    await sendMails();
    const [mail, ...more] = mailsTo(ada);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('management hat Sie in einem Kommentar zu „Schleuse <1>“ erwähnt');
    expect(mail?.text).toContain('> @Ada <b>fertig</b>?');
    const place = `https://cms.example.com/admin/${desk.project.slug}/main/entries/${id}`;
    expect(mail?.text).toContain(`${place}?locale=en&panel=comments&thread=${comment.id}`);
    expect(mail?.html).not.toContain('<b>fertig');
  });

  it('is sent once a day at eight in the time zone of the user, with what is still unread', async () => {
    const ben = await member('Ben');
    await call(ben, 'PATCH', '', { timeZone: 'Asia/Tokyo' });
    const { id } = await article(desk);
    for (const text of ['One', 'Two', 'Three']) await said(desk, id, `@[${ben.id}] ${text}`);
    await sendMails();
    expect(mailsTo(ben)).toEqual([]);
    const { body } = await send(app, { method: 'GET', path: '/api/v1/me/notifications', key: ben.token });
    await call(ben, 'POST', '/notifications/read', { ids: [body.data[0].id] });
    // Eight in Tokyo is eleven in the evening of UTC.
    const morning = new Date(now);
    morning.setUTCHours(23, 0, 0, 0);
    if (morning <= now) morning.setUTCDate(morning.getUTCDate() + 1);
    now = new Date(morning.getTime() - 1000);
    await sendMails();
    expect(mailsTo(ben)).toEqual([]);
    now = new Date(morning.getTime() + 1000);
    await sendMails();
    const [mail, ...more] = mailsTo(ben);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('2 notifications');
    expect(mail?.text).toMatch(/> @Ben Two[\s\S]*> @Ben One/);
    expect(mail?.text).not.toContain('Three');
  });

  it('leads to the key or the webhook that it is about', async () => {
    const owner = await createMember(app, desk.project, [await systemRoleId(app, desk.project, 'owner')]);
    const mail = { key_expiring: 'immediately', webhook_disabled: 'immediately' };
    await call(owner, 'PUT', '/notification-settings', { mail });
    const key = await desk.newKey({ name: 'Robot & Co', type: 'management' });
    await app.rows(
      desk.project.tenantId,
      "UPDATE api_keys SET expires_at = now() + interval '6 days' WHERE id = $1",
      [key.id],
    );
    const hook = { name: 'Hook', url: 'http://127.0.0.1:1/hook', events: ['entry.published'] };
    const { id } = (await desk.post('/webhooks', hook)).body.data as { id: string };
    const { units } = app.composition.services;
    const scope = atAddress(
      systemScope(),
      (await app.composition.services.catalogs.find(desk.project.slug, null))!.data,
    );
    await units.run({ scope, isReadOnly: false, lock: 'none' }, (work) => notifyOfDisabled(work, id));
    await app.composition.jobs.notify();
    await sendMails();
    const text = mailsTo(owner)
      .map((sent) => sent.text)
      .join(' ');
    const place = `https://cms.example.com/admin/${desk.project.slug}`;
    expect(text).toContain(`${place}?webhook=${id}`);
    expect(text).toContain(`${place}?key=Robot%20%26%20Co`);
  });

  it('is not sent about what the user does not want or may no longer read', async () => {
    const cleo = await member('Cleo');
    const settings = { mail: { mentioned: 'never', replied: 'immediately' } };
    expect(await call(cleo, 'PUT', '/notification-settings', settings)).toMatchObject({
      mail: { mentioned: 'never', replied: 'immediately', assigned: 'daily' },
    });
    expect(await call(cleo, 'GET', '/notification-settings')).toMatchObject({ mail: { mentioned: 'never' } });
    const { id } = await article(desk);
    const thread = await said(desk.as(cleo.token), id, 'Well?');
    await said(desk, id, `@[${cleo.id}] Yes.`);
    await said(desk, id, 'No.', { parentId: thread.id });
    await app.composition.jobs.deliverWebhooks();
    await desk.delete(`/entries/${id}`);
    await sendMails();
    expect(mailsTo(cleo)).toEqual([]);
  });
});

import { startTestApp, type TestApp } from './app.js';
import { send } from './call.js';
import { superAdmin, unique, type TestProject } from './factories/project.js';
import { startMailSink, type MailSink } from './mail-sink.js';
import { systemRoleId } from './members.js';
import { secretWatch } from './secrets/secret-watch.js';

export const publicBaseUrl = 'https://cms.example.com';
const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 1000 };

export interface MailServicesOfTest {
  readonly sink: MailSink;
  /** Sends its mails to the sink, and limits logins. */
  readonly mailing: TestApp;
  /** Has no mail server. */
  readonly silent: TestApp;
  close(): Promise<void>;
}

export async function startMailing(clock: () => Date): Promise<MailServicesOfTest> {
  const sink = await startMailSink();
  const smtp = { url: sink.url, name: 'Headwater', address: 'cms@example.com' };
  const mailing = await startTestApp({ smtp, clock, publicBaseUrl, rateDefaults });
  const silent = await startTestApp({ clock, publicBaseUrl });
  const close = async (): Promise<void> => {
    await mailing.close();
    await silent.close();
    await sink.close();
  };
  return { sink, mailing, silent, close };
}

export const newPassword = 'a new password of theirs';

export const auth = (app: TestApp, path: string, body: object) =>
  send(app, { method: 'POST', path: `/api/v1/auth/${path}`, body });
export const login = (app: TestApp, email: string, password: string) =>
  auth(app, 'login', { email, password });
export const spend = (app: TestApp, resetToken: string) =>
  auth(app, 'password-reset', { resetToken, newPassword });
/** Status and reason of a refused token. */
export const reasonOf = async (app: TestApp, token: string) => {
  const { status, body } = await spend(app, token);
  return [status, body.details?.reason];
};

export async function invite(
  app: TestApp,
  project: TestProject,
  given: { roles?: string[]; email?: string; key?: string } = {},
) {
  const { roles = ['viewer'], email = `${unique()}@example.com`, key = await superAdmin(app) } = given;
  const roleIds = await Promise.all(roles.map((role) => systemRoleId(app, project, role)));
  const body = { email, name: 'Ada', roleIds };
  const made = await send(app, { method: 'POST', path: `${project.management}/users`, key, body });
  return { email, status: made.status, body: made.body, id: made.body.data?.id as string };
}

export const onUser = async (
  app: TestApp,
  project: TestProject,
  call: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; id: string; path?: string; body?: object; key?: string },
) => {
  const { method, id, path = '', body, key = await superAdmin(app) } = call;
  return send(app, { method, path: `${project.management}/users/${id}${path}`, body, key });
};
export const again = (app: TestApp, project: TestProject, id: string, key?: string) =>
  onUser(app, project, { method: 'POST', id, path: '/invitation', ...(key !== undefined && { key }) });

/** The token of a link, which is a secret from then on. */
export const tokenIn = (text: string | undefined): string => {
  const token = /#token=(hwt_[0-9a-f]{64})/.exec(text ?? '')?.[1] ?? '';
  if (token !== '') secretWatch.learn(token, 'reset token');
  return token;
};
/** The token in the newest mail to an address. */
export async function mailedToken(app: TestApp, sink: MailSink, email: string): Promise<string> {
  await app.composition.jobs.sendMails();
  return tokenIn(sink.to(email)?.text);
}
/** An invitation with the token of the link that the inviter gets. */
export async function shownToken(app: TestApp, project: TestProject, given: { roles?: string[] } = {}) {
  const made = await invite(app, project, given);
  return { ...made, token: tokenIn(made.body.data.invitationUrl as string) };
}

export async function actionsOn(app: TestApp, userId: string): Promise<string[]> {
  const records = await app.rows<{ action: string }>(
    null,
    "SELECT action FROM audit_events WHERE target->>'id' = $1 ORDER BY id",
    [userId],
  );
  return records.map(({ action }) => action);
}

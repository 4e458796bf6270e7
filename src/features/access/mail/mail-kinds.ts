import { escapeHtml } from '../../../content/rich-text/to-html.js';
import type { NotificationKind } from '../../../../contracts/access/notifications/notifications.contract.js';

/** Languages of mails; users of other languages get English. */
const mailLanguages = ['en', 'de'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** A paragraph, a quotation of content, or a link to a place. */
type MailPart = string | { readonly quote: string } | { readonly label: string; readonly url: string };

export interface MailContent {
  readonly subject: string;
  readonly parts: readonly MailPart[];
}

/** What a mail is about, as plain text: it is escaped where it is shown. */
type Values = Readonly<Record<string, string | number>>;

/** @param url of what the mail is about */
type Template<V> = (values: V, url: string) => MailContent;
type Templates<V> = Readonly<Record<MailLanguage, Template<V>>>;

const kind = <V extends Values>(templates: Templates<V>): Templates<V> => templates;

interface NotificationLine {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly quote: string | null;
  readonly actor: string;
  readonly url: string;
}

const linesIn = (text: string): readonly NotificationLine[] =>
  JSON.parse(text) as readonly NotificationLine[];

type Sentence = (line: NotificationLine) => string;

const sentences: Readonly<Record<MailLanguage, Readonly<Record<NotificationKind, Sentence>>>> = {
  en: {
    assigned: ({ actor, title }) => `${actor} assigned “${title}” to you`,
    due: ({ title }) => `“${title}” is due`,
    mentioned: ({ actor, title }) => `${actor} mentioned you in a comment on “${title}”`,
    replied: ({ actor, title }) => `${actor} replied to you on “${title}”`,
    approval_requested: ({ actor, title }) => `${actor} asks for your approval of “${title}”`,
    approved: ({ actor, title }) => `${actor} approved “${title}”`,
    rejected: ({ actor, title }) => `${actor} did not approve “${title}”`,
    schedule_failed: ({ title }) => `A scheduled change of “${title}” failed`,
    webhook_disabled: ({ title }) => `The webhook “${title}” was disabled`,
    key_expiring: ({ title }) => `The API key “${title}” expires soon`,
    orphaned: ({ title }) => `Schedules or webhooks of the ended API key “${title}” wait for a new owner`,
  },
  de: {
    assigned: ({ actor, title }) => `${actor} hat Ihnen „${title}“ zugewiesen`,
    due: ({ title }) => `„${title}“ ist fällig`,
    mentioned: ({ actor, title }) => `${actor} hat Sie in einem Kommentar zu „${title}“ erwähnt`,
    replied: ({ actor, title }) => `${actor} hat Ihnen bei „${title}“ geantwortet`,
    approval_requested: ({ actor, title }) => `${actor} bittet um Ihre Freigabe von „${title}“`,
    approved: ({ actor, title }) => `${actor} hat „${title}“ freigegeben`,
    rejected: ({ actor, title }) => `${actor} hat „${title}“ nicht freigegeben`,
    schedule_failed: ({ title }) => `Eine geplante Änderung von „${title}“ ist fehlgeschlagen`,
    webhook_disabled: ({ title }) => `Der Webhook „${title}“ wurde deaktiviert`,
    key_expiring: ({ title }) => `Der API-Schlüssel „${title}“ läuft bald ab`,
    orphaned: ({ title }) =>
      `Termine oder Webhooks des abgelaufenen API-Schlüssels „${title}“ warten auf einen neuen Besitzer`,
  },
};

const words = {
  en: {
    many: (count: number) => `${String(count)} notifications`,
    open: 'Open',
    more: (rest: number) => `And ${String(rest)} more.`,
  },
  de: {
    many: (count: number) => `${String(count)} Benachrichtigungen`,
    open: 'Öffnen',
    more: (rest: number) => `Und ${String(rest)} weitere.`,
  },
} as const;

function notificationMail(
  language: MailLanguage,
  lines: readonly NotificationLine[],
  count: number,
): MailContent {
  const say = (line: NotificationLine): string => sentences[language][line.kind](line);
  const { many, open, more } = words[language];
  const [first] = lines;
  const parts = lines.flatMap((line): MailPart[] => [
    `${say(line)}.`,
    ...(line.quote === null ? [] : [{ quote: line.quote }]),
    { label: open, url: line.url },
  ]);
  if (count > lines.length) parts.push(more(count - lines.length));
  return { subject: count === 1 && first !== undefined ? say(first) : many(count), parts };
}

/** Every kind of mail. A new one is one entry here. */
const mailKinds = {
  invitation: kind<{ project: string; inviter: string; days: number }>({
    en: ({ project, inviter, days }, url) => ({
      subject: `Invitation to ${project}`,
      parts: [
        `${inviter} has invited you to work on “${project}”.`,
        'Choose a password to accept the invitation:',
        { label: 'Accept the invitation', url },
        `The link works once, for ${String(days)} days. If you did not expect this invitation, ignore this mail.`,
      ],
    }),
    de: ({ project, inviter, days }, url) => ({
      subject: `Einladung zu ${project}`,
      parts: [
        `${inviter} hat Sie zur Mitarbeit an „${project}“ eingeladen.`,
        'Legen Sie ein Passwort fest, um die Einladung anzunehmen:',
        { label: 'Einladung annehmen', url },
        `Der Link gilt einmal und ${String(days)} Tage lang. Wenn Sie keine Einladung erwarten, können Sie diese E-Mail ignorieren.`,
      ],
    }),
  }),
  passwordReset: kind<{ tenant: string; minutes: number }>({
    en: ({ tenant, minutes }, url) => ({
      subject: 'Choose a new password',
      parts: [
        `A new password was requested for your account at “${tenant}”.`,
        { label: 'Choose a new password', url },
        `The link works once, for ${String(minutes)} minutes. If you did not request it, ignore this mail: your password stays as it is.`,
      ],
    }),
    de: ({ tenant, minutes }, url) => ({
      subject: 'Neues Passwort festlegen',
      parts: [
        `Für Ihr Konto bei „${tenant}“ wurde ein neues Passwort angefordert.`,
        { label: 'Neues Passwort festlegen', url },
        `Der Link gilt einmal und ${String(minutes)} Minuten lang. Wenn Sie kein neues Passwort angefordert haben, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.`,
      ],
    }),
  }),
  notifications: kind<{ count: number; lines: string }>({
    en: ({ count, lines }) => notificationMail('en', linesIn(lines), count),
    de: ({ count, lines }) => notificationMail('de', linesIn(lines), count),
  }),
} as const;

export type MailKind = keyof typeof mailKinds;
export type MailValues<K extends MailKind> = Parameters<(typeof mailKinds)[K]['en']>[0];

/** What was stored by another release may have a kind that this one does not know. */
export const isMailKind = (name: string): name is MailKind => Object.hasOwn(mailKinds, name);

/** The language of a locale (`de-AT`). */
export function mailLanguage(locale: string | null): MailLanguage {
  const [language = ''] = (locale ?? '').toLowerCase().split('-');
  return mailLanguages.find((known) => known === language) ?? 'en';
}

/** Names come from people: what they wrote must not end a header or a line of it. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

const SUBJECT_LENGTH = 200;

const P = 'margin:0 0 16px';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none';
const QUOTE = 'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #c5cbd8;color:#4a5160';
const BODY =
  'margin:0;padding:24px;font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#1b1f29';

function partAsText(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('quote' in part) return part.quote.replace(/^/gm, '> ');
  return `${oneLine(part.label)}:\n${part.url}`;
}

function partAsHtml(part: MailPart): string {
  if (typeof part === 'string') return `<p style="${P}">${escapeHtml(part)}</p>`;
  if ('quote' in part)
    return `<blockquote style="${QUOTE}">${escapeHtml(part.quote).replace(/\r?\n/g, '<br>')}</blockquote>`;
  const url = escapeHtml(part.url);
  return `<p style="${P}"><a style="${BUTTON}" href="${url}">${escapeHtml(oneLine(part.label))}</a></p>`;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Values are those of the kind, as {@link queueMail} stored them.
 * @throws TypeError for values of another release that lack one
 */
export function renderMail(
  name: MailKind,
  { values, url, language }: { values: Values; url: string; language: MailLanguage },
): RenderedMail {
  const template = mailKinds[name][language] as Template<Values>;
  const { subject, parts } = template(values, url);
  const title = oneLine(subject).slice(0, SUBJECT_LENGTH);
  return {
    subject: title,
    text: `${parts.map(partAsText).join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="${BODY}">${parts.map(partAsHtml).join('')}</body></html>`,
  };
}

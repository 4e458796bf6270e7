const KEY = 'headwater.timeZone';

/** Absent outside of browsers. */
const storage = (globalThis as { readonly localStorage?: Storage }).localStorage;

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const kept = storage?.getItem(KEY) ?? '';

/** Of the user's profile, else of the browser. */
export const ownTimeZone =
  kept !== '' && isTimeZone(kept) ? kept : new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @returns whether times were shown in another zone until now */
export function keepTimeZone(name: string | null): boolean {
  if (name === null) storage?.removeItem(KEY);
  else storage?.setItem(KEY, name);
  return (name ?? '') !== kept;
}

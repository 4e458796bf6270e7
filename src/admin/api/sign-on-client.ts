import { keepAnswer, keepProviderLogout, openClient, type LoginChallenge } from './sessions-client.js';

const STARTED = 'headwater.sign-on';
const TENANT = 'headwater.sign-on-tenant';

/** Where the identity provider returns the browser. */
export const signOnPage = (): string => new URL(`${import.meta.env.BASE_URL}sign-on`, location.href).href;

/** Of the last sign-on in this browser, or what the address of the login page names. */
export const lastTenant = (): string =>
  new URLSearchParams(location.search).get('tenant') ?? localStorage.getItem(TENANT) ?? '';

/** Leaves the app for the page of the provider. @throws what the service refuses it with */
export async function startSignOn(tenantSlug: string): Promise<void> {
  const { data } = await openClient.signOn.start.mutate({ tenantSlug, redirectUri: signOnPage() });
  const { pathname, search } = location;
  localStorage.setItem(TENANT, tenantSlug);
  sessionStorage.setItem(STARTED, JSON.stringify({ token: data.signOnToken, page: pathname + search }));
  location.assign(data.authorizationUrl);
}

/**
 * The page that the user wanted, with the challenge of a second factor if there is one.
 * @throws what the service refuses it with
 */
export async function finishSignOn(response: string): Promise<{ page: string; challenge?: LoginChallenge }> {
  const text = sessionStorage.getItem(STARTED) ?? '{}';
  const { token = '-', page = import.meta.env.BASE_URL } = JSON.parse(text) as {
    token?: string;
    page?: string;
  };
  sessionStorage.removeItem(STARTED);
  const { data } = await openClient.signOn.finish.mutate({ signOnToken: token, response });
  keepProviderLogout(data.logoutUrl);
  if ('secondFactor' in data.session) return { page, challenge: data.session.secondFactor };
  keepAnswer(data.session);
  return { page };
}

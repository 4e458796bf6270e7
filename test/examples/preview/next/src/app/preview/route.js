import { cookies, draftMode } from 'next/headers';
import { resolve } from '../../lib/headwater';

/** Begins a preview: the preview address of the site is /preview?path={path}&previewToken={token}. */
export async function GET(request) {
  const query = request.nextUrl.searchParams;
  const path = query.get('path') ?? '/';
  const token = query.get('previewToken') ?? '';
  // Another host would be reached by a second slash at the start.
  if (!/^\/(?![/\\])/.test(path)) return new Response('The path is not one of this site.', { status: 400 });
  if (token === '' || (await resolve(path, token)).status === 403)
    return new Response('The preview has ended.', { status: 403 });
  (await draftMode()).enable();
  (await cookies()).set('headwater_preview', token, {
    httpOnly: true,
    secure: true,
    sameSite: 'none',
    path: '/',
  });
  return new Response(null, { status: 307, headers: { location: path, 'cache-control': 'no-store' } });
}

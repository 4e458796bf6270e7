import { RichText } from 'headwater-client/react';
import { cookies, draftMode } from 'next/headers';
import { notFound, permanentRedirect, redirect } from 'next/navigation';
import { resolve } from '../../lib/headwater.ts';
import { partsOf, scriptOf } from '../../lib/site.ts';

/** Paths that do not exist are without number, so Next keeps what is read, but no pages. */
export default async function Page({ params }: { params: Promise<{ path?: string[] }> }) {
  const { path = [] } = await params;
  const { isEnabled } = await draftMode();
  const token = isEnabled ? (await cookies()).get('headwater_preview')?.value : undefined;
  const { route } = await resolve(`/${path.join('/')}`, token);
  if (route === undefined) notFound();
  if (route.kind === 'redirect') {
    if (route.status === 301) permanentRedirect(route.target);
    redirect(route.target);
  }
  const { title, lead, body, picture } = partsOf(route.entry);
  const { srcset = undefined, ...attributes } = picture || {};
  return (
    <main lang={route.entry._locale}>
      <title>{title}</title>
      <h1>{title}</h1>
      {lead && <p>{lead}</p>}
      {picture && <img {...attributes} srcSet={srcset} />}
      {body && (
        <RichText
          value={body}
          embed={({ name, link }) =>
            name === 'entryEmbed' && link?._path ? (
              <aside>
                <a href={link._path}>{link.title}</a>
              </aside>
            ) : undefined
          }
        />
      )}
      {token && <script async {...scriptOf(token)} />}
    </main>
  );
}

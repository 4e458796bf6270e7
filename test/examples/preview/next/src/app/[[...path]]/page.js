import { cookies, draftMode } from 'next/headers';
import { notFound, permanentRedirect, redirect } from 'next/navigation';
import { resolve, scriptOf } from '../../lib/headwater.js';

/** No page is rendered before it is asked for. */
export const generateStaticParams = () => [];

export default async function Page({ params }) {
  const { path = [] } = await params;
  const { isEnabled } = await draftMode();
  const token = isEnabled ? (await cookies()).get('headwater_preview')?.value : undefined;
  const { route } = await resolve(`/${path.join('/')}`, token);
  if (route === undefined) notFound();
  if (route.kind === 'redirect') (route.status === 301 ? permanentRedirect : redirect)(route.target);
  const { title, body } = route.entry.fields;
  return (
    <main>
      <h1>{title}</h1>
      <div dangerouslySetInnerHTML={{ __html: body?.html ?? '' }} />
      {token && <script async {...scriptOf(token)} />}
    </main>
  );
}

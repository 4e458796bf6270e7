import type { ReactNode } from 'react';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <form action="/search">
          <input name="q" type="search" aria-label="Search" />
        </form>
        {children}
      </body>
    </html>
  );
}

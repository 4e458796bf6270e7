/** Paths of earlier sites, which still are in printed guides. */
export const demoRedirects = [
  { site: 'main', source: '/locks', target: '/stories/the-upper-lock' },
  { site: 'main', source: '/journal', target: '/stories', matchType: 'prefix' },
  { site: 'main', source: '/de/anfahrt', target: '/de/besuch/anreise', status: 302 },
  { site: 'boatyard', source: '/blog', target: '/logbuch', matchType: 'prefix' },
] as const;

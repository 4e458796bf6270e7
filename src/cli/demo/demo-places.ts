/** Where the demo lives: slugs and locales, as the credentials name them. */
export const demoPlaces = {
  tenantSlug: 'demo',
  projectSlug: 'demo',
  siteSlugs: ['main', 'boatyard'],
  locales: ['en', 'de', 'fr'],
};

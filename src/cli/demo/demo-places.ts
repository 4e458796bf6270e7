export const demoPlaces = {
  tenantSlug: 'demo',
  projectSlug: 'demo',
  siteSlugs: ['main', 'boatyard'],
  locales: ['en', 'de', 'fr'],
};

export const media = {
  'area.media': 'Media',
};

export const planning = {
  'area.planning': 'Planning',
};

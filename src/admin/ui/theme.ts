const KEY = 'headwater.theme';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = (): Theme => themes.find((one) => one === localStorage.getItem(KEY)) ?? 'system';

/** The colors of a theme are in `tokens.css`. */
export function applyTheme(chosen: Theme = theme()): void {
  localStorage.setItem(KEY, chosen);
  document.documentElement.dataset.theme = chosen;
}

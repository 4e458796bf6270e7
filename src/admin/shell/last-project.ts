const KEY = 'headwater.project';

/** The project that was open last in this browser. */
export const lastProject = (): string | null => localStorage.getItem(KEY);

export function keepLastProject(slug: string): void {
  localStorage.setItem(KEY, slug);
}

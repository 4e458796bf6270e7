import { settingDescriptions } from '../../process/config/config.js';

export const settingsPage = 'src/process/README.md';

const region = /(<!-- settings: [^>]*-->\n)[\s\S]*?(<!-- \/settings -->)/;

/** Padded as the formatter pads it. */
function settingsTable(): string {
  const rows = settingDescriptions.map(({ name, defaultValue, meaning }) => [
    `\`${name}\``,
    defaultValue || '–',
    meaning,
  ]);
  const lines = [['Setting', 'Default', 'Meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const row = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [row(head), row(widths.map((width) => '-'.repeat(width))), ...body.map(row)].join('\n');
}

/** Replaces the table of settings in the page. */
export function withSettingsTable(page: string): string {
  return page.replace(
    region,
    (_match, start: string, end: string) => `${start}\n${settingsTable()}\n\n${end}`,
  );
}

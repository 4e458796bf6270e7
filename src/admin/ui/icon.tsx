const paths = {
  add: 'M8 3v10M3 8h10',
  save: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  duplicate: 'M3 3h7v7H3zM6 13h7V6M8 6.5h-3M6.5 5v3',
  grip: 'M6 4h.1M10 4h.1M6 8h.1M10 8h.1M6 12h.1M10 12h.1',
  close: 'M4 4l8 8M12 4l-8 8',
  up: 'M8 13V3M4 7l4-4 4 4',
  right: 'M6 4l4 4-4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  back: 'M13 8H3M7 4L3 8l4 4',
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  entry: 'M3 3h10v10H3zM5 6h6M5 8.5h6M5 11h4',
  open: 'M9 3h4v4M13 3L7 9M11 9v4H3V5h4',
  folder: 'M2 4h4l2 2h6v7H2z',
  list: 'M6 4h8M6 8h8M6 12h8M2.5 4h.5M2.5 8h.5M2.5 12h.5',
  numbers: 'M6 4h8M6 8h8M6 12h8M2 3l1-.7v3.2M1.8 10.4c.2-1 2-1 1.9.1 0 .7-1.9 1.2-1.9 2.2h2.1',
  type: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  edit: 'M3 13l1-3 6.5-6.5 2 2L6 12zM9 5l2 2',
  comment: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  superscript: 'M2 6l6 8M8 6l-6 8M11 3.4c.3-1.6 3-1.5 2.8.2-.2 1.3-2.7 1.8-2.8 3.4h3',
  subscript: 'M2 2l6 8M8 2l-6 8M11 10.4c.3-1.6 3-1.5 2.8.2-.2 1.3-2.7 1.8-2.8 3.4h3',
  table: 'M2 3h12v10H2zM2 6.5h12M6 3v10M10 3v10',
  picture: 'M2 3h12v10H2zM2 11l4-4 3 3 2-2 3 3M11 5.7h.1',
  full: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  trash: 'M3 4.5h10M6 4V2.5h4V4M4.5 4.5L5 13.5h6l.5-9M7 7v4M9 7v4',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: what it means is said in words beside it or by the label of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height="16"
      stroke="currentColor"
      strokeWidth="1.5"
      viewBox="0 0 16 16"
      width="16"
    >
      <path d={paths[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

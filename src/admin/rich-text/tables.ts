import type { NodeType } from 'prosemirror-model';
import { TextSelection, type Command } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
  mergeCells,
  selectedRect,
  splitCell,
} from 'prosemirror-tables';
import { baseName } from '../../content/rich-text/vocabulary.js';
import type { TextKey } from '../texts/index.js';
import { nodeType } from './editor-schema.js';

export { isInTable, tableEditing } from 'prosemirror-tables';

const ROWS = 3;
const COLUMNS = 3;

/** A table whose first row is a header, with the cursor in its first cell. */
export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const row = (type: NodeType) =>
    nodeType('tableRow').create(
      null,
      Array.from({ length: COLUMNS }, () => type.create(null, nodeType('paragraph').create())),
    );
  const body = Array.from({ length: ROWS - 1 }, () => row(nodeType('tableCell')));
  const table = nodeType('table').create(null, [row(nodeType('tableHeader')), ...body]);
  if (dispatch !== undefined) {
    const tr = state.tr.replaceSelectionWith(table);
    let at: number | undefined;
    tr.doc.descendants((node, position) => {
      if (node === table) at = position;
      return at === undefined;
    });
    if (at !== undefined) tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
    dispatch(tr.scrollIntoView());
  }
  return true;
};

/** Makes the cells of the first row or column headers, or ordinary cells if they are headers. */
const toggleHeader =
  (isInHeader: (cell: { readonly top: number; readonly left: number }) => boolean): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { map, table, tableStart } = selectedRect(state);
    const cells = [...new Set(map.map)].filter((position) => isInHeader(map.findCell(position)));
    const isHeader = (position: number): boolean =>
      baseName(table.nodeAt(position)?.type.name ?? '') === 'tableHeader';
    const type = nodeType(cells.every(isHeader) ? 'tableCell' : 'tableHeader');
    const { tr } = state;
    for (const position of cells)
      tr.setNodeMarkup(tableStart + position, type, table.nodeAt(position)?.attrs);
    dispatch?.(tr);
    return true;
  };

/** What the menu of a table does, in its order. */
export const tableTools: readonly { readonly label: TextKey; readonly run: Command }[] = [
  { label: 'rich.table.rowBefore', run: addRowBefore },
  { label: 'rich.table.rowAfter', run: addRowAfter },
  { label: 'rich.table.columnBefore', run: addColumnBefore },
  { label: 'rich.table.columnAfter', run: addColumnAfter },
  { label: 'rich.table.headerRow', run: toggleHeader(({ top }) => top === 0) },
  { label: 'rich.table.headerColumn', run: toggleHeader(({ left }) => left === 0) },
  { label: 'rich.table.merge', run: mergeCells },
  { label: 'rich.table.split', run: splitCell },
  { label: 'rich.table.deleteRow', run: deleteRow },
  { label: 'rich.table.deleteColumn', run: deleteColumn },
  { label: 'rich.table.delete', run: deleteTable },
];

const toNextCell = goToNextCell(1);

/** From the last cell, into a new row. */
export const nextCell: Command = (state, dispatch, view) => {
  if (toNextCell(state, dispatch, view)) return true;
  if (!addRowAfter(state, dispatch) || view === undefined) return false;
  return toNextCell(view.state, dispatch, view);
};

export const previousCell = goToNextCell(-1);

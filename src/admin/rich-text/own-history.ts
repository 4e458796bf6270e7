import { Plugin, type Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/** Takes its key also where it has nothing to do: the browser would undo what was typed in another field. */
export const handled =
  (command: Command): Command =>
  (...given) => {
    command(...given);
    return true;
  };

/** What the browser calls the steps of its history, and their events. */
const steps: Readonly<Record<string, string>> = { historyUndo: 'undo', historyRedo: 'redo' };

/** The view reads what has changed in it some time later, unless it is asked to. */
export const readChanges = (view: EditorView): void =>
  (view as unknown as { readonly domObserver: { flush(): void } }).domObserver.flush();

/**
 * Each text has its own history, which takes what is undone while it has the focus. Chrome keeps one for all that is
 * typed in a page, so that undoing in a plain field reaches what was typed in a rich text: the text ignores such a
 * step, and the browser goes on to the one before it. Comes before the plugin of the history.
 */
export function ownHistory(): Plugin {
  /** The browser changes the text. A step that is refused would be the next one again. */
  let isForeign = false;
  let field: Element | null = null;
  return new Plugin({
    filterTransaction: ({ docChanged }) => !docChanged || !isForeign,
    props: {
      handleDOMEvents: {
        // Of steps that a key starts.
        beforeinput: (view, { inputType }) => {
          if (steps[inputType] === undefined || view.hasFocus()) return false;
          field = document.activeElement;
          isForeign = true;
          setTimeout(() => (isForeign = false));
          return true;
        },
        // The browser has moved the focus to the text.
        input: (view, event) => {
          const step = steps[(event as InputEvent).inputType];
          if (step === undefined) return false;
          isForeign = true;
          readChanges(view);
          isForeign = false;
          setTimeout(() => {
            if (field instanceof HTMLElement) field.focus();
            document.execCommand(step);
          });
          return true;
        },
      },
    },
  });
}

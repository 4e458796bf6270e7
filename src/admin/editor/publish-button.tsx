import { Suspense, useState } from 'react';
import { useMessageOf } from '../fields/issue-text.js';
import { t } from '../texts/index.js';
import { lazyPart } from '../ui/lazy-part.js';
import { idIn } from '../api/issue-words.js';
import type { EntryEditor } from './use-entry-editor.js';

const BehindDialog = lazyPart(() => import('./actions/reference-list.js'), 'BehindDialog');

interface Props {
  readonly editor: EntryEditor;
}

/** Publishes a draft that passes the check, after a question if it refers to what is not published. */
export function PublishButton({ editor }: Props) {
  const [behind, setBehind] = useState<readonly string[]>([]);
  const { saved, isBusy, isDirty } = editor;
  const messageOf = useMessageOf();
  const start = async (): Promise<void> => {
    const found = await editor.check();
    if (found?.isPublishable !== true) return;
    const missing = found.warnings.filter(({ code }) => code === 'not_published').map(messageOf);
    if (missing.length === 0) return editor.publish(false);
    // An entry that several fields name is listed once.
    setBehind([...new Map(missing.map((message) => [idIn(message), message])).values()]);
  };
  return (
    <>
      <button
        className="button primary"
        disabled={isBusy || (saved.status === 'published' && !isDirty)}
        onClick={() => void start()}
        type="button"
      >
        {t('entry.publish')}
      </button>
      {behind.length > 0 && (
        <Suspense>
          <BehindDialog editor={editor} messages={behind} onClose={() => setBehind([])} />
        </Suspense>
      )}
    </>
  );
}

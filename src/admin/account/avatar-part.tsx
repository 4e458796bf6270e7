import { useState } from 'react';
import { client } from '../api/client.js';
import { useCall } from '../api/use-call.js';
import type { Profile } from '../session/profile.js';
import { ownTexts } from '../texts/index.js';
import { FileButton } from '../ui/file-button.js';
import { notify } from '../ui/toasts.js';
import { Avatar, keepAvatar, useAvatar } from './avatar.js';

const text = ownTexts({
  en: {
    title: 'Picture',
    file: 'File of the picture',
    choose: 'Choose a picture',
    replace: 'Replace',
    remove: 'Remove',
    hint: 'Colleagues see it beside your name. The middle of the picture is used.',
    saved: 'Picture saved',
    removed: 'Picture removed',
    unreadable: 'This file is not a picture that can be used. Choose a JPEG, PNG or WebP file.',
  },
  de: {
    title: 'Bild',
    file: 'Datei des Bildes',
    choose: 'Bild wählen',
    replace: 'Ersetzen',
    remove: 'Entfernen',
    hint: 'Andere sehen es neben Ihrem Namen. Verwendet wird die Mitte des Bildes.',
    saved: 'Bild gespeichert',
    removed: 'Bild entfernt',
    unreadable:
      'Diese Datei ist kein Bild, das verwendet werden kann. Wählen Sie eine JPEG-, PNG- oder WebP-Datei.',
  },
});

/** Long side, in pixels, of what is sent: the service needs little of it. */
const SENT_PIXELS = 512;

/** @throws Error for what the browser cannot show as a picture */
async function reduced(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SENT_PIXELS / Math.min(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/webp', 0.9).replace(/^[^,]*,/, '');
}

/** The picture of the user: chosen, replaced and removed. */
export function AvatarPart({ me: { id, name } }: { readonly me: Profile }) {
  const image = useAvatar(id);
  const { isBusy, failure, run } = useCall();
  const [isUnreadable, setIsUnreadable] = useState(false);
  const choose = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return;
    const content = await reduced(file).catch(() => undefined);
    setIsUnreadable(content === undefined);
    if (content === undefined) return;
    await run(async () => {
      keepAvatar(id, (await client.me.setAvatar.mutate({ content })).data.image);
      notify(text('saved'));
    });
  };
  const remove = (): Promise<unknown> =>
    run(async () => {
      await client.me.removeAvatar.mutate({});
      keepAvatar(id, null);
      notify(text('removed'));
    });
  const problem = isUnreadable ? text('unreadable') : failure?.problem;
  return (
    <div aria-label={text('title')} className="field" role="group">
      <span className="label">{text('title')}</span>
      <div className="row">
        <Avatar isLarge name={name} userId={id} />
        <FileButton
          accept="image/*"
          inputLabel={text('file')}
          isDisabled={isBusy}
          onFiles={(files) => void choose(files)}
        >
          {text(image === null ? 'choose' : 'replace')}
        </FileButton>
        {image !== null && (
          <button className="button" disabled={isBusy} onClick={() => void remove()} type="button">
            {text('remove')}
          </button>
        )}
      </div>
      <span className="hint">{text('hint')}</span>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

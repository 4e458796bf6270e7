import { useId } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { download } from '../../ui/download.js';
import { DropArea } from '../../ui/drop-area.js';
import { FileButton } from '../../ui/file-button.js';

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Downloads the schema, or takes it to be changed here. */
function PresentSchema({ onText }: Pick<Props, 'onText'>) {
  const { slug: projectSlug } = useProject();
  const readYaml = async () => (await client.schema.export.query({ projectSlug, format: 'yaml' })).data;
  return (
    <>
      <ActionButton
        label={t('schema.downloadYaml')}
        run={async () => {
          const { yaml = '', fileName = 'schema.yaml' } = await readYaml();
          download(fileName, 'application/yaml', yaml);
        }}
      />
      <ActionButton
        label={t('schema.downloadJson')}
        run={async () => {
          const { data } = await client.schema.export.query({ projectSlug });
          const json = `${JSON.stringify(data.schema, null, 2)}\n`;
          download(`${projectSlug}.schema.json`, 'application/json', json);
        }}
      />
      <ActionButton
        label={t('schema.take')}
        run={async () => {
          onText((await readYaml()).yaml ?? '');
        }}
      />
    </>
  );
}

/** The document that is to become the schema. */
export function DocumentEditor({ text, onText }: Props) {
  const id = useId();
  const { may } = useProject();
  const read = (files: readonly File[]): void => void files[0]?.text().then(onText);
  return (
    <DropArea label={t('schema.document')} onFiles={read}>
      <div className="row">
        {may('schema.export') && <PresentSchema onText={onText} />}
        <FileButton accept=".yaml,.yml,.json" inputLabel={t('schema.file')} onFiles={read}>
          {t('schema.choose')}
        </FileButton>
        <span className="soft wide-only">{t('schema.dropHint')}</span>
      </div>
      <div className="field">
        <label className="label" htmlFor={id}>
          {t('schema.document')}
        </label>
        <textarea
          aria-describedby={`${id}-hint`}
          className="area code schema-document"
          dir="ltr"
          id={id}
          onChange={({ target }) => onText(target.value)}
          rows={14}
          spellCheck={false}
          value={text}
        />
        <p className="hint" id={`${id}-hint`}>
          {t('schema.documentHint')}
        </p>
      </div>
    </DropArea>
  );
}

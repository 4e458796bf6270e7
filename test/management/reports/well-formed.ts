import { validateXML } from 'xmllint-wasm';

/** What prevents a text from being an XML document. */
export async function xmlFaults(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'chart.svg', contents: xml }],
    disableFileNameValidation: true,
    normalization: 'format',
  });
  return errors.map(({ message }) => message);
}

import { contentTypes } from '../../../../contracts/content/content-types/content-types.contract.js';
import type { ContentType } from '../../api/project-data.js';
import { resourceOf } from '../../resources/resource-config.js';
import { ResourceScreen } from '../../resources/resource-screen.js';
import { typeForm } from './type-form.js';

const resource = resourceOf<ContentType>({
  name: 'contentTypes',
  contracts: contentTypes,
  title: 'types.title',
  createLabel: 'types.create',
  nameOf: ({ name }) => name,
  key: { input: 'apiName', item: 'apiName' },
  columns: ['name', 'fieldCount', 'apiName', 'entryCount', 'isPage', 'isBlock', 'isSingleton', 'updatedAt'],
  form: typeForm,
  opensCreated: true,
  screenOf: ({ apiName }) => `content-types/${apiName}`,
  refreshes: [['project']],
});

/** Content types; fields are added on the screen of a type. */
export const TypesScreen = () => <ResourceScreen resource={resource} />;

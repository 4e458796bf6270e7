import { customFieldTypes } from '../../../contracts/content/custom-field-types/custom-field-types.contract.js';
import type { Outputs } from '../api/client.js';
import { apiNameOf, deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';

type CustomFieldType = Outputs['customFieldTypes']['get']['data'];

const resource = resourceOf<CustomFieldType>({
  name: 'customFieldTypes',
  contracts: customFieldTypes,
  title: 'customFieldTypes.title',
  hint: 'customFieldTypes.about',
  createLabel: 'customFieldTypes.create',
  nameOf: ({ name }) => name,
  key: { input: 'apiName', item: 'apiName' },
  columns: ['name', 'usageCount', 'apiName', 'graphqlTypeName', 'indexAs', 'updatedAt'],
  form: {
    order: ['name', 'apiName', 'description', 'jsonSchema', 'defaultValue'],
    named: { apiName: apiNameOf },
  },
  facts: ['apiName', 'usageCount', 'version', 'updatedAt'],
  actions: [deletion()],
});

export const CustomFieldTypesScreen = () => <ResourceScreen resource={resource} />;

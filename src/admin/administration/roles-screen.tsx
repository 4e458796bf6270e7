import { ResourceScreen } from '../resources/resource-screen.js';
import { roleResource } from './role-resource.js';

export const RolesScreen = () => <ResourceScreen resource={roleResource} />;

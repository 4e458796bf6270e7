import { runServiceCommand, serviceSummary, serviceUsages } from './service-commands.js';

runServiceCommand(`Usage: ${serviceUsages}\n${serviceSummary}`);

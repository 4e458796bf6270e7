import { runServiceCommand, serviceSummary, serviceUsages } from '../client-package/service-commands.js';

const installation = `
Commands of the installation, each with --help, such as npm run import -- --help:

  npm start               starts the service
  npm run migrate         applies migrations
  npm run doctor          checks the installation and says what to do
  npm run monitoring      prints alert rules and a dashboard
  npm run create-admin    creates a super-admin
  npm run seed            loads the demo project
  npm run import          imports pages from a file
  npm run rebuild         checks or rebuilds the read model
  npm run reindex         indexes every entry for search again
  npm run audit           verifies the audit chains
  npm run backup          backs up the database to a file
  npm run restore         restores a backup into an empty database
  npm run media           checks and repairs the files of media
  npm run build:client    makes the package for TypeScript clients`;

runServiceCommand(`Usage: ${serviceUsages}\n${serviceSummary}${installation}\n`);

import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Composition } from '../composition.js';
import { readConfig } from '../config.js';
import {
  CatalogRepository,
  EnvironmentListRepository,
  type EnvironmentHead,
} from '../features/catalog/index.js';
import { DocumentCheckRepository } from '../features/delivery/index.js';
import { EntryTreeRepository, RouteCheckRepository } from '../features/tree/index.js';
import { createLogger } from '../infrastructure/logger.js';
import type { WorkScope } from '../persistence/unit-of-work.js';
import { openRuntime } from '../runtime.js';
import { describeStartupFailure } from '../startup-failure.js';
import { commandScope } from './command-scope.js';

/** Differences that are shown of one environment. */
const SHOWN = 20;

type Units = Composition['services']['units'];

const scopeOf = (head: EnvironmentHead): WorkScope => ({
  ...commandScope('rebuild'),
  tenantId: head.tenantId,
  projectId: head.projectId,
  projectSlug: head.projectSlug,
  environmentId: head.environmentId,
  environmentSlug: head.environmentSlug,
  isPlatform: false,
});

/** Compares what is published in an environment with what it is made of; answers whether all is well. */
async function checkEnvironment(units: Units, head: EnvironmentHead): Promise<boolean> {
  const request = { scope: scopeOf(head), isReadOnly: true, lock: 'none' } as const;
  return units.run(request, async (work) => {
    const catalog = await work.use(CatalogRepository).current();
    const routes = await work.use(RouteCheckRepository).differences(SHOWN);
    const documents = await work.use(DocumentCheckRepository).check(catalog, SHOWN);
    for (const { locale, entryId, expected, actual } of routes)
      console.log(
        `  route ${locale} of ${entryId ?? 'a folder'}: ${actual ?? 'none'}, should be ${expected ?? 'none'}`,
      );
    for (const { locale, entryId, problem } of documents.differences)
      console.log(`  document ${locale} of ${entryId}: ${problem}`);
    const { checked, skipped } = documents;
    const count = routes.length + documents.differences.length;
    console.log(
      `${head.projectSlug}/${head.environmentSlug}: ${count === 0 ? 'no differences' : `${count} differences`}; ` +
        `${checked} documents compared, ${skipped} with newer drafts passed over.`,
    );
    return count === 0;
  });
}

/** Makes the routes of an environment anew, its project standing still meanwhile. */
async function rebuildEnvironment(units: Units, head: EnvironmentHead): Promise<boolean> {
  const request = { scope: scopeOf(head), isReadOnly: false, lock: 'schema' } as const;
  await units.run(request, async (work) => {
    const { data } = await work.use(CatalogRepository).current();
    for (const site of data.sites) await work.use(EntryTreeRepository).siteChanged(site.id);
  });
  console.log(`${head.projectSlug}/${head.environmentSlug}: routes are made anew.`);
  return true;
}

/** `rebuild --check` compares the read model with the write model; without it, routes are made anew. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const runtime = await openRuntime({
    config: readConfig(process.env),
    logger: createLogger('warn'),
    whenInUse: 'share',
  });
  try {
    const { units } = runtime.composition.services;
    const request = { scope: commandScope('rebuild'), isReadOnly: true, lock: 'none' } as const;
    const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
    const visit = values.check ? checkEnvironment : rebuildEnvironment;
    for (const head of heads) if (!(await visit(units, head))) process.exitCode = 1;
  } finally {
    await runtime.close();
  }
}

main().catch((error: unknown) => {
  console.error(`headwater: ${describeStartupFailure(error)}`);
  process.exitCode = 1;
});

import { newId } from '../../src/infrastructure/ids.js';
import {
  openTelemetry,
  type Telemetry,
  type TelemetrySettings,
} from '../../src/infrastructure/open-telemetry.js';
import type { LogLines } from './log-lines.js';

const settingsAt = (url: string, more: Partial<TelemetrySettings>): TelemetrySettings => ({
  tracesUrl: `${url}/v1/traces`,
  metricsUrl: `${url}/v1/metrics`,
  metricsMs: 50,
  headers: { 'x-collector-key': 'the key of the collector' },
  serviceName: 'headwater',
  attributes: { 'deployment.environment.name': 'test' },
  share: 1,
  delayMs: 20,
  ...more,
});

/** Exports to a collector, with short pauses. */
export const telemetryTo = (
  { logger }: LogLines,
  url: string,
  more: Partial<TelemetrySettings> = {},
): Telemetry => openTelemetry(settingsAt(url, more), { logger, version: '0', newId });

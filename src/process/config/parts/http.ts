import { z } from 'zod';
import { networkProblem } from '../../../access/networks.js';
import { definePart, listOf, webUrl, wholeNumber } from './setting.js';

export const http = definePart({
  settings: {
    PORT: wholeNumber(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
    HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
    PUBLIC_BASE_URL: webUrl()
      .optional()
      .describe('URL at which clients reach the service. Unset: the address it listens on.'),
    MAX_REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000)
      .default(100)
      .describe('Requests that a process handles concurrently; more receive 503.'),
    TRUSTED_PROXIES: z
      .string()
      .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : listOf(text)))
      .refine(
        (value) => typeof value === 'number' || value.every((one) => networkProblem(one) === undefined),
        { error: 'must be a number of proxies, or networks such as 10.0.0.0/8 separated by commas' },
      )
      .default([])
      .describe('Proxies whose X-Forwarded-For is trusted: their number, or their networks. Unset: none.'),
    MCP_ALLOWED_ORIGINS: z
      .string()
      .transform((text) => listOf(text).map((origin) => origin.replace(/\/+$/, '')))
      .default([])
      .describe('Browser origins that may call the MCP endpoint, separated by commas.'),
    DATA_REGION: z.string().optional().describe('Region in which this installation keeps its data.'),
  },
  slice: (read) => ({
    host: read.HOST,
    port: read.PORT,
    /** Without a final slash. */
    publicBaseUrl: read.PUBLIC_BASE_URL?.replace(/\/+$/, ''),
    requestsAtOnce: read.MAX_REQUESTS_AT_ONCE,
    trustedProxies: read.TRUSTED_PROXIES,
    mcpAllowedOrigins: read.MCP_ALLOWED_ORIGINS,
    dataRegion: read.DATA_REGION,
  }),
});

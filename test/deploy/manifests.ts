import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly {
    readonly configMapRef?: { name: string };
    readonly secretRef?: { name: string };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly terminationGracePeriodSeconds?: number;
    readonly containers: readonly Container[];
  };
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: PodTemplate; readonly selector?: unknown };
}

/** The objects of the shipped manifests. */
export async function readManifests(): Promise<readonly Manifest[]> {
  const documents = parseAllDocuments(await readFile('src/deploy/kubernetes.yaml', 'utf8'), { strict: true });
  return [...documents].map((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS() as Manifest;
  });
}

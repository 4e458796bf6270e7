/** One environment: the unit that content, caches, locks and jobs belong to. */
export interface Address {
  readonly tenant: { readonly id: string };
  readonly project: { readonly id: string; readonly slug: string };
  readonly environment: { readonly id: string; readonly slug: string };
}

/** For what all environments of a project share. */
export type ProjectAddress = Pick<Address, 'tenant' | 'project'>;

export interface AddressRow {
  readonly tenantId: string;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly environmentId: string;
  readonly environmentSlug: string;
}

export const projectAddressOf = ({
  tenantId,
  projectId,
  projectSlug,
}: Omit<AddressRow, 'environmentId' | 'environmentSlug'>): ProjectAddress => ({
  tenant: { id: tenantId },
  project: { id: projectId, slug: projectSlug },
});

export const addressOf = (row: AddressRow): Address => ({
  ...projectAddressOf(row),
  environment: { id: row.environmentId, slug: row.environmentSlug },
});

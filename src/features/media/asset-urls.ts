/** What the URL of a file is made of. */
export interface AssetAddress {
  readonly projectSlug: string;
  readonly id: string;
  readonly checksum: string;
  readonly fileName: string;
}

export interface AssetUrls {
  of(asset: AssetAddress): string;
}

/** What use cases that show assets need. */
export interface AssetServices {
  readonly urls: AssetUrls;
}

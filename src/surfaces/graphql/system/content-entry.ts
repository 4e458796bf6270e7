import 'reflect-metadata';
import { Field, ID, InterfaceType } from 'type-graphql';
import type { StoredDocument } from '../../../features/delivery/index.js';

/**
 * System fields of every entry (specification 2.4). The class is the interface of the schema and, through its
 * subclass, the value behind each entry of an answer.
 */
@InterfaceType('ContentEntry', {
  description: 'An entry of any content type. Its own fields are read through inline fragments.',
})
export abstract class ContentEntry {
  constructor(
    protected readonly document: StoredDocument,
    private readonly apiName: string,
  ) {}

  @Field(() => ID, { description: 'Entry id.' })
  get _id(): string {
    return this.document.id;
  }

  @Field(() => String, { description: 'apiName of the content type.' })
  get _type(): string {
    return this.apiName;
  }

  @Field(() => String, { description: 'Slug in the locale served.' })
  get _slug(): string {
    return this.document.slug;
  }

  @Field(() => ID, { description: 'Id of the site.' })
  get _siteId(): string {
    return this.document.siteId;
  }

  @Field(() => String, { description: 'The locale served, after fallback.' })
  get _locale(): string {
    return this.document.locale;
  }

  @Field(() => String, {
    nullable: true,
    description:
      'Time of the last publish, UTC, ISO 8601; null only in previews of what was never published.',
  })
  get _publishedAt(): string | null {
    return this.document.publishedAt?.toISOString() ?? null;
  }

  @Field(() => String, {
    description: 'Time of the last publish, in previews of the last change; UTC, ISO 8601.',
  })
  get _updatedAt(): string {
    return this.document.updatedAt.toISOString();
  }
}

import 'reflect-metadata';
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import { ContentEntry } from './content-entry.js';

/** What a path leads to (specification 2.2); what matches nothing is null. */
@ObjectType('RouteResolution', { description: 'A page, or where to go instead.', simpleResolvers: true })
export abstract class RouteResolution {
  @Field(() => String, { description: 'entry or redirect.' })
  abstract kind: 'entry' | 'redirect';

  @Extensions({ complexity: 5 })
  @Field(() => ContentEntry, { nullable: true, description: 'The page, where there is one.' })
  abstract entry: ContentEntry | null;

  @Field(() => String, { nullable: true, description: 'Path that a redirect leads to.' })
  abstract target: string | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status that a redirect calls for.' })
  abstract status: number | null;
}

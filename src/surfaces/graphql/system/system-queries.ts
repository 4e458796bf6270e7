import 'reflect-metadata';
import { Arg, Args, ArgsType, Ctx, Extensions, Field, ID, Query, Resolver } from 'type-graphql';
import type { PathQuestion, ReadContext, SlugQuestion } from '../reads/read-context.js';
import { ContentEntry } from './content-entry.js';
import { RouteResolution } from './route-resolution.js';

const single = { complexity: 5 };

@ArgsType()
class SlugArguments implements SlugQuestion {
  @Field(() => String, { description: 'Slug in the locale.' })
  slug!: string;

  @Field(() => String, { description: 'Site slug.' })
  site!: string;

  @Field(() => String, { description: 'Locale; its fallbacks are followed.' })
  locale!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to read drafts: true unless given for preview and management keys, not for delivery keys.',
  })
  preview?: boolean | null;
}

@ArgsType()
class PathArguments implements PathQuestion {
  @Field(() => String, { description: 'Site slug.' })
  site!: string;

  @Field(() => String, { description: 'Locale; its fallbacks are followed.' })
  locale!: string;

  @Field(() => String, { description: 'Path of the site; query, fragment and trailing slash are ignored.' })
  path!: string;
}

/** Root queries that every project has, whatever its content types (specification 4.2). */
@Resolver()
export class SystemQueries {
  @Extensions(single)
  @Query(() => ContentEntry, {
    nullable: true,
    description: 'One entry in the default locale of its site; a draft for preview and management keys.',
  })
  entry(
    @Arg('id', () => ID, { description: 'Entry id.' }) id: string,
    @Ctx() context: ReadContext,
  ): Promise<ContentEntry | null> {
    return context.entry(id);
  }

  @Extensions(single)
  @Query(() => ContentEntry, {
    nullable: true,
    description: 'One entry by its slug; of several that share it, the one first published.',
  })
  entryBySlug(
    @Args(() => SlugArguments) question: SlugArguments,
    @Ctx() context: ReadContext,
  ): Promise<ContentEntry | null> {
    return context.entryBySlug(question);
  }

  @Extensions({ complexity: 1 })
  @Query(() => RouteResolution, {
    nullable: true,
    description: 'The page at a path, else the redirect that leads on; null where nothing matches.',
  })
  resolveRoute(
    @Args(() => PathArguments) question: PathArguments,
    @Ctx() context: ReadContext,
  ): Promise<RouteResolution | null> {
    return context.resolveRoute(question);
  }
}

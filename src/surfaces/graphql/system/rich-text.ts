import 'reflect-metadata';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';

/** A rich text in its three forms (specification 2.4); values are those of delivery. */
@ObjectType('RichText', {
  description: 'A rich text as document tree, HTML and plain text.',
  simpleResolvers: true,
})
export abstract class RichText {
  @Field(() => GraphQLJSON, { description: 'The document tree: type, content[].' })
  abstract raw: unknown;

  @Field(() => String, { description: 'Escaped HTML; links carry allowlisted protocols only.' })
  abstract html: string;

  @Field(() => String, { description: 'Plain text, blocks separated by blank lines.' })
  abstract text: string;
}

import 'reflect-metadata';
import { Field, Float, ObjectType } from 'type-graphql';

/** The value of a field of the kind `location`, as it is delivered. */
@ObjectType('Location', { description: 'A place on Earth in degrees (WGS 84).', simpleResolvers: true })
export abstract class Location {
  @Field(() => Float, { description: 'Latitude, -90 to 90.' })
  abstract lat: number;

  @Field(() => Float, { description: 'Longitude, -180 to 180.' })
  abstract lng: number;
}

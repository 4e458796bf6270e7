import type { TRPCProcedureBuilder } from '@trpc/server';
import type { Admission, InputOf } from '../../contracts/procedure.js';
import { withConfirmation, type ConfirmableContract } from './confirm.js';

type Resolver<I, O> = (call: { ctx: { admission: Admission }; input: I }) => Promise<O>;

export interface Binding<K extends 'query' | 'mutation', I, O> {
  readonly kind: K;
  readonly resolver: Resolver<I, O>;
}

/** Result of the use case, before the output schema parses it. */
type OutputOf<C> =
  C extends TRPCProcedureBuilder<
    infer _Context,
    infer _Meta,
    infer _Overrides,
    infer _In,
    infer _Out,
    infer OutputIn,
    infer _OutputOut,
    infer _Caller extends boolean
  >
    ? OutputIn
    : never;

interface Contract {
  query(resolver: never): unknown;
  mutation(resolver: never): unknown;
}
type Contracts = Readonly<Record<string, Contract>>;

type BindingsOf<C extends Contracts> = {
  readonly [Verb in keyof C]: Binding<'query' | 'mutation', InputOf<C[Verb]>, OutputOf<C[Verb]>>;
};

type Procedures<C extends Contracts, B extends BindingsOf<C>> = {
  [Verb in keyof C]: ReturnType<C[Verb][B[Verb]['kind']]>;
};

/** A missing, surplus or wrongly typed binding does not compile. */
export function bind<const C extends Contracts, B extends BindingsOf<C>>(
  contracts: C,
  bindings: B & Readonly<Record<Exclude<keyof B, keyof C>, never>>,
): Procedures<C, B> {
  const procedures = Object.entries(contracts).map(([verb, contract]) => {
    const { kind, resolver } = bindings[verb as keyof B];
    const build = contract[kind] as (resolver: unknown) => unknown;
    const step = withConfirmation(contract as unknown as ConfirmableContract, resolver);
    return [verb, build(kind === 'mutation' ? step : resolver)];
  });
  return Object.fromEntries(procedures) as Procedures<C, B>;
}

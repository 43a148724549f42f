import type { Operation, SocketOperation } from '@trivium/http-contract'
import type { GenericSchema, InferInput } from 'valibot'

/** What any request may be given besides what its operation declares. */
export interface RequestOptions {
  /** Go over the client's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the request, and the stream that it answers. */
  readonly signal?: AbortSignal | undefined
}

export type QueryValue = QueryScalar | readonly QueryScalar[] | undefined
type QueryScalar = string | number | boolean

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}+` ? Plain : Name) | NamesIn<Rest>
  : never

/** The parameters of a path template, by name; of a path that is only known when the program runs, any. */
export type PathParameters<Path extends string> = `/${string}` extends Path
  ? Readonly<Record<string, string | number>>
  : { readonly [Name in NamesIn<Path>]: string | number }

/** Where any text is taken, numbers and booleans are written as text. */
type Encodable<Value> = unknown extends Value
  ? QueryValue
  : Value extends readonly (infer Item)[]
    ? readonly Encodable<Item>[]
    : string extends Value
      ? QueryScalar
      : Value

type Optional<Name extends string, Value> = { readonly [Key in Name]?: Value | undefined }
type Required<Name extends string, Value> = { readonly [Key in Name]: Value }

/** To be left out where everything in it may be. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value ? Optional<Name, Value> : Required<Name, Value>

type ParamsPart<Path extends string> = `/${string}` extends Path
  ? Optional<'params', PathParameters<Path>>
  : Part<'params', PathParameters<Path>>

type QueryPart<Schema> = Schema extends GenericSchema ? Part<'query', Encoded<InferInput<Schema>>> : unknown

type Encoded<Query> = { readonly [Name in keyof Query]: Encodable<Query[Name]> }

/** To be left out only where the schema takes no body. */
type BodyPart<Schema> = Schema extends GenericSchema
  ? undefined extends InferInput<Schema>
    ? Optional<'body', InferInput<Schema>>
    : Required<'body', InferInput<Schema>>
  : unknown

/** What an operation takes. */
export type RequestTo<O extends Operation> = RequestOptions &
  ParamsPart<O['path']> &
  QueryPart<O['query']> &
  BodyPart<O['body']>

/** What opening a socket takes. */
export type SocketRequestTo<O extends SocketOperation> = Pick<RequestOptions, 'signal'> &
  ParamsPart<O['path']> &
  QueryPart<O['query']>

import type { Operation, SocketOperation } from '@trivium/http-contract'
import type { GenericSchema, InferInput } from 'valibot'

/** Options of every request, in addition to what its operation declares. */
export interface RequestOptions {
  /** Headers that override those of the client, if their names are written in the same case. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the request and the stream of its reply. @default neither is aborted */
  readonly signal?: AbortSignal | undefined
}

export type QueryValue = QueryScalar | readonly QueryScalar[] | undefined
type QueryScalar = string | number | boolean

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}+` ? Plain : Name) | NamesIn<Rest>
  : never

/** The parameters of a path template, by name. A path that is only known at run time accepts any. */
export type PathParameters<Path extends string> = `/${string}` extends Path
  ? Readonly<Record<string, string | number>>
  : { readonly [Name in NamesIn<Path>]: string | number }

/** Where any text is accepted, numbers and booleans are converted to text. */
type Encodable<Value> = unknown extends Value
  ? QueryValue
  : Value extends readonly (infer Item)[]
    ? readonly Encodable<Item>[]
    : string extends Value
      ? QueryScalar
      : Value

type Optional<Name extends string, Value> = { readonly [Key in Name]?: Value | undefined }
type Required<Name extends string, Value> = { readonly [Key in Name]: Value }

/** Optional if all of its members are. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value ? Optional<Name, Value> : Required<Name, Value>

type ParamsPart<Path extends string> = `/${string}` extends Path
  ? Optional<'params', PathParameters<Path>>
  : Part<'params', PathParameters<Path>>

type QueryPart<Schema> = Schema extends GenericSchema ? Part<'query', Encoded<InferInput<Schema>>> : unknown

type Encoded<Query> = { readonly [Name in keyof Query]: Encodable<Query[Name]> }

/** Optional if the schema accepts `undefined`. */
type BodyPart<Schema> = Schema extends GenericSchema
  ? undefined extends InferInput<Schema>
    ? Optional<'body', InferInput<Schema>>
    : Required<'body', InferInput<Schema>>
  : unknown

/** What an operation with `upload` takes: a file, or a form whose content type the platform sets. */
export type UploadBody = Blob | FormData | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>

type UploadPart<Schema> = Schema extends GenericSchema ? Required<'upload', UploadBody> : unknown

/**
 * The request of an operation: `params` of its path, `query` and `body` as its schemas accept them, the `upload` of
 * an operation that reads it while it arrives, `headers` and `signal`. Numbers and booleans of the query are sent as text, arrays as one parameter for each item, and `undefined`
 * not at all.
 */
export type RequestTo<O extends Operation> = RequestOptions &
  ParamsPart<O['path']> &
  QueryPart<O['query']> &
  BodyPart<O['body']> &
  UploadPart<O['upload']>

/** The request to open a socket: `params` of its path, `query` as its schema accepts it, and `signal`. */
export type SocketRequestTo<O extends SocketOperation> = Pick<RequestOptions, 'signal'> &
  ParamsPart<O['path']> &
  QueryPart<O['query']>

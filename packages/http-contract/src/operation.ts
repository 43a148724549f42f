import type { Promisable } from 'type-fest'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Mount, RequestHeaders } from './exchange.ts'
import type {
  BytesBody,
  EncodedJson,
  EventStream,
  JsonLines,
  JsonOr,
  NoBody,
  Relay,
  ResponseBody,
} from './response-body.ts'
import type { Upload } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What one operation accepts and answers, as data without code. */
export interface Operation {
  readonly method: Method
  /**
   * The route template. `{name}` takes one segment. `{name+}`, which is only allowed at the end, takes the rest with
   * its slashes. Values are decoded.
   */
  readonly path: `/${string}`
  /** One line for the OpenAPI document: a verb and its object, without a full stop. @default none */
  readonly summary?: string
  /** Sentences for the OpenAPI document. @default none */
  readonly description?: string
  /** The groups of the operation in the OpenAPI document. @default none */
  readonly tags?: readonly string[]
  /** The schema of the path's parameters, by name. Values are strings. @default handlers get `undefined` */
  readonly params?: GenericSchema
  /**
   * The schema of the decoded query string. A name that occurs more than once has an array of strings.
   *
   * @default handlers get `undefined`, and any query is accepted except as `isAdministrative` of `implement` describes
   */
  readonly query?: GenericSchema
  /** The schema of the request headers, whose names are in lower case. @default handlers get `undefined` */
  readonly headers?: GenericSchema
  /**
   * The schema of the JSON body. A request without a body is checked as `undefined`.
   *
   * @default only an empty body and `{}` are accepted, of at most 64 KiB
   */
  readonly body?: GenericSchema
  /**
   * Lets the handler read the body while it arrives, in place of `body`. The schema describes the body in the OpenAPI
   * document, by default as `multipart/form-data`; no body is checked against it. A file is a text with the format `binary`.
   *
   * @default bodies are read before the handler runs
   */
  readonly upload?: GenericSchema
  /** The content type of `upload` in the OpenAPI document and of clients. @default 'multipart/form-data' */
  readonly uploadType?: string
  /** JSON that the handler of `upload` takes in place of the form, for the OpenAPI document. @default the form only */
  readonly uploadJson?: GenericSchema
  /** The most bytes of a request body. @default 1 MiB */
  readonly bodyLimit?: number
  /**
   * The most values of a JSON body: lists, objects and their members, each counted once. A body with more is malformed,
   * and so is one with more than 30,000 members of objects.
   *
   * @default 10,000
   */
  readonly bodyValues?: number
  /** The responses by status, without the replies of `Failures`. */
  readonly responses: Readonly<Record<number, ResponseBody>>
  /**
   * What optional headers of requests mean, by their names in lower case, for the OpenAPI document. They are not checked.
   *
   * @default none are described, except those of `headers`
   */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /**
   * What headers of successful responses mean, by their names in lower case, for the OpenAPI document. A response may lack
   * each of them.
   *
   * @default none are described
   */
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** Operations by their ids. */
export type Contract = Readonly<Record<string, Operation>>

/**
 * Returns the contract unchanged, with its literal types. Templates of paths are checked where the routes are mounted.
 *
 * @example
 * ```ts
 * import { defineContract } from '@trivium/http-contract'
 * import * as v from 'valibot'
 *
 * export const contract = defineContract({
 *   getThing: {
 *     method: 'GET',
 *     path: '/things/{thing_id}',
 *     params: v.object({ thing_id: v.string() }),
 *     responses: { 200: v.object({ size: v.number() }), 404: v.object({ message: v.string() }) },
 *   },
 * })
 * ```
 */
export const defineContract = <const C extends Contract>(contract: C): C => contract

type Parsed<O extends Operation, Part extends 'params' | 'query' | 'headers' | 'body'> = O[Part] extends GenericSchema
  ? InferOutput<O[Part]>
  : undefined

/**
 * A checked request, as a handler receives it. `params`, `query`, `headers` and `body` are the outputs of the
 * operation's schemas, each `undefined` where it has none.
 */
export interface Call<O extends Operation = Operation, Caller = unknown> {
  readonly operation: O
  /** Empty where {@link ImplementOptions.newRequestId} is absent. */
  readonly requestId: string
  /** The caller that {@link ImplementOptions.admit} returned. */
  readonly caller: Caller
  readonly params: Parsed<O, 'params'>
  readonly query: Parsed<O, 'query'>
  readonly headers: Parsed<O, 'headers'>
  readonly body: Parsed<O, 'body'>
  /** The query string as it was sent, without the question mark. */
  readonly rawQuery: string
  /** The request's headers as they were sent, names in lower case. */
  readonly rawHeaders: RequestHeaders
  /** The body's bytes as they were sent; absent where the host parsed the body before the mount. */
  readonly rawBody: Uint8Array | undefined
  /** The body of an operation with `upload`, which is read while it arrives. */
  readonly upload: O['upload'] extends GenericSchema ? Upload : undefined
  /** The address of the client, as {@link Exchange.remoteAddress} has it. */
  readonly remoteAddress: string | undefined
  /** The address at which the client reaches the routes, for links. */
  readonly mount: Mount
  /** Aborts when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal
  /**
   * Aborts when the client disconnects, and when the host begins to stop: for answers that have no end or wait for
   * something. They then end as complete, with what they have. Other answers may continue for the host's grace.
   */
  readonly ending: AbortSignal
}

type BodyOf<Body extends ResponseBody> = Body extends NoBody
  ? { readonly body?: undefined }
  : Body extends EventStream<infer Event>
    ? { readonly body: AsyncIterable<InferInput<Event>> | Relay }
    : Body extends JsonLines<infer Line>
      ? { readonly body: AsyncIterable<InferInput<Line>> }
      : Body extends BytesBody
        ? { readonly body: Uint8Array | AsyncIterable<Uint8Array> | Relay }
        : Body extends JsonOr<infer Value, infer Other>
          ? BodyOf<Value> | BodyOf<Other>
          : Body extends GenericSchema
            ? { readonly body: InferInput<Body> | EncodedJson }
            : never

/** One of the replies that the operation declares. */
export type Answer<O extends Operation = Operation> = {
  [Status in keyof O['responses'] & number]: {
    readonly status: Status
    readonly headers?: Readonly<Record<string, string>>
  } & BodyOf<O['responses'][Status]>
}[keyof O['responses'] & number]

/** One function for each operation. What it throws goes to `onFault`, and the client gets the `unexpected` reply. */
export type Handlers<C extends Contract, Caller = unknown> = {
  readonly [Id in keyof C]: (call: Call<C[Id], Caller>) => Promisable<Answer<C[Id]>>
}

import type { BytesBody, EventStream, JsonLines, JsonOr, NoBody, Operation, ResponseBody } from '@trivium/http-contract'
import type { GenericSchema, InferInput } from 'valibot'

/** The fields of every reply. */
export interface AnyReply {
  readonly status: number
  /** Whether the status is one of 200 to 299. */
  readonly ok: boolean
  readonly headers: Headers
  readonly body: unknown
}

type Json<Value> = { readonly kind: 'json'; readonly body: Value }
/** Can be read once. Leaving the loop ends the request. */
type Events<Value> = { readonly kind: 'events'; readonly body: AsyncGenerator<Value, void, undefined> }
type Lines<Value> = { readonly kind: 'lines'; readonly body: AsyncGenerator<Value, void, undefined> }
/** The response, with its body unread. */
type Bytes = { readonly kind: 'bytes'; readonly body: Response }
type Empty = { readonly kind: 'empty'; readonly body: undefined }

type ReplyBody<Body extends ResponseBody> = Body extends NoBody
  ? Empty
  : Body extends EventStream<infer Event>
    ? Events<InferInput<Event>>
    : Body extends JsonLines<infer Line>
      ? Lines<InferInput<Line>>
      : Body extends BytesBody
        ? Bytes
        : Body extends JsonOr<infer Value, infer Other>
          ? Json<InferInput<Value>> | ReplyBody<Other>
          : Body extends GenericSchema
            ? Json<InferInput<Body>>
            : never

interface Head<Status extends number> {
  readonly status: Status
  readonly ok: `${Status}` extends `2${string}` ? true : false
  readonly headers: Headers
}

/** One of the replies that the operation declares. Its content is not checked. */
export type ReplyTo<O extends Operation> = {
  [Status in keyof O['responses'] & number]: Head<Status> & ReplyBody<O['responses'][Status]>
}[keyof O['responses'] & number]

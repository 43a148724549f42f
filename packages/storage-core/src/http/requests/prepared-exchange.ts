import {
  type Exchange,
  MalformedBody,
  parseBody,
  type Reply,
  type RequestBody,
  type RequestHeaders,
  type Route,
} from '@trivium/http-contract'
import { codes } from '../errors/error-codes.ts'
import { failureReply } from '../errors/failures.ts'
import { expandBody } from './expand-body.ts'
import { repeatedKey } from './repeated-key.ts'

const arrayFields: ReadonlySet<string> = new Set(['users'])

const decoder = new TextDecoder()

/** Hands bodies over unfolded. Its {@link refusal} goes before whatever the route makes of a body that it refused. */
class PreparedExchange implements Exchange {
  readonly #exchange: Exchange
  refusal: Reply | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get method(): string {
    return this.#exchange.method
  }

  get params(): Readonly<Record<string, string>> {
    return this.#exchange.params
  }

  get query(): string {
    return this.#exchange.query
  }

  get headers(): RequestHeaders {
    return this.#exchange.headers
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  async body(limit: number): Promise<RequestBody> {
    const body = await this.#exchange.body(limit)
    const value = parseBody(body)
    if (value === undefined) return { kind: 'none' }
    const repeated = body.kind === 'bytes' ? repeatedKey(decoder.decode(body.bytes)) : undefined
    if (repeated !== undefined) throw this.#repeated(repeated)
    return expandBody(value, arrayFields).match(
      (expanded) => ({ kind: 'parsed', value: expanded }),
      (error) => {
        if (error.type === 'repeated-field') throw this.#repeated(error.field)
        if (error.type === 'nested-too-deeply') throw new MalformedBody('it is nested too deeply')
        const message = `Field "${error.field}" has a text with invalid characters.`
        throw this.#refuse(codes.invalidValue, message, error.field)
      },
    )
  }

  #repeated(field: string): MalformedBody {
    return this.#refuse(codes.repeatedField, `Field "${field}" was specified twice.`, field)
  }

  #refuse(code: number, message: string, target: string): MalformedBody {
    this.refusal = failureReply({ status: 400, code, message, target })
    return new MalformedBody(message)
  }
}

export const preparing = (route: Route): Route => ({
  ...route,
  handle: async (exchange) => {
    const prepared = new PreparedExchange(exchange)
    const reply = await route.handle(prepared)
    return prepared.refusal ?? reply
  },
})

import { type ProviderErrorInit, ProviderFailure, transportFailure } from '@trivium/gateway-core/ports'
import type { Dispatcher } from 'undici'
import { type BodySink, type UpstreamBody, upstreamBody } from './upstream-body.ts'

export interface CallOptions {
  /** Ends the call at once, whatever it waits for. */
  readonly signal: AbortSignal
  readonly connectTimeoutMs: number
  /** The most bytes of an answer; a larger one is broken off. */
  readonly maxAnswerBytes: number
}

export interface UpstreamAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** In lower case. */
  readonly contentType: string
  readonly body: UpstreamBody
}

/** Settles when the answer's head is there. @throws ProviderFailure where none comes */
export function callUpstream(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, connectTimeoutMs, maxAnswerBytes }: CallOptions,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new ProviderFailure(cancelled))
      return
    }
    let controller: Dispatcher.DispatchController | undefined
    let sink: BodySink | undefined
    let over = false
    let bytes = 0
    const abort = () => controller?.abort(new Error('Given up'))
    const release = () => {
      over = true
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
    const fail = (failure: ProviderErrorInit, cause?: Error) => {
      if (over) return
      release()
      if (sink) sink.fail(failure)
      else reject(new ProviderFailure(failure, cause && { cause }))
      abort()
    }
    const cancel = () => fail(cancelled)
    const timer = setTimeout(() => fail(connectTimeout), connectTimeoutMs)
    signal.addEventListener('abort', cancel)
    dispatcher.dispatch(
      { ...request, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (started) => {
          controller = started
          if (over) abort()
          else clearTimeout(timer)
        },
        onResponseStart: (flow, status, headers) => {
          if (over || status < 200) return
          sink = upstreamBody({
            pause: () => flow.pause(),
            resume: () => flow.resume(),
            abort: () => {
              release()
              abort()
            },
          })
          resolve({
            status,
            headers: plainHeaders(headers),
            contentType: String(headers['content-type'] ?? '').toLowerCase(),
            body: sink.body,
          })
        },
        onResponseData: (_, chunk) => {
          bytes += chunk.byteLength
          if (bytes > maxAnswerBytes) fail(tooLarge)
          else sink?.push(chunk)
        },
        onResponseEnd: () => {
          release()
          sink?.end()
        },
        onResponseError: (_, error) => fail(transportFailure(error, controller !== undefined), error),
      },
    )
  })
}

const cancelled: ProviderErrorInit = { type: 'cancelled', message: 'The request was cancelled.' }

const connectTimeout: ProviderErrorInit = {
  type: 'timed-out',
  phase: 'connect',
  message: 'The upstream took too long to connect to.',
}

const tooLarge: ProviderErrorInit = {
  type: 'malformed',
  message: 'The upstream answered with more than the gateway takes.',
}

const plainHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || connectionHeaders.has(name)
        ? []
        : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )

/** About this connection or about the body's first form: neither holds for what the client gets. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

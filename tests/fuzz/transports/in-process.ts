import { fetchHandler } from '@trivium/fetch-adapter'
import { toBytes } from '../fuzz-request.ts'
import { MAX_BYTES, QUIET_MS, type Transport } from './transport.ts'

/** Calls the fetch adapter without a socket. It refuses WebSockets. */
export const inProcess: Transport = async ({ routes, isEndless }) => {
  const handle = fetchHandler(routes)
  return {
    async send({ method, target, headers, body }) {
      const request = toRequest(method, target, headers, body)
      const response = request && (await handle(request))
      if (!response) return undefined
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        ...(isEndless() ? await readSome(response) : { body: await readAll(response), cut: false }),
      }
    },
    close: async () => undefined,
  }
}

/** Makes a web-standard request; `undefined` where it cannot have the method or a header, so that only sockets can send it. */
function toRequest(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[],
  body: string | undefined,
): Request | undefined {
  const mayHaveBody = method !== 'GET' && method !== 'HEAD'
  try {
    return new Request(`http://127.0.0.1${target}`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body === undefined || !mayHaveBody ? {} : { body: toBytes(body) }),
    })
  } catch {
    return undefined
  }
}

const QUIET = Symbol('quiet')

const readAll = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('latin1')

async function readSome(response: Response): Promise<{ readonly body: string; readonly cut: boolean }> {
  const reader = response.body?.getReader()
  if (!reader) return { body: '', cut: false }
  const parts: Uint8Array[] = []
  let size = 0
  const text = () => Buffer.concat(parts).toString('latin1')
  while (size < MAX_BYTES) {
    const result = await Promise.race([reader.read(), quiet()])
    if (result === QUIET) break
    if (result.done) return { body: text(), cut: false }
    parts.push(result.value)
    size += result.value.length
  }
  await reader.cancel()
  return { body: text(), cut: true }
}

const quiet = () => new Promise<typeof QUIET>((resolve) => void setTimeout(resolve, QUIET_MS, QUIET).unref())

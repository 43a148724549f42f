import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One response as it was sent. */
interface RawResponse extends RawHead {
  readonly body: Buffer
  readonly text: string
}

interface RawHead {
  readonly status: number
  /** The text after the status. */
  readonly reason: string
  /** Names are in lower case. A name that occurs twice has both values, joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
}

/** A connection that sends and reads raw bytes. */
export interface RawConnection {
  readonly socket: Socket
  send(bytes: string | Uint8Array): void
  /** Reads the status and headers of the next response. */
  head(): Promise<RawHead>
  /** Reads the whole body after a head, without chunk sizes. */
  body(head: RawHead, to: string): Promise<Buffer>
  /** Reads the next whole response. */
  response(options?: { readonly to?: string }): Promise<RawResponse>
  /** Reads the bytes up to the end of a text, including chunk sizes, for bodies that are read as they arrive. */
  until(text: string): Promise<string>
  /** Reads the rest until the server closes the connection. */
  rest(): Promise<string>
  close(): void
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const input = bufferOf(socket)
  const head = async (): Promise<RawHead> => {
    const [first = '', ...lines] = (await input.until('\r\n\r\n')).split('\r\n')
    const [, status, reason] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(first) ?? []
    if (status === undefined || reason === undefined) throw new Error(`'${first}' is not a status line`)
    const headers: Record<string, string> = {}
    for (const line of lines.filter((one) => one !== '')) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      const value = line.slice(colon + 1).trim()
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    }
    return { status: Number(status), reason, headers }
  }
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    head,
    body: bodyOf,
    until: input.until,
    rest: async () => (await input.all()).toString('latin1'),
    close: () => socket.destroy(),
    response: async ({ to = 'GET' } = {}) => {
      const found = await head()
      const body = await bodyOf(found, to)
      return { ...found, body, text: body.toString() }
    },
  }

  async function bodyOf({ status, headers }: RawHead, method: string): Promise<Buffer> {
    if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return Buffer.alloc(0)
    if (headers['transfer-encoding'] === 'chunked') return input.chunked()
    const length = headers['content-length']
    return length === undefined ? input.all() : input.take(Number(length))
  }
}

function bufferOf(socket: Socket) {
  let buffered = Buffer.alloc(0)
  let ended = false
  let wake: () => void = () => undefined
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk])
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    ended = true
    wake()
  })
  const more = async (what: string) => {
    if (ended) throw new Error(`The connection closed before ${what}, after '${buffered.toString('latin1', 0, 200)}'`)
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  const take = async (length: number): Promise<Buffer> => {
    while (buffered.length < length) await more(`${length} bytes`)
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return taken
  }
  const until = async (text: string): Promise<string> => {
    let found = buffered.indexOf(text)
    while (found < 0) {
      await more(JSON.stringify(text))
      found = buffered.indexOf(text)
    }
    return (await take(found + text.length)).toString('latin1')
  }
  const all = async (): Promise<Buffer> => {
    while (!ended) await more('its end')
    return take(buffered.length)
  }
  const chunked = async (): Promise<Buffer> => {
    const parts: Buffer[] = []
    while (true) {
      const size = Number.parseInt(await until('\r\n'), 16)
      parts.push(await take(size))
      await take(2)
      if (size === 0) return Buffer.concat(parts)
    }
  }
  return { take, until, all, chunked }
}

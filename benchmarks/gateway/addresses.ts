/** A server that runs already, with what its clients send. */
export interface Address {
  readonly name: string
  readonly host: string
  readonly port: number
  /** What precedes `/v1`, without a slash at its end. */
  readonly path: string
  /** Header lines of every request. */
  readonly headers: readonly string[]
  /** Its name for the model of the upstream. `undefined`: the upstream's name */
  readonly model: string | undefined
  /** The processes of the server, where its CPU time is measured. */
  readonly pids: readonly number[]
}

/** The options of the command line that name servers. Each may be given several times. */
export interface AddressOptions {
  /** `NAME=URL`, or several separated by commas. */
  readonly address?: readonly string[] | undefined
  /** `NAME: VALUE` for every server, or `SERVER=NAME: VALUE` for one. */
  readonly header?: readonly string[] | undefined
  /** `MODEL` for every server, or `SERVER=MODEL` for one. */
  readonly model?: readonly string[] | undefined
  /** `SERVER=PID` or `SERVER=PID+PID`. */
  readonly pid?: readonly string[] | undefined
}

/** @throws Error where an option cannot be read, or is for a server without an address */
export function addressesOf({ address = [], header = [], model = [], pid = [] }: AddressOptions): readonly Address[] {
  const pairs = address.flatMap((text) => text.split(',')).map((text) => pairOf(text, 'NAME=URL'))
  const names = pairs.map(([name]) => name)
  const ofServer = (name: string, texts: readonly string[]) =>
    texts.flatMap((text) => {
      const named = names.find((one) => text.startsWith(`${one}=`))
      if (named === undefined) return [text]
      return named === name ? [text.slice(named.length + 1)] : []
    })
  for (const text of header) {
    if (!/^[^\r\n:]+:[^\r\n]+$/.test(text)) throw new Error(`--header "${text}" must be NAME: VALUE.`)
  }
  for (const text of pid) {
    const [name, ids] = pairOf(text, 'SERVER=PID')
    if (!names.includes(name)) throw new Error(`--pid "${text}" names no server of --address.`)
    if (!/^\d+(\+\d+)*$/.test(ids)) throw new Error(`--pid "${text}" must be SERVER=PID or SERVER=PID+PID.`)
  }
  return pairs.map(([name, url]) => ({
    name,
    ...placeOf(url),
    headers: ofServer(name, header),
    model: ofServer(name, model).at(-1),
    pids: pid
      .filter((text) => text.startsWith(`${name}=`))
      .flatMap((text) =>
        text
          .slice(name.length + 1)
          .split('+')
          .map(Number),
      ),
  }))
}

function pairOf(text: string, form: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`"${text}" must be ${form}.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function placeOf(text: string): Pick<Address, 'host' | 'port' | 'path'> {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not a URL.`)
  const url = new URL(text)
  if (url.protocol !== 'http:') throw new Error(`"${text}" must begin with http:, because the load is not encrypted.`)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  return { host: url.hostname.replace(/^\[(.+)\]$/, '$1'), port: url.port === '' ? 80 : Number(url.port), path }
}

import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'

/** A network namespace at a cable of this machine, with a server of pages. */
export interface OutsideNetwork {
  readonly namespace: string
  /** The end of the cable on this machine. */
  readonly device: string
  /** The address of this machine at the cable. */
  readonly host: string
  /** Two addresses in the namespace, in different networks. Both serve a page with the address on port 80. */
  readonly open: string
  readonly closed: string
  /** The network of `host` and `open`. */
  readonly openNetwork: string
  close(): Promise<void>
}

const ip = (...parameters: string[]) => execFileSync('ip', parameters, { stdio: 'pipe', encoding: 'utf8' })

/**
 * Returns whether this process can create network namespaces.
 *
 * @throws where it cannot and TRIVIUM_REQUIRE_SERVICES=1, as in CI
 */
export function requireNamespaces(): boolean {
  const name = `tv${mark()}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'del', name)
    return true
  } catch (cause) {
    const message = 'network namespaces cannot be created: the tests that need them are skipped'
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message, { cause })
    console.warn(message)
    return false
  }
}

const mark = () => randomBytes(4).toString('hex')

const page = `require('node:http')
  .createServer(({ socket }, response) => response.end('page of ' + socket.localAddress + '\\n'))
  .listen(80, '0.0.0.0', () => console.log('listening'))`

/** Creates the namespace. Its networks are those of benchmarks (RFC 2544), which lead nowhere else. */
export async function createOutsideNetwork(): Promise<OutsideNetwork> {
  const id = mark()
  const [namespace, device, peer] = [`tv${id}`, `tvh${id}`, `tvn${id}`]
  const [third = 0] = randomBytes(1)
  const [near, far] = [`198.18.${third}`, `198.19.${third}`]
  const network = { namespace, device, host: `${near}.1`, open: `${near}.2`, closed: `${far}.2` }
  ip('netns', 'add', namespace)
  ip('link', 'add', device, 'type', 'veth', 'peer', 'name', peer, 'netns', namespace)
  ip('addr', 'add', `${network.host}/24`, 'dev', device)
  ip('link', 'set', device, 'up')
  ip('-n', namespace, 'addr', 'add', `${network.open}/24`, 'dev', peer)
  ip('-n', namespace, 'addr', 'add', `${network.closed}/24`, 'dev', 'lo')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'link', 'set', peer, 'up')
  ip('-n', namespace, 'route', 'add', 'default', 'via', network.host)
  ip('route', 'add', `${far}.0/24`, 'via', network.open)
  const server = spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', page], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  return {
    ...network,
    openNetwork: `${near}.0/24`,
    close: async () => {
      server.kill('SIGKILL')
      await once(server, 'close')
      ip('netns', 'del', namespace)
    },
  }
}

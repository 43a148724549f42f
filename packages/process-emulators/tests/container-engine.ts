import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A Podman service of its own, with its own images and containers. */
export interface TestEngine {
  readonly socketPath: string
  /** Creates an image from a tar archive of its root directory. */
  importImage(name: string, archive: string): Promise<void>
  /** Creates an image of busybox, in which the programs are links. */
  importBusybox(name: string): Promise<void>
  ask(method: string, path: string, body?: Uint8Array): Promise<{ readonly status: number; readonly text: string }>
  /** Describes a container. `undefined` where it does not exist. */
  inspect(name: string): Promise<unknown>
  /** Lists the names of all containers. */
  containers(): Promise<readonly string[]>
  /** Ends the service with its containers. */
  close(): Promise<void>
}

/** The programs that the engine needs, for {@link describeWith}. */
export const enginePrograms = ['podman', 'crun', 'conmon', 'busybox', 'unshare', 'socat', 'ip', 'tar']

const START_MS = 30_000

/** crun refuses a machine whose controllers are divided between the two versions of control groups. */
const script = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"'

const applets = ['sh', 'cat', 'echo', 'grep', 'id', 'ip', 'kill', 'ls', 'mount', 'nc', 'ping', 'rm', 'sleep', 'stty']

export async function openTestEngine(): Promise<TestEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-podman-'))
  const socketPath = join(directory, 'podman.sock')
  // The only driver that works on every file system, also in a container.
  const stores = ['--storage-driver', 'vfs', '--root', join(directory, 'store'), '--runroot', join(directory, 'run')]
  const service = spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'],
      ...['podman', ...stores, '--cgroup-manager', 'cgroupfs', '--events-backend', 'none'],
      ...['system', 'service', '--time', '0', `unix://${socketPath}`],
    ],
    { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH, HOME: directory } },
  )
  let output = ''
  service.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-10_000)
  })
  const exited = once(service, 'exit')

  const ask = (method: string, path: string, body?: Uint8Array) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const headers = { host: 'localhost', ...(body && { 'content-type': 'application/x-tar' }) }
      const sent = request({ socketPath, method, path, agent: false, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })

  for (let waited = 0; ; waited += 50) {
    const answer = await ask('GET', '/_ping').catch(() => undefined)
    if (answer?.status === 200) break
    if (waited > START_MS || service.exitCode !== null) throw new Error(`podman does not answer: ${output}`)
    await wait(50)
  }

  const importImage = async (name: string, archive: string) => {
    const path = `/v4.0.0/libpod/images/import?reference=${encodeURIComponent(name)}`
    const answer = await ask('POST', path, await readFile(archive))
    if (answer.status !== 200) throw new Error(`the image cannot be imported: ${answer.text}`)
  }
  const containers = async () => {
    const list: readonly { readonly Names: readonly string[] }[] = JSON.parse(
      (await ask('GET', '/containers/json?all=true')).text,
    )
    return list.flatMap(({ Names }) => Names.map((name) => name.replace(/^\//, '')))
  }

  return {
    socketPath,
    ask,
    importImage,
    importBusybox: async (name) => {
      const root = join(directory, 'busybox')
      for (const made of ['bin', 'etc', 'proc', 'sys', 'dev', 'tmp']) mkdirSync(join(root, made), { recursive: true })
      await copyFile('/bin/busybox', join(root, 'bin/busybox'))
      for (const applet of applets) symlinkSync('busybox', join(root, 'bin', applet))
      execFileSync('tar', ['-C', root, '-cf', join(directory, 'busybox.tar'), '.'])
      await importImage(name, join(directory, 'busybox.tar'))
      rmSync(root, { recursive: true })
    },
    inspect: async (name) => {
      const answer = await ask('GET', `/containers/${name}/json`)
      return answer.status === 404 ? undefined : JSON.parse(answer.text)
    },
    containers,
    close: async () => {
      for (const name of await containers()) await ask('DELETE', `/containers/${name}?force=true&v=true`)
      service.kill('SIGTERM')
      await exited
      await endRemaining(directory)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Resolves when no process uses the directory. Monitors of consoles wait for five minutes after the end and are killed.
 * Those of containers start a program that cleans up, and end by themselves.
 */
async function endRemaining(directory: string): Promise<void> {
  for (let left = usersOf(directory); left.length > 0; left = usersOf(directory)) {
    for (const { pid, program } of left) if (program.endsWith('/conmon')) killIfAlive(pid)
    // The processes are not ours, so their ends are not reported.
    await wait(20)
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function usersOf(directory: string): readonly { readonly pid: number; readonly program: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words.some((word) => word.startsWith(`${directory}/`)) ? [{ pid: Number(pid), program }] : []
    } catch {
      // It has ended by itself.
      return []
    }
  })
}

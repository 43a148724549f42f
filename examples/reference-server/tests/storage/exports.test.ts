import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { requireNamespaces } from '../emulation/outside-network.ts'
import { requireProgram } from '../require-program.ts'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const run = promisify(execFile)
const MiB = 2 ** 20
const document = readFileSync(join(import.meta.dirname, '../../../../docs/file-server.md'), 'utf8')

/** Returns the block of the document that contains a text. */
function blockWith(text: string): string {
  const blocks = [...document.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const found = blocks.filter((block) => block.includes(text))
  if (found.length !== 1) throw new Error(`${found.length} blocks of the document contain "${text}"`)
  return found.join('')
}

const canRun =
  (await canMount('btrfs')) &&
  requireNamespaces() &&
  (await requireProgram('ganesha.nfsd', 'nfs-ganesha nfs-ganesha-vfs rpcbind libnfs-utils')) &&
  (await requireProgram('smbd', 'samba smbclient'))

describe.skipIf(!canRun)('the file server of docs/file-server.md', () => {
  const namespace = `tv${randomBytes(4).toString('hex')}`
  const daemons: ReturnType<typeof spawn>[] = []
  let directory: string
  let mount: LoopMount
  let server: ServerProcess

  const inNamespace = (program: string, ...args: string[]) =>
    run('ip', ['netns', 'exec', namespace, program, ...args], { timeout: 20_000 })
  const daemon = (program: string, ...args: string[]) => {
    const child = spawn('ip', ['netns', 'exec', namespace, program, ...args], { stdio: 'ignore' })
    daemons.push(child)
  }
  /** Replaces the paths and the address of the document by those of the test. */
  const adapted = (text: string) =>
    text
      .replaceAll('/srv/export', join(directory, 'export'))
      .replaceAll('/srv/data', mount.directory)
      .replaceAll('/dev/sdb', execFileSync('findmnt', ['-no', 'SOURCE', mount.directory], { encoding: 'utf8' }).trim())
      .replaceAll('http://127.0.0.1:8787', server.url)
      .replaceAll('127.0.0.1:9000', receiverAddress())
  const receiverAddress = () => {
    const address = receiver.address()
    return typeof address === 'object' && address ? `127.0.0.1:${address.port}` : ''
  }
  /** Runs the commands that contain these texts, in one shell, as a reader does. */
  const paste = (...texts: readonly string[]) => {
    const script = texts.map((text) => adapted(blockWith(text))).join('')
    return run('bash', ['-euo', 'pipefail', '-c', script], { cwd: directory })
  }
  const setLimit = async (limit: number) => {
    const { uuid } = await storageClient(server).one('/storage/quota/rules?qtree.name=ada')
    const body = { space: { hard_limit: limit } }
    await storageClient(server).call('PATCH', `/storage/quota/rules/${uuid}?return_timeout=30`, body)
  }
  const received: string[] = []
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => received.push(JSON.parse(body).type))
    request.on('end', () => response.writeHead(204).end())
  })
  const sizeOf = (name: string) => statSync(join(mount.directory, 'ada', name)).size
  const source = () => join(directory, 'six')

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'trivium-exports-'))
    mount = await mountLoop('btrfs', 320)
    server = await startServer({ environment: { TRIVIUM_VOLUMES: `data=${mount.directory}` } })
    // The user of the exports goes through these directories.
    for (const path of [directory, dirname(mount.directory)]) chmodSync(path, 0o711)
    mkdirSync(join(directory, '.trivium'))
    writeFileSync(join(directory, '.trivium/admin-password'), ADMIN_PASSWORD)
    writeFileSync(source(), randomBytes(6 * MiB))
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    await paste('qtrees?return_timeout', 'support/webhooks', 'self/tokens', 'mount -o subvol=ada')
    execFileSync('ip', ['netns', 'add', namespace])
    await inNamespace('ip', 'link', 'set', 'lo', 'up')
  }, 60_000)
  afterAll(async () => {
    for (const one of daemons) {
      if (one.exitCode !== null || one.signalCode !== null) continue
      one.kill()
      await once(one, 'close')
    }
    receiver.close()
    if (mount) await run('umount', [join(directory, 'export/ada')]).catch(() => undefined)
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
    await run('ip', ['netns', 'del', namespace]).catch(() => undefined)
    rmSync(directory, { recursive: true, force: true })
  })

  it('accepts files over SMB up to the limit, and more after a PATCH', async () => {
    const state = join(directory, 'samba')
    mkdirSync(state, { mode: 0o700 })
    const places = [
      'private dir',
      'lock directory',
      'state directory',
      'cache directory',
      'pid directory',
      'ncalrpc dir',
    ]
    const own = [...places.map((place) => `  ${place} = ${state}`), `  log file = ${state}/log`].join('\n')
    const configuration = join(directory, 'smb.conf')
    writeFileSync(configuration, adapted(blockWith('valid users')).replace('[global]\n', `[global]\n${own}\n`))
    const password = run('smbpasswd', ['-c', configuration, '-s', '-a', 'nobody'])
    password.child.stdin?.end('secret\nsecret\n')
    await password
    daemon('smbd', '-F', '-s', configuration)
    const put = (name: string) =>
      inNamespace(
        'smbclient',
        '-s',
        configuration,
        '-U',
        'nobody%secret',
        '//127.0.0.1/ada',
        '-c',
        `put ${source()} ${name}`,
      )
    await vi.waitFor(() => put('first'), { timeout: 15_000, interval: 200 })
    expect(sizeOf('first')).toBe(6 * MiB)
    await expect(put('second')).rejects.toThrow('NT_STATUS_DISK_FULL')
    expect(sizeOf('second')).toBeLessThan(4 * MiB)
    await setLimit(20 * MiB)
    await put('second')
    expect(sizeOf('second')).toBe(6 * MiB)
  }, 60_000)

  it('notifies the receiver that limits are exceeded', async () => {
    await setLimit(13 * MiB)
    await vi.waitFor(() => expect(received).toContain('quota.threshold_exceeded'), { timeout: 15_000 })
    expect(received).toContain('quota.soft_limit_exceeded')
  }, 30_000)

  it('accepts files over NFS up to the limit, and more after a PATCH', async () => {
    await setLimit(20 * MiB)
    const configuration = join(directory, 'ganesha.conf')
    const limited = adapted(blockWith('NFS_CORE_PARAM')).replace('NFS_CORE_PARAM {', 'NFS_CORE_PARAM { Protocols = 3;')
    // Clients of NFS 3 would wait for those of NFS 4 that an earlier server had.
    writeFileSync(configuration, `${limited}NFSV4 { Graceless = true; }\n`)
    daemon('rpcbind', '-f', '-w')
    daemon(
      'ganesha.nfsd',
      '-F',
      '-f',
      configuration,
      '-L',
      join(directory, 'ganesha.log'),
      '-p',
      join(directory, 'pid'),
    )
    const url = (name: string) => `nfs://127.0.0.1/ada/${name}?uid=65534&gid=65534`
    const copy = (name: string) => inNamespace('nfs-cp', source(), url(name))
    await vi.waitFor(() => inNamespace('nfs-ls', url('')), { timeout: 20_000, interval: 300 })
    await copy('third')
    expect(sizeOf('third')).toBe(6 * MiB)
    await expect(copy('fourth')).rejects.toThrow('Failed to write')
    expect(sizeOf('fourth')).toBeLessThan(2 * MiB)
    await setLimit(40 * MiB)
    await copy('fifth')
    expect(sizeOf('fifth')).toBe(6 * MiB)
  }, 60_000)
})

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Inside `node_modules`, which is not under version control. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/trivium-guest-kernel')

/** The modules of a virtio network card, each after its dependencies. */
const MODULES = [
  'virtio_ring',
  'virtio',
  'virtio_pci_legacy_dev',
  'virtio_pci_modern_dev',
  'virtio_pci',
  'failover',
  'net_failover',
  'virtio_net',
]

export interface GuestKernel {
  readonly kernel: string
  /** In the order in which they must be loaded, without those that are built in. */
  readonly modules: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/**
 * Downloads and unpacks Debian's kernel for clouds once. Rejects where the package is not available.
 *
 * @param more further modules, each after its dependencies
 */
export async function guestKernel(more: readonly string[] = []): Promise<GuestKernel> {
  const directory = await unpackedPackage()
  const kernels = (await readdir(join(directory, 'boot'))).filter((name) => name.startsWith('vmlinuz-'))
  const [kernel] = kernels
  if (kernel === undefined) throw new Error(`${directory} has no kernel`)
  const files = (await readdir(join(directory, 'lib/modules'), { recursive: true })).filter((name) =>
    name.endsWith('.ko'),
  )
  const modules: { name: string; bytes: Uint8Array }[] = []
  for (const name of [...MODULES, ...more]) {
    const file = files.find((path) => path.endsWith(`/${name}.ko`))
    if (file !== undefined) modules.push({ name, bytes: await readFile(join(directory, 'lib/modules', file)) })
  }
  return { kernel: join(directory, 'boot', kernel), modules }
}

async function unpackedPackage(): Promise<string> {
  await mkdir(CACHE, { recursive: true })
  const [known] = (await readdir(CACHE)).filter((name) => name.startsWith('linux-image-'))
  if (known !== undefined) return join(CACHE, known)
  const { stdout } = await run('apt-cache', ['depends', 'linux-image-cloud-amd64'], { timeout: 30_000 })
  const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1]
  if (name === undefined) throw new Error('apt has no package linux-image-cloud-amd64')
  const work = await mkdtemp(join(CACHE, 'work-'))
  try {
    await run('apt-get', ['download', name], { cwd: work, timeout: 120_000 })
    const [archive] = (await readdir(work)).filter((file) => file.endsWith('.deb'))
    await run('dpkg-deb', ['-x', join(work, archive ?? ''), join(work, 'tree')], { timeout: 60_000 })
    // Another test can have created it.
    await rename(join(work, 'tree'), join(CACHE, name)).catch(() => stat(join(CACHE, name)))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return join(CACHE, name)
}

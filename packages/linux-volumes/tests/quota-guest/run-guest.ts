import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'tsup'

const run = promisify(execFile)

const cache = join(import.meta.dirname, '../../../../node_modules/.cache/quota-guest')
const modules = ['virtio_blk', 'virtio_pci', 'quota_v2', 'crc32c-intel', 'xfs']
const programs = ['rm', 'setquota', 'repquota', 'xfs_quota', 'lsattr', 'chattr', 'getent']
const BOOT_TIMEOUT_MS = 900_000

/** Boots a kernel with quotas under emulation, runs the scenario in it and returns its output. */
export async function runGuest(): Promise<string> {
  const kernel = await fetchKernel()
  const directory = await mkdtemp(join(tmpdir(), 'trivium-guest-'))
  try {
    const initramfs = await buildInitramfs(directory, kernel)
    const disks = await Promise.all([
      makeDisk(join(directory, 'ext4'), [
        'mkfs.ext4',
        '-q',
        '-O',
        'quota,project',
        '-E',
        'quotatype=usrquota:grpquota:prjquota',
      ]),
      makeDisk(join(directory, 'xfs'), ['mkfs.xfs', '-q']),
    ])
    return await boot(kernel, initramfs, disks)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

interface Kernel {
  readonly image: string
  readonly modules: string
}

/** Downloads and unpacks Debian's cloud kernel, without installing it. */
async function fetchKernel(): Promise<Kernel> {
  const root = join(cache, 'kernel')
  if (!existsSync(root)) {
    const { stdout } = await run('apt-cache', ['depends', 'linux-image-cloud-amd64'])
    const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1]
    if (!name) throw new Error('apt has no package linux-image-cloud-amd64')
    await mkdir(cache, { recursive: true })
    const directory = await mkdtemp(join(cache, 'download-'))
    await run('apt-get', ['download', '-q', name], { cwd: directory })
    const [archive = ''] = await readdir(directory)
    await run('dpkg-deb', ['-x', join(directory, archive), join(directory, 'root')])
    const [version = ''] = await readdir(join(directory, 'root/lib/modules'))
    await run('depmod', ['-b', join(directory, 'root'), version])
    await rename(join(directory, 'root'), root)
    await rm(directory, { recursive: true })
  }
  const [version = ''] = await readdir(join(root, 'lib/modules'))
  return { image: join(root, 'boot', `vmlinuz-${version}`), modules: join(root, 'lib/modules', version) }
}

async function buildInitramfs(directory: string, kernel: Kernel): Promise<string> {
  const root = join(directory, 'root')
  for (const name of [
    'bin',
    'sbin',
    'usr/bin',
    'usr/sbin',
    'etc',
    'proc',
    'sys',
    'dev',
    'tmp',
    'modules',
    'mnt/ext4',
    'mnt/xfs',
  ]) {
    await mkdir(join(root, name), { recursive: true })
  }
  await copyFile('/usr/bin/busybox', join(root, 'bin/busybox'))
  const order = await copyModules(kernel, join(root, 'modules'))
  for (const program of programs) await copyProgram(await which(program), root, join('usr/sbin', program))
  await copyProgram(process.execPath, root, 'bin/node')
  await bundle(join(root, 'scenario.mjs'))
  await writeFile(
    join(root, 'etc/passwd'),
    'root:x:0:0::/:/bin/sh\nalice:x:1000:1000::/:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n',
  )
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nalice:x:1000:\nbob:x:1001:\nstaff:x:50:\n')
  await writeFile(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\n')
  await writeFile(join(root, 'init'), initScript(order))
  await chmod(join(root, 'init'), 0o755)
  const archive = join(directory, 'initramfs')
  await run('sh', ['-c', 'cd "$1" && find . | busybox cpio -o -H newc 2> /dev/null > "$2"', 'sh', root, archive])
  return archive
}

const initScript = (order: readonly string[]): string => `#!/bin/busybox sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/mounts /etc/mtab
chmod 1777 /tmp
for module in ${order.join(' ')}; do insmod /modules/$module || echo "no $module"; done
mount -t ext4 -o usrquota,grpquota,prjquota /dev/vda /mnt/ext4
mount -t xfs -o uquota,gquota,pquota /dev/vdb /mnt/xfs
/bin/node /scenario.mjs
poweroff -f
`

/** Copies the kernel modules. @returns their names in the order in which they must be loaded */
async function copyModules(kernel: Kernel, target: string): Promise<readonly string[]> {
  const lines = (await readFile(join(kernel.modules, 'modules.dep'), 'utf8')).split('\n')
  const dependencies = new Map(
    lines.filter(Boolean).map((line) => [line.split(':')[0] ?? '', line.split(':')[1]?.trim().split(' ') ?? []]),
  )
  const order: string[] = []
  for (const name of modules) {
    const path = [...dependencies.keys()].find((path) => basename(path).split('.')[0] === name)
    if (!path) throw new Error(`the kernel has no module ${name}`)
    for (const needed of [...(dependencies.get(path) ?? []).filter(Boolean).reverse(), path]) {
      if (order.includes(basename(needed))) continue
      order.push(basename(needed))
      await copyFile(join(kernel.modules, needed), join(target, basename(needed)))
    }
  }
  return order
}

async function copyProgram(source: string, root: string, target: string): Promise<void> {
  await cp(source, join(root, target), { dereference: true })
  const { stdout } = await run('ldd', [source])
  for (const [, library = ''] of stdout.matchAll(/(\/\S+) \(0x/g)) {
    await mkdir(join(root, dirname(library)), { recursive: true })
    await cp(library, join(root, library), { dereference: true })
  }
}

const which = async (program: string): Promise<string> => (await run('which', [program])).stdout.trim()

async function bundle(target: string): Promise<void> {
  await build({
    config: false,
    entry: { scenario: join(import.meta.dirname, 'guest-scenario.ts') },
    outDir: dirname(target),
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    noExternal: [/.*/],
    silent: true,
    esbuildOptions(options) {
      options.conditions = ['@trivium/source']
    },
  })
}

async function makeDisk(path: string, [program = '', ...args]: readonly string[]): Promise<string> {
  await writeFile(path, '')
  await truncate(path, 400 * 2 ** 20)
  await run(program, [...args, path])
  return path
}

function boot(kernel: Kernel, initramfs: string, disks: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const guest = spawn(
      'qemu-system-x86_64',
      [
        ...[
          '-accel',
          'tcg',
          '-cpu',
          'max',
          '-m',
          '2048',
          '-nographic',
          '-no-reboot',
          '-nodefaults',
          '-serial',
          'stdio',
        ],
        ...[
          '-kernel',
          kernel.image,
          '-initrd',
          initramfs,
          '-append',
          'console=ttyS0 quiet loglevel=0 edd=off panic=-1',
        ],
        ...disks.flatMap((disk) => ['-drive', `file=${disk},if=virtio,format=raw,cache=unsafe`]),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    const timer = setTimeout(() => guest.kill('SIGKILL'), BOOT_TIMEOUT_MS)
    guest.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    guest.on('error', reject)
    guest.on('exit', () => {
      clearTimeout(timer)
      resolve(output)
    })
  })
}

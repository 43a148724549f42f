import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Inside `node_modules`, which is not under version control. */
const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/trivium-frr')

const APPLETS = ['sh', 'cat', 'chown', 'echo', 'grep', 'ip', 'ls', 'ping', 'ps', 'sleep']

/**
 * FRR of Debian asks for `CAP_SYS_ADMIN` at its start, which it uses for VRFs in network namespaces only, and ends without
 * it. The library takes it out of the request.
 */
const WITHOUT_SYS_ADMIN = `
#define _GNU_SOURCE
#include <dlfcn.h>
enum { CAP_SYS_ADMIN = 21, CAP_CLEAR = 0 };
int cap_set_flag(void *, int, int, const int *, int);
int cap_set_proc(void *caps) {
  const int unused[] = {CAP_SYS_ADMIN};
  for (int set = 0; set < 3; set++) cap_set_flag(caps, set, 1, unused, CAP_CLEAR);
  return ((int (*)(void *))dlsym(RTLD_NEXT, "cap_set_proc"))(caps);
}
`

const START = `#!/bin/sh
export LD_PRELOAD=/lib/without-sys-admin.so
chown frr:frr /run/frr
/usr/lib/frr/zebra -d -A 127.0.0.1 && /usr/lib/frr/ospfd -d -A 127.0.0.1 && vtysh -b
exec sleep 1000000
`

const PERMIT = ['auth', 'account', 'session'].map((kind) => `${kind} sufficient pam_permit.so\n`).join('')

/**
 * Returns a tar archive of a root directory with Debian's FRR, its libraries and busybox. It is made once. Rejects where the
 * packages are not available. Its program is `/etc/frr/start`.
 */
export async function frrImage(): Promise<string> {
  await mkdir(CACHE, { recursive: true })
  const archive = join(CACHE, 'frr.tar')
  if (await exists(archive)) return archive
  const work = await mkdtemp(join(CACHE, 'work-'))
  try {
    const packages = await downloadPackages(work)
    const unpacked = join(work, 'unpacked')
    for (const file of packages) await run('dpkg-deb', ['-x', file, unpacked], { timeout: 60_000 })
    await makeRoot(unpacked, join(work, 'root'))
    await run('gcc', ['-shared', '-fPIC', '-o', 'root/lib/without-sys-admin.so', 'caps.c'], { cwd: work })
    await run('tar', ['-C', join(work, 'root'), '-cf', join(work, 'frr.tar'), '.'])
    await rename(join(work, 'frr.tar'), archive)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return archive
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Downloads FRR with all that it depends on, from where apt is configured to, as to a machine without any package. */
async function downloadPackages(work: string): Promise<readonly string[]> {
  const archives = join(work, 'archives')
  await mkdir(join(archives, 'partial'), { recursive: true })
  await writeFile(join(work, 'status'), '')
  await writeFile(join(work, 'caps.c'), WITHOUT_SYS_ADMIN)
  const options = [
    `Dir::Cache::archives=${archives}`,
    `Dir::State::status=${join(work, 'status')}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  const words = ['install', '--download-only', '--yes', '--no-install-recommends', '-qq', ...options, 'frr']
  await run('apt-get', words, { timeout: 180_000 })
  return (await readdir(archives))
    .filter((name) => /^(frr|lib(?!perl)[^_]*)_.*\.deb$/.test(name))
    .map((name) => join(archives, name))
}

async function makeRoot(unpacked: string, root: string): Promise<void> {
  for (const made of [
    'bin',
    'proc',
    'sys',
    'dev',
    'tmp',
    'run/frr',
    'var/tmp',
    'var/log',
    'etc/pam.d',
    'usr/lib/frr',
    'usr/bin',
  ])
    await mkdir(join(root, made), { recursive: true })
  for (const copied of ['etc/frr', 'lib', 'lib64', 'usr/lib/x86_64-linux-gnu'])
    await cp(join(unpacked, copied), join(root, copied), { recursive: true, verbatimSymlinks: true })
  for (const program of ['usr/lib/frr/zebra', 'usr/lib/frr/ospfd', 'usr/bin/vtysh'])
    await copyFile(join(unpacked, program), join(root, program))
  await copyFile('/bin/busybox', join(root, 'bin/busybox'))
  for (const applet of APPLETS) await symlink('busybox', join(root, 'bin', applet))
  await symlink('../run', join(root, 'var/run'))
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nfrr:x:100:101::/:/bin/false\n')
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nfrr:x:101:\nfrrvty:x:102:frr\n')
  for (const name of ['frr', 'other']) await writeFile(join(root, 'etc/pam.d', name), PERMIT)
  await writeFile(join(root, 'etc/frr/start'), START)
  await chmod(join(root, 'etc/frr/start'), 0o755)
}

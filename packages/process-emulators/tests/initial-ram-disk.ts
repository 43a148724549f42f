/** One entry of an archive: a file, or a directory without `bytes`. */
interface Entry {
  readonly path: string
  readonly mode: number
  readonly bytes?: Uint8Array
}

const DIRECTORY = 0o040755
const FILE = 0o100644
const PROGRAM = 0o100755

/** Builds an archive in the format of the kernel: cpio with the magic number 070701. */
function archive(entries: readonly Entry[]): Uint8Array {
  const parts: Uint8Array[] = []
  const pad = (length: number) => Buffer.alloc((4 - (length % 4)) % 4)
  for (const [index, { path, mode, bytes = new Uint8Array() }] of [
    ...entries,
    { path: 'TRAILER!!!', mode: 0 },
  ].entries()) {
    const name = Buffer.from(`${path}\0`)
    const fields = [index + 1, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, name.length, 0]
    const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`)
    parts.push(header, name, pad(header.length + name.length), bytes, pad(bytes.length))
  }
  return Buffer.concat(parts)
}

export interface InitialRamDiskOptions {
  /** A statically linked busybox. */
  readonly busybox: Uint8Array
  readonly modules: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/**
 * Builds a guest that runs a shell on its serial port. It sets the address of `guest_address=10.0.0.9/24` in its kernel
 * command line, and prints `guest-ready` before its first prompt.
 */
export function initialRamDisk({ busybox, modules }: InitialRamDiskOptions): Uint8Array {
  const script = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
${modules.map(({ name }) => `insmod /modules/${name}.ko`).join('\n')}
for word in $(cat /proc/cmdline); do
  case "$word" in guest_address=*) ip addr add "\${word#*=}" dev eth0 && ip link set eth0 up;; esac
done
echo guest-ready
exec setsid cttyhack sh
`
  return archive([
    ...['bin', 'dev', 'modules', 'proc', 'sys'].map((path) => ({ path, mode: DIRECTORY })),
    { path: 'bin/busybox', mode: PROGRAM, bytes: busybox },
    { path: 'init', mode: PROGRAM, bytes: Buffer.from(script) },
    ...modules.map(({ name, bytes }) => ({ path: `modules/${name}.ko`, mode: FILE, bytes })),
  ])
}

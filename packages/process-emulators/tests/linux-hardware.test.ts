import { execFileSync } from 'node:child_process'
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineSettings } from '@trivium/emulation-core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { qemuEmulator } from '../src/qemu/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { freeTcpPort } from './free-tcp-port.ts'
import { guestKernel } from './guest-kernel.ts'
import { initialRamDisk } from './initial-ram-disk.ts'
import { createRecorder, instanceOf, machineSettings } from './instances.ts'
import { describeWith, reportSkipped } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

const kernel = await guestKernel(['button', 'evdev', 'efivarfs']).catch((error: Error) => error)
const KERNEL_WORDS = 'console=ttyS0 quiet edd=off mitigations=off'
const BOOT_MS = 240_000

async function guestImages() {
  if (kernel instanceof Error) throw kernel
  const images = await scratchDirectory()
  await copyFile(kernel.kernel, join(images, 'kernel'))
  const busybox = await readFile('/bin/busybox')
  await writeFile(join(images, 'initrd'), initialRamDisk({ busybox, modules: kernel.modules }))
  return images
}

async function machine(changes: Partial<MachineSettings>) {
  return instanceOf('machine', await scratchDirectory(), {
    ...machineSettings,
    monitor: await freeTcpPort(),
    memoryMegabytes: 256,
    priority: 'normal',
    adapterType: 'virtio-net-pci',
    closeAction: 'shutdown-signal',
    ...changes,
  })
}

type Machine = Awaited<ReturnType<typeof machine>>

async function start(images: string, instance: Machine, shutdownTimeoutMs = 30_000) {
  const timeouts = { startTimeoutMs: 120_000, shutdownTimeoutMs }
  const emulator = qemuEmulator({ imageDirectories: [images], acceleration: 'tcg', ...timeouts })
  const nics = Array.from({ length: instance.settings.adapters }, (_, adapter) => ({ adapter, port: 0 }))
  const running = await emulator.start(instance, createBenchNetwork().wiring('one', nics), createRecorder())
  onTestFinished(() => running.stop())
  const terminal = createTerminal(running.console)
  const run = async (command: string) => {
    terminal.type(`${command}; echo "the" end`)
    return terminal.waitFor(/the end/, 60_000)
  }
  return { running, terminal, run }
}

/** Creates a disk with a system partition whose firmware starts the kernel. */
async function uefiDisk(images: string) {
  const path = join(images, 'esp.img')
  await writeFile(path, Buffer.alloc(64 * 1024 * 1024))
  await writeFile(join(images, 'startup.nsh'), `\\kernel.efi initrd=\\initrd ${KERNEL_WORDS}\r\n`)
  const tool = (program: string, ...words: readonly string[]) =>
    execFileSync(program, ['-i', path, ...words], { cwd: images })
  tool('mformat', '-F', '::')
  tool('mcopy', 'kernel', '::/kernel.efi')
  tool('mcopy', 'initrd', '::/initrd')
  tool('mcopy', 'startup.nsh', '::/startup.nsh')
  return 'esp.img'
}

if (kernel instanceof Error) reportSkipped('the hardware of a guest', `its kernel is not available: ${kernel.message}`)
else
  describeWith(['qemu-system-x86_64', 'qemu-img', 'busybox', 'mformat'], 'the hardware of a guest', () => {
    it('has its processors, serial ports, 60 adapters with their addresses, and a power button that ends it', async () => {
      const images = await guestImages()
      const instance = await machine({
        kernelImage: 'kernel',
        initialRamDisk: 'initrd',
        kernelCommandLine: KERNEL_WORDS,
        memoryMegabytes: 512,
        cpus: 2,
        serialPorts: 2,
        adapters: 60,
        macAddress: '0c:00:00:00:01:00',
        customAdapters: [
          { adapter: 1, macAddress: '0c:00:00:00:aa:aa' },
          { adapter: 2, adapterType: 'rtl8139' },
        ],
      })
      const { running, terminal, run } = await start(images, instance, BOOT_MS)
      await terminal.waitFor('guest-ready', BOOT_MS)
      await terminal.waitFor('/ # ')
      expect(await run('nproc')).toMatch(/\s2\s/)
      expect(await run('ls /sys/class/tty | grep -c "ttyS[01]$"')).toMatch(/\s2\s/)
      // The card of another model has no driver in this guest.
      expect(await run('ls /sys/class/net | grep -c eth')).toMatch(/\s59\s/)
      const addresses = await run('cat /sys/class/net/eth*/address')
      for (const mac of ['0c:00:00:00:01:00', '0c:00:00:00:aa:aa', '0c:00:00:00:01:03', '0c:00:00:00:01:3b']) {
        expect(addresses).toContain(mac)
      }
      expect(addresses).not.toContain('0c:00:00:00:01:02')

      // The shell opens each device itself, as the press of a button that no one has opened has no effect.
      await run(
        'for each in /dev/input/event*; do exec 3<$each; (dd bs=24 count=1 <&3 >/dev/null 2>&1; poweroff -f) & done',
      )
      await running.stop()
      const { exitCode, log } = await running.exited
      expect(exitCode).toBe(0)
      // The guest has ended by itself.
      expect(log).not.toContain('terminating on signal')
    }, 600_000)

    it('starts by UEFI from its disk, and keeps the variables of its own', async () => {
      const images = await guestImages()
      // The firmware's driver of IDE gives up a read after seconds, which pass on a busy machine.
      const disk = { primaryDisk: await uefiDisk(images), primaryDiskInterface: 'virtio' } as const
      const instance = await machine({ adapters: 0, uefi: true, ...disk })
      const variable = '/sys/firmware/efi/efivars/Kept-6f2a3f0e-52f4-4d0c-9f9b-1d0a5f3c8a11'
      const mount = 'mount -t efivarfs none /sys/firmware/efi/efivars'
      const first = await start(images, instance)
      await first.terminal.waitFor('guest-ready', BOOT_MS)
      await first.terminal.waitFor('/ # ')
      await first.run(mount)
      await first.run(`printf '\\007\\000\\000\\000kept by the machine' > ${variable}`)
      first.terminal.type('poweroff -f')
      await first.running.exited
      expect((await stat(join(instance.directory, 'uefi-variables.fd'))).mode & 0o777).toBe(0o600)

      const second = await start(images, instance)
      await second.terminal.waitFor('guest-ready', BOOT_MS)
      await second.terminal.waitFor('/ # ')
      await second.run(mount)
      expect(await second.run(`cat ${variable}`)).toContain('kept by the machine')
    }, 900_000)
  })

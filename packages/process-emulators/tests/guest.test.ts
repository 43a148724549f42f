import { execFileSync } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { qemuEmulator } from '../src/qemu/index.ts'
import { vpcsEmulator } from '../src/vpcs/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { freeTcpPort } from './free-tcp-port.ts'
import { guestKernel } from './guest-kernel.ts'
import { initialRamDisk } from './initial-ram-disk.ts'
import { createRecorder, instanceOf, machineSettings } from './instances.ts'
import { describeWith, reportSkipped } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

const kernel = await guestKernel().catch((error: Error) => error)

async function guestImages() {
  if (kernel instanceof Error) throw kernel
  const directory = await scratchDirectory()
  const busybox = await readFile('/bin/busybox')
  await copyFile(kernel.kernel, join(directory, 'kernel'))
  await writeFile(join(directory, 'initrd'), initialRamDisk({ busybox, modules: kernel.modules }))
  execFileSync('/usr/bin/qemu-img', ['create', '-q', '-f', 'vmdk', join(directory, 'disk.vmdk'), '16M'])
  return directory
}

if (kernel instanceof Error) reportSkipped('a Linux guest', `its kernel is not available: ${kernel.message}`)
else
  describeWith(['qemu-system-x86_64', 'qemu-img', 'vpcs', 'busybox'], 'a Linux guest', () => {
    it('boots, answers pings of a VPCS, and can be suspended, resumed, unplugged, reloaded and stopped', async () => {
      const network = createBenchNetwork()
      network.cable('guest', 'pc')
      const pcDirectory = await scratchDirectory()
      await writeFile(join(pcDirectory, 'startup.vpc'), 'set pcname pc\nip 10.0.0.1/24\n')
      const pc = await vpcsEmulator().start(
        instanceOf('virtual-pc', pcDirectory, { console: 2000 }, { slot: 0 }),
        network.wiring('pc'),
        createRecorder(),
      )
      onTestFinished(() => pc.stop())

      const images = await guestImages()
      const emulator = qemuEmulator({ imageDirectories: [images], acceleration: 'tcg' })
      const instance = instanceOf('machine', await scratchDirectory(), {
        ...machineSettings,
        monitor: await freeTcpPort(),
        memoryMegabytes: 128,
        priority: 'normal',
        adapterType: 'virtio-net-pci',
        primaryDisk: 'disk.vmdk',
        kernelImage: 'kernel',
        initialRamDisk: 'initrd',
        kernelCommandLine: 'console=ttyS0 quiet edd=off mitigations=off guest_address=10.0.0.9/24',
      })
      const guest = await emulator.start(instance, network.wiring('guest'), createRecorder())
      onTestFinished(() => guest.stop())
      const [shell, terminal] = [createTerminal(guest.console), createTerminal(pc.console)]
      await shell.waitFor('guest-ready', 240_000)
      await shell.waitFor('/ # ')

      // The MAC address is derived from the instance and is the same at every start.
      shell.type('cat /sys/class/net/eth0/address /sys/class/net/eth0/carrier')
      const [, mac, carrier] = (await shell.waitFor(/(0e:\S+)\s+([01])\s/)).match(/(0e:\S+)\s+([01])\s/) ?? []
      expect(carrier).toBe('1')

      await terminal.waitFor('pc> ')
      terminal.type('ping 10.0.0.9 -c 2')
      await terminal.waitFor('icmp_seq=2 ttl=64')

      // While it is suspended, it does not answer and its clock stops.
      const readClock = async () => {
        shell.type('cut -d" " -f1 /proc/uptime; echo "read"')
        return 1000 * Number(/([\d.]+)\s+read\s/.exec(await shell.waitFor(/[\d.]+\s+read\s/))?.[1])
      }
      const begin = performance.now()
      const before = await readClock()
      await guest.suspend?.()
      const suspended = performance.now()
      terminal.type('ping 10.0.0.9 -c 2 -w 500')
      await terminal.waitFor('icmp_seq=2 timeout')
      const resumed = performance.now()
      await guest.resume?.()
      const after = await readClock()
      expect(after - before).toBeLessThanOrEqual(performance.now() - begin - (resumed - suspended) + 20)
      terminal.type('ping 10.0.0.9 -c 1')
      await terminal.waitFor('icmp_seq=1 ttl=64')

      // The cable is disconnected and connected while it runs.
      const nic = { adapter: 0, port: 0 }
      network.disconnect('guest')
      await guest.nicChanged?.(nic, { connected: false, linkUp: true })
      shell.type('cat /sys/class/net/eth0/carrier; echo "read"')
      await shell.waitFor(/\n0\s+read\s/)
      terminal.type('ping 10.0.0.9 -c 1 -w 500')
      await terminal.waitFor(/timeout|not reachable/)
      network.cable('guest', 'pc')
      await guest.nicChanged?.(nic, { connected: true, linkUp: true })
      shell.type('cat /sys/class/net/eth0/carrier; echo "read"')
      await shell.waitFor(/\n1\s+read\s/)
      terminal.type('ping 10.0.0.9 -c 1')
      await terminal.waitFor('icmp_seq=1 ttl=64')

      // It boots again with the same address.
      await guest.reload?.()
      await shell.waitFor('guest-ready', 240_000)
      shell.type('cat /sys/class/net/eth0/address')
      await shell.waitFor(String(mac))

      const overlay = join(instance.directory, 'hda_disk.qcow2')
      const disk = execFileSync('/usr/bin/qemu-img', ['info', '-U', '--output=json', overlay], { encoding: 'utf8' })
      expect(JSON.parse(disk)).toMatchObject({ format: 'qcow2', 'backing-filename-format': 'vmdk' })

      await guest.stop()
      expect(await guest.exited).toMatchObject({ exitCode: 0 })
      await pc.stop()
      expect(network.plugs()).toBe(0)
    }, 600_000)
  })

import { once } from 'node:events'
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'
import type { EmulatedInstance, MachineSettings } from '@trivium/emulation-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findByEnvironment, isAlive } from '../src/processes/process-identity.ts'
import { qemuEmulator } from '../src/qemu/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { freeTcpPort } from './free-tcp-port.ts'
import { createRecorder, instanceOf, machineSettings } from './instances.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

const emulatorFor = (directory: string) => qemuEmulator({ imageDirectories: [directory], acceleration: 'tcg' })

async function machine(changes: Partial<MachineSettings> = {}) {
  const directory = await scratchDirectory()
  const monitor = await freeTcpPort()
  return instanceOf('machine', directory, { ...machineSettings, monitor, ...changes })
}

async function start(instance: EmulatedInstance<'machine'>) {
  const network = createBenchNetwork()
  const recorder = createRecorder()
  const nics = Array.from({ length: instance.settings.adapters }, (_, adapter) => ({ adapter, port: 0 }))
  const running = await emulatorFor(instance.directory).start(instance, network.wiring('one', nics), recorder)
  onTestFinished(() => running.stop())
  return { running, network, recorder, terminal: createTerminal(running.console) }
}

const threadPriorities = async (pid: number) =>
  (await readdir(`/proc/${pid}/task`)).map((thread) => getPriority(Number(thread)))

const helpersOf = async (pid: number) =>
  (await findByEnvironment('TRIVIUM_SERVER')).filter(({ value }) => value === `${pid}`)

/** The local addresses of the UDP sockets of a process, from `/proc/net/udp`. */
async function udpAddresses(pid: number): Promise<readonly string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const open = await Promise.all(descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`)))
  const lines = (await readFile('/proc/net/udp', 'utf8')).trim().split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, local = '', , , , , , , , inode = ''] = line.trim().split(/\s+/)
    const bytes = Buffer.from(local.split(':')[0] ?? '', 'hex')
    return open.includes(`socket:[${inode}]`) ? [bytes.reverse().join('.')] : []
  })
}

/** The output of the monitor for these lines. */
async function runMonitor(port: number, ...lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let shown = ''
  socket.on('data', (bytes) => {
    shown += bytes.toString('latin1')
  })
  socket.write(`${lines.join('\r\n')}\r\ninfo status\r\n`)
  while (!shown.includes('VM status')) await once(socket, 'data')
  socket.destroy()
  return shown
}

describeWith(['qemu-system-x86_64', 'qemu-img'], 'machines as QEMU processes', () => {
  it('run, with a console, a monitor and a priority, and stop', async () => {
    const instance = await machine({ priority: 'very low' })
    const { running, network, recorder, terminal } = await start(instance)
    await terminal.waitFor('SeaBIOS')
    const [process] = running.processes
    if (process === undefined) throw new Error('There is no process')
    expect(recorder.last()).toEqual([process])
    for (const priority of await threadPriorities(process.pid)) expect(priority).toBe(19)

    const monitor = connect(instance.settings.monitor, '127.0.0.1')
    let shown = ''
    monitor.on('data', (bytes) => {
      shown += bytes.toString('latin1')
    })
    monitor.write('info network\r\ninfo status\r\nmigrate exec:id\r\n')
    await expect.poll(() => shown).toContain('does not allow this command: migrate')
    expect(shown).toContain(`nic0: index=0,type=socket`)
    expect(shown).toContain('VM status: running')

    await running.suspend?.()
    monitor.write('info status\r\n')
    await expect.poll(() => shown).toContain('VM status: paused')
    await running.resume?.()
    await running.suspend?.()
    await running.reload?.()
    await terminal.waitFor('SeaBIOS')
    await running.update?.({ name: 'other', settings: { ...instance.settings, priority: 'very low' } })

    await running.stop()
    expect(await running.exited).toMatchObject({
      exitCode: 0,
      log: expect.stringContaining('terminating on signal 15'),
    })
    expect(await isAlive(process)).toBe(false)
    expect(running.processes).toEqual([])
    expect(network.plugs()).toBe(0)
    expect(await readdir(instance.directory)).toEqual(expect.arrayContaining(['flash.qcow2', 'qemu.log']))
    await running.stop()
  })

  it('run under seccomp, with a display, and without drives that are not in their settings', async () => {
    const instance = await machine()
    const { running, terminal } = await start(instance)
    await terminal.waitFor('SeaBIOS')
    const status = await readFile(`/proc/${running.processes[0]?.pid}/status`, 'utf8')
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
    const shown = await runMonitor(instance.settings.monitor, 'info pci', 'info block')
    expect(shown).toContain('VGA controller')
    expect(shown).toContain('flash.qcow2')
    expect(shown).not.toMatch(/cd0|floppy|sd0/)
  })

  it('receive frames on a random loopback address, which differs between machines', async () => {
    const machines = [await start(await machine({ adapters: 2 })), await start(await machine())]
    const [[one, two] = [], [three] = []] = await Promise.all(
      machines.map(({ running }) => udpAddresses(running.processes[0]?.pid ?? 0)),
    )
    expect(one).toMatch(/^127\.(?!0\.0\.)/)
    expect(two).toBe(one)
    expect(three).toMatch(/^127\.(?!0\.0\.)/)
    expect(three).not.toBe(one)
  })

  it('report the accelerator, unless their options set it', async () => {
    const chosen = await start(await machine())
    expect(chosen.running.accelerator).toBe('tcg')
    const { running } = await start(await machine({ options: '-accel tcg' }))
    expect(running.accelerator).toBeUndefined()
  })

  it('report the CPU time and memory that they use until they end', async () => {
    const { running, terminal } = await start(await machine())
    await terminal.waitFor('SeaBIOS')
    const used = await running.resources?.()
    expect(used?.memoryBytes).toBeGreaterThan(2 ** 20)
    expect(used?.cpuSeconds).toBeGreaterThan(0)
    expect(used?.cpuSeconds).toBeLessThan(60)
    await running.stop()
    expect(await running.resources?.()).toBeUndefined()
  })

  it('report capabilities without waiting for the test of acceleration, which ends with the emulator', async () => {
    const directory = await scratchDirectory()
    const emulator = qemuEmulator({ imageDirectories: [directory] })
    const untested = await emulator.capabilities?.()
    expect(untested).toEqual({ acceleratedArchitectures: [] })
    await emulator.close?.()
    await expect.poll(() => helpersOf(process.pid)).toEqual([])
  })

  it('start without seccomp, but without new privileges, when the program has no sandbox', async () => {
    const instance = await machine()
    const program = join(instance.directory, 'qemu-system-x86_64')
    const script = '#!/bin/sh\nfor word; do [ "$word" = -sandbox ] && exit 1; done\nexec qemu-system-x86_64 "$@"\n'
    await writeFile(program, script, { mode: 0o755 })
    const emulator = qemuEmulator({ imageDirectories: [], programs: [program], acceleration: 'tcg' })
    const network = createBenchNetwork()
    const settings = { ...instance.settings, program, adapters: 0 }
    const running = await emulator.start({ ...instance, settings }, network.wiring('one', []), createRecorder())
    onTestFinished(() => running.stop())
    await createTerminal(running.console).waitFor('SeaBIOS')
    const status = await readFile(`/proc/${running.processes[0]?.pid}/status`, 'utf8')
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t0$/m)
  })

  it('start with 32 adapters and with none', async () => {
    const many = await start(await machine({ adapters: 32, adapterType: 'virtio-net-pci' }))
    expect(many.network.plugs()).toBe(32)
    const none = await start(await machine({ adapters: 0 }))
    await none.terminal.waitFor('SeaBIOS')
  })

  it('start with the legacy syntax', async () => {
    const { terminal } = await start(await machine({ legacyNetworking: true }))
    await terminal.waitFor('SeaBIOS')
  })

  it('report their end when they are killed', async () => {
    const { running, network } = await start(await machine())
    process.kill(running.processes[0]?.pid ?? 0, 'SIGKILL')
    expect(await running.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(network.plugs()).toBe(0)
    await running.stop()
  })

  it('accept changes of cables when they have ended, hang, or do not have the adapter yet', async () => {
    const { running } = await start(await machine({ adapters: 1 }))
    const [process] = running.processes
    if (process === undefined) throw new Error('There is no process')
    const pull = (adapter: number) => running.nicChanged?.({ adapter, port: 0 }, { connected: false, linkUp: false })
    await pull(0)
    await pull(1)
    kill(process.pid, 'SIGSTOP')
    const pulled = pull(0)
    kill(process.pid, 'SIGKILL')
    await pulled
    await pull(0)
    await running.exited
    await pull(0)
  })

  it('move their monitor to the port of the latest update', async () => {
    const instance = await machine({ adapters: 0 })
    const { running } = await start(instance)
    const [first, second] = [instance.settings.monitor, await freeTcpPort()]
    const move = (monitor: number, changes: Partial<MachineSettings> = {}) =>
      running.update?.({ name: 'one', settings: { ...instance.settings, ...changes, monitor } })
    const answers = (port: number) =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('error', () => resolve(false))
        socket.once('data', () => {
          socket.destroy()
          resolve(true)
        })
      })
    await move(second)
    expect([await answers(first), await answers(second)]).toEqual([false, true])

    const taken = createServer().listen(first, '127.0.0.1')
    await once(taken, 'listening')
    await expect(move(first)).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await answers(second)).toBe(true)
    taken.close()
    await once(taken, 'close')

    await move(first)
    expect([await answers(first), await answers(second)]).toEqual([true, false])
    await running.stop()
    expect(await answers(first)).toBe(false)
  })

  it('reject a start that ends immediately with the end of their log, and leave no process', async () => {
    const network = createBenchNetwork()
    const recorder = createRecorder()
    const logged: number[] = []
    for (const [options, words] of [
      ['-cpu nonsense', "unable to find CPU model 'nonsense'"],
      ['-machine nonsense', 'unsupported machine type'],
    ] as const) {
      const instance = await machine({ options })
      const started = emulatorFor(instance.directory).start(instance, network.wiring('one'), {
        ...recorder,
        logged: (bytes) => logged.push(bytes),
      })
      await expect(started).rejects.toMatchObject({ reason: 'failed', message: expect.stringContaining(words) })
      for (const process of recorder.last()) expect(await isAlive(process)).toBe(false)
      const { size } = await stat(join(instance.directory, 'qemu.log'))
      expect(logged.splice(0).reduce((sum, bytes) => sum + bytes, 0)).toBe(size)
    }
    expect(network.plugs()).toBe(0)
  })

  it('reject a start when their monitor port is in use', async () => {
    const first = await machine()
    await start(first)
    const second = await machine({ monitor: first.settings.monitor })
    await expect(start(second)).rejects.toMatchObject({ reason: 'unavailable' })
  })

  it('reject a start and end when they cannot be recorded', async () => {
    const instance = await machine()
    const network = createBenchNetwork()
    let pid = 0
    const started = emulatorFor(instance.directory).start(instance, network.wiring('one'), {
      recorded: async ([process]) => {
        pid = process?.pid ?? 0
        throw new Error('The store is down')
      },
    })
    await expect(started).rejects.toThrow('The store is down')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(network.plugs()).toBe(0)
  })

  it('list their programs, each once', async () => {
    const programs = (await emulatorFor('/nowhere').programs?.()) ?? []
    expect(programs).toContainEqual({
      path: '/usr/bin/qemu-system-x86_64',
      version: expect.stringMatching(/^\d+\.\d+/),
    })
    expect(new Set(programs.map(({ path }) => path)).size).toBe(programs.length)
  })
})

describeWith(['qemu-system-x86_64', 'qemu-img', 'cpulimit'], 'throttling a machine', () => {
  it('uses a helper process that starts, changes and ends with the limit', async () => {
    const instance = await machine({ cpuThrottlingPercent: 30 })
    const { running, recorder } = await start(instance)
    expect(running.processes.map(({ program }) => program)).toEqual([
      '/usr/bin/qemu-system-x86_64',
      '/usr/bin/cpulimit',
    ])
    expect(recorder.last()).toEqual(running.processes)
    const [, first] = running.processes
    await running.update?.({ name: 'one', settings: { ...instance.settings, cpuThrottlingPercent: 60 } })
    const [, second] = running.processes
    expect(second?.pid).not.toBe(first?.pid)
    await running.update?.({ name: 'one', settings: instance.settings })
    await running.update?.({ name: 'one', settings: { ...instance.settings, cpuThrottlingPercent: 0 } })
    expect(running.processes).toHaveLength(1)
    await running.update?.({ name: 'one', settings: instance.settings })
    const processes = running.processes
    await running.stop()
    for (const process of processes) expect(await isAlive(process)).toBe(false)
  })
})

describe('the check of the settings of a machine', () => {
  it.each([
    [{ program: '/bin/sh' }, 'not-allowed'],
    [{ program: '../../bin/qemu-system-x86_64' }, 'not-allowed'],
    [{ options: '-drive file=/etc/passwd,format=raw' }, 'not-allowed'],
    [{ options: '-monitor telnet:0.0.0.0:1,server' }, 'not-allowed'],
    [{ options: "-name 'open" }, 'not-allowed'],
    [{ adapterType: 'vfio-pci,host=1' }, 'not-allowed'],
    [{ primaryDisk: '/etc/passwd' }, 'not-allowed'],
    [{ secondaryDisk: '../../etc/passwd' }, 'not-allowed'],
    [{ kernelImage: '/etc/passwd' }, 'not-allowed'],
    [{ initialRamDisk: '/etc/passwd' }, 'not-allowed'],
    [{ primaryDisk: '.' }, 'not-allowed'],
  ])('refuses %j as %s, even without QEMU', async (changes, reason) => {
    const instance = await machine(changes)
    const emulator = qemuEmulator({ imageDirectories: [instance.directory], programDirectories: ['/nowhere'] })
    await expect(emulator.check?.(instance.settings)).rejects.toMatchObject({ reason })
    const started = emulator.start(instance, createBenchNetwork().wiring('one'), createRecorder())
    await expect(started).rejects.toMatchObject({ reason })
  })

  it('returns paths as they were named', async () => {
    const directory = await scratchDirectory()
    await writeFile(join(directory, 'disk'), '')
    const settings = { ...machineSettings, primaryDisk: 'disk', kernelImage: './disk' }
    expect(await emulatorFor(directory).check?.(settings)).toEqual(settings)
  })

  it.each([
    { primaryDisk: 'later.qcow2' },
    { secondaryDisk: 'later.qcow2' },
    { kernelImage: 'later/vmlinuz' },
    { initialRamDisk: './later' },
  ])('accepts %j, which does not exist, and a start refuses it', async (changes) => {
    const instance = await machine(changes)
    const emulator = qemuEmulator({ imageDirectories: [instance.directory], programDirectories: ['/nowhere'] })
    expect(await emulator.check?.(instance.settings)).toMatchObject(changes)
    const started = emulator.start(instance, createBenchNetwork().wiring('one'), createRecorder())
    await expect(started).rejects.toMatchObject({
      reason: 'unusable-image',
      message: expect.stringMatching(/'.*later.*' is not accessible\.$/),
    })
  })

  it('works without a program, which only a start and capabilities require', async () => {
    const instance = await machine()
    const options = { imageDirectories: [instance.directory], programDirectories: [instance.directory] }
    const emulator = qemuEmulator(options)
    await emulator.check?.(instance.settings)
    expect(await emulator.programs?.()).toEqual([])
    await emulator.endOrphans?.([])
    const missing = { reason: 'missing-program', debianPackage: 'qemu-system-x86' }
    const start = (emulator: ReturnType<typeof qemuEmulator>) =>
      emulator.start(instance, createBenchNetwork().wiring('one'), createRecorder())
    await expect(start(emulator)).rejects.toMatchObject(missing)
    await expect(emulator.capabilities?.()).rejects.toMatchObject(missing)
  })
})

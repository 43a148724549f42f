import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { emulatorConformance } from '@trivium/emulation-core/conformance'
import { type ContainerSettings, containerDefaults, type EmulatedInstance } from '@trivium/emulation-core/ports'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { containerCapabilities } from '../src/containers/container-body.ts'
import { containerEmulator } from '../src/containers/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { enginePrograms, openTestEngine, type TestEngine } from './container-engine.ts'
import { createRecorder, instanceOf, newProjectId } from './instances.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

const IMAGE = 'localhost/labs/busybox:1'

const settings: ContainerSettings = {
  ...containerDefaults,
  image: IMAGE,
  console: 2000,
  memoryMegabytes: 32,
  startCommand: 'sleep 100000',
}

const container = async (changes: Partial<ContainerSettings> = {}, name = 'one') =>
  instanceOf('container', await scratchDirectory(), { ...settings, ...changes }, { name })

const nicsOf = ({ settings: { adapters } }: EmulatedInstance<'container'>) =>
  Array.from({ length: adapters }, (_, adapter) => ({ adapter, port: 0 }))

describeWith(enginePrograms, 'containerEmulator with Podman', () => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await openTestEngine()
    await engine.importBusybox(IMAGE)
  }, 60_000)
  afterAll(() => engine?.close(), 60_000)

  const emulator = () => containerEmulator({ socketPath: engine.socketPath, images: ['localhost/labs/*'] })

  async function start(instance: EmulatedInstance<'container'>, network = createBenchNetwork(), name = 'one') {
    const recorder = createRecorder()
    const running = await emulator().start(instance, network.wiring(name, nicsOf(instance)), recorder)
    onTestFinished(() => running.stop())
    return { running, network, recorder, terminal: running.console && createTerminal(running.console) }
  }

  async function startWithConsole(...parameters: Parameters<typeof start>) {
    const started = await start(...parameters)
    if (started.terminal === undefined) throw new Error('There is no console')
    await started.terminal.waitFor('#')
    return { ...started, terminal: started.terminal }
  }

  const nameOf = ({ id }: { readonly id: string }) => `trivium-${id}`

  emulatorConformance<'container'>(async () => {
    const instance = await container()
    return { emulator: emulator(), instance, wiring: createBenchNetwork().wiring('one', nicsOf(instance)) }
  })

  it('carries frames between two containers, over adapters that are in no network of the host', async () => {
    const network = createBenchNetwork()
    network.cable('left', 'right')
    const left = await container({}, 'Left 1')
    const { terminal } = await startWithConsole(left, network, 'left')
    const other = await startWithConsole(await container(), network, 'right')
    for (const [shell, address] of [
      [terminal, '10.0.0.1/24'],
      [other.terminal, '10.0.0.2/24'],
    ] as const) {
      shell.type(`ip addr add ${address} dev eth0; echo re""ady`)
      await shell.waitFor('ready')
    }
    terminal.type('ping -c 2 -w 20 10.0.0.2; echo do""ne')
    expect(await terminal.waitFor('done')).toMatch(/64 bytes from 10\.0\.0\.2/)
    // The checksums of TCP are complete.
    other.terminal.type('echo over-tcp | nc -l -p 99')
    terminal.type('until nc -w 5 10.0.0.1 99 </dev/null; do sleep 1; break; done; nc -w 5 10.0.0.2 99 </dev/null')
    await terminal.waitFor('over-tcp')
    terminal.type('cat /sys/class/net/eth0/address; cat /proc/sys/net/ipv4/ip_forward; echo host:$(cat /etc/hostname)')
    const mac = /02(:[0-9a-f]{2}){4}:00/.exec(await terminal.waitFor(/host:[\w-]+/))?.[0]
    expect(mac).toBeDefined()
    expect(await engine.inspect(nameOf(left))).toMatchObject({ Config: { Hostname: 'Left-1' } })
    // No device of the lab is in the network of the host.
    const devices = () => readdirSync('/sys/class/net').filter((name) => name.startsWith('tvc'))
    await expect.poll(devices, { timeout: 20_000 }).toEqual([])
  }, 120_000)

  it('gives a container the privileges of its own network only, no other network and no files of the host', async () => {
    const { terminal } = await startWithConsole(await container({ adapters: 2 }))
    terminal.type('grep -E "Cap(Prm|Eff|Bnd)|NoNewPrivs|Seccomp:" /proc/self/status; echo do""ne')
    const status = await terminal.waitFor('done')
    // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, NET_BIND_SERVICE, NET_ADMIN, NET_RAW.
    const bits = [0, 1, 3, 4, 5, 6, 7, 10, 12, 13]
    expect(bits).toHaveLength(containerCapabilities.length)
    const mask = bits.reduce((sum, bit) => sum + 2 ** bit, 0)
    for (const set of ['CapPrm', 'CapEff', 'CapBnd'])
      expect(status).toMatch(new RegExp(`${set}:\\s+${mask.toString(16).padStart(16, '0')}`))
    expect(status).toMatch(/NoNewPrivs:\s+1/)
    expect(status).toMatch(/Seccomp:\s+2/)
    terminal.type('ls /sys/class/net; mount -t tmpfs x /tmp; echo 1 > /proc/sys/kernel/panic; echo en""ded')
    const shown = await terminal.waitFor('ended')
    expect(shown).toMatch(/eth0\s+eth1\s+lo\s/)
    expect(shown).toMatch(/mount: permission denied|mount:.*Operation not permitted/)
    expect(shown).toMatch(/panic: Read-only file system/)
    terminal.type('ip route; ping -c 1 -w 2 198.51.100.1; echo al""l')
    expect(await terminal.waitFor('all')).toMatch(/Network (is )?unreachable/)
  }, 60_000)

  it('sets the limits and the environment of the settings', async () => {
    const instance = await container({
      cpus: 0.25,
      environment: ['GREETING=a "b" $c', 'EMPTY='],
      consoleType: 'none',
    })
    const { running } = await start(instance)
    expect(running.console).toBeUndefined()
    expect(await engine.inspect(nameOf(instance))).toMatchObject({
      HostConfig: {
        Memory: 32 * 2 ** 20,
        MemorySwap: 32 * 2 ** 20,
        CpuPeriod: 100_000,
        CpuQuota: 25_000,
        PidsLimit: 512,
        Privileged: false,
        NetworkMode: 'none',
        Binds: [],
        SecurityOpt: expect.arrayContaining([expect.stringMatching(/^no-new-privileges/)]),
      },
      Config: { Env: expect.arrayContaining(['GREETING=a "b" $c', 'EMPTY=']) },
    })
  }, 60_000)

  it('keeps volumes and no other files over a restart, and writes the startup configuration', async () => {
    const instance = await container({
      volumes: ['/data', '/var/lib/state'],
      startupConfigPath: '/etc/router.conf',
    })
    writeFileSync(join(instance.directory, 'startup-config'), 'hostname one\n')
    const { running, terminal } = await startWithConsole(instance)
    terminal.type('echo kept > /data/file; echo x > /var/lib/state/other; echo y > /tmp/lost; cat /etc/router.conf')
    await terminal.waitFor('hostname one')
    terminal.type('echo do""ne')
    await terminal.waitFor('done')
    await running.stop()
    expect(readFileSync(join(instance.directory, 'volumes/data/file'), 'utf8')).toBe('kept\n')
    expect(readFileSync(join(instance.directory, 'volumes/var%lib%state/other'), 'utf8')).toBe('x\n')
    const again = await startWithConsole(instance)
    again.terminal.type('cat /data/file; ls /tmp/lost; echo do""ne')
    const shown = await again.terminal.waitFor('done')
    expect(shown).toMatch(/kept\r\n/)
    expect(shown).toContain('No such file')
  }, 60_000)

  it('suspends and resumes a container, measures it, and stops it while it is suspended', async () => {
    const instance = await container()
    const { running, recorder } = await startWithConsole(instance)
    const state = async () => await engine.inspect(nameOf(instance))
    expect(recorder.last()).toEqual([{ pid: expect.any(Number), startedAt: expect.any(String), program: IMAGE }])
    await running.suspend?.()
    expect(await state()).toMatchObject({ State: { Status: 'paused' } })
    await running.resume?.()
    expect(await state()).toMatchObject({ State: { Status: 'running' } })
    const used = await running.resources?.()
    expect(used?.memoryBytes).toBeGreaterThan(10_000)
    await running.suspend?.()
    await running.stop()
    expect(await engine.containers()).not.toContain(nameOf(instance))
    expect(running.processes).toEqual([])
  }, 60_000)

  it('reports how a container has ended by itself, and removes it', async () => {
    const startCommand = `/bin/sh -c 'until test -e /data/end; do sleep 0.1; done; echo the last words; exit 7'`
    const instance = await container({ volumes: ['/data'], startCommand })
    const { running } = await startWithConsole(instance)
    writeFileSync(join(instance.directory, 'volumes/data/end'), '')
    expect(await running.exited).toMatchObject({ exitCode: 7, log: expect.stringContaining('the last words') })
    expect(await engine.containers()).not.toContain(nameOf(instance))
    expect(await running.resources?.()).toBeUndefined()
    await running.stop()
  }, 60_000)

  it('ends a container at its memory limit', async () => {
    const startCommand = `/bin/sh -c 'until test -e /data/end; do sleep 0.1; done; x=y; while true; do x=$x$x; done'`
    const instance = await container({ volumes: ['/data'], memoryMegabytes: 8, startCommand })
    const { running } = await startWithConsole(instance)
    writeFileSync(join(instance.directory, 'volumes/data/end'), '')
    expect(await running.exited).toMatchObject({ exitCode: 137 })
  }, 60_000)

  it('starts the program of a console again at Enter, with the size of the viewer', async () => {
    const { running, terminal } = await startWithConsole(await container())
    running.console?.resize?.(101, 33)
    terminal.type('exit')
    await terminal.waitFor('Press Enter to start it again.')
    terminal.type('')
    terminal.type('echo typed $((20 + 22)) early')
    await terminal.waitFor('typed 42 early')
    await terminal.waitFor('#')
    // The engine takes the size when the program runs, which is after its first output in some runs.
    terminal.type("until stty size | grep '33 101'; do sleep 0.1; done")
    await terminal.waitFor('\n33 101')
  }, 60_000)

  it('shows why a console program cannot be started', async () => {
    const { terminal } = await start(await container({ consoleCommand: 'no-such-program "an argument"' }))
    await terminal?.waitFor(/no-such-program.*\n?.*Press Enter/s)
  }, 60_000)

  it('ends a container with the carrier of an adapter', async () => {
    const { running } = await startWithConsole(await container())
    const carrier = readdirSync('/proc').find((pid) => {
      if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/cmdline`)) return false
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tun-name=tvc') &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TRIVIUM_SERVER=${process.pid}\0`)
        )
      } catch {
        return false
      }
    })
    process.kill(Number(carrier), 'SIGKILL')
    expect(await running.exited).toMatchObject({ log: 'The carrier of eth0 has ended.' })
  }, 60_000)

  it('removes containers that a crash has left, and no others', async () => {
    const [instance, other] = [await container(), await container()]
    const [left] = [await start(instance), await start(other)]
    await emulator().endOrphans?.([{ ...instance, projectId: newProjectId(), processes: [] }])
    const names = await engine.containers()
    expect(names).not.toContain(nameOf(instance))
    expect(names).toContain(nameOf(other))
    await left.running.exited
  }, 60_000)

  it('adds the adapters after the start with an engine that cannot prepare a container, as Docker', async () => {
    const socketPath = join(await scratchDirectory(), 'engine.sock')
    const answers: string[] = []
    // One request comes on each connection.
    const proxy = createSocketServer((client) => {
      client.on('error', () => {})
      client.once('data', (first) => {
        if (first.toString('latin1').startsWith('POST /v4.0.0/libpod/')) {
          answers.push('404')
          client.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
          return
        }
        const upstream = connect(engine.socketPath)
        upstream.on('error', () => client.destroy())
        client.on('close', () => upstream.destroy())
        upstream.write(first)
        client.pipe(upstream)
        upstream.pipe(client)
      })
    }).listen(socketPath)
    onTestFinished(() => void proxy.close())
    const instance = await container({ adapters: 2 })
    const network = createBenchNetwork()
    const docker = containerEmulator({ socketPath, images: [IMAGE] })
    const running = await docker.start(instance, network.wiring('one', nicsOf(instance)), createRecorder())
    onTestFinished(() => running.stop())
    expect(answers).toEqual(['404'])
    const terminal = createTerminal(running.console)
    await terminal.waitFor('#')
    terminal.type('ls /sys/class/net')
    expect(await terminal.waitFor(/eth1\s+lo/)).toContain('eth0')
    await running.stop()
    expect(network.plugs()).toBe(0)
  }, 60_000)

  it('replaces a container of an earlier start', async () => {
    const instance = await container()
    const first = await start(instance)
    await start(instance)
    await first.running.exited
    expect((await engine.containers()).filter((name) => name === nameOf(instance))).toHaveLength(1)
  }, 60_000)

  it.each([
    [{ image: 'docker.io/library/alpine' }, 'not-allowed', /image 'docker.io\/library\/alpine' is not one/],
    [
      { image: 'localhost/labs/absent' },
      'unusable-image',
      /has no image 'localhost\/labs\/absent'. Images are not pulled/,
    ],
    [{ startCommand: 'no-such-program' }, 'failed', /no-such-program/],
    [{ startCommand: "/bin/sh -c 'echo broken; exit 3'" }, 'failed', /ended immediately with code 3: broken/],
    [{ startCommand: "echo 'x" }, 'unsupported', /'start_command' cannot be read: it has a quote that is not closed/],
  ])(
    'refuses a start with %j, and leaves nothing',
    async (changes, reason, message) => {
      const instance = await container(changes)
      const network = createBenchNetwork()
      const started = emulator().start(instance, network.wiring('one', nicsOf(instance)), createRecorder())
      await expect(started).rejects.toMatchObject({ reason, message: expect.stringMatching(message) })
      expect(await engine.containers()).not.toContain(nameOf(instance))
      expect(network.plugs()).toBe(0)
    },
    60_000,
  )
})

describe('containerEmulator', () => {
  const startAt = async (socketPath: string, more: object = {}) => {
    const instance = await container()
    const emulator = containerEmulator({ socketPath, images: ['*'], ...more })
    return emulator.start(instance, createBenchNetwork().wiring('one'), createRecorder())
  }

  it('refuses a start where no engine answers', async () => {
    const socketPath = join(await scratchDirectory(), 'absent.sock')
    await expect(startAt(socketPath)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringMatching(/^The container engine does not answer at .*absent\.sock: .*ENOENT/),
    })
    const orphan = await container()
    await containerEmulator({ socketPath, images: [] }).endOrphans?.([{ ...orphan, processes: [] }])
  })

  it('passes on the reason of an engine that refuses', async () => {
    const socketPath = join(await scratchDirectory(), 'engine.sock')
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(500).end(JSON.stringify({ message: 'the disk is full' }))
    }).listen(socketPath)
    onTestFinished(() => void server.close())
    await expect(startAt(socketPath)).rejects.toMatchObject({
      reason: 'failed',
      message: 'The container engine cannot look up the image: the disk is full',
    })
  })

  it('never adds an adapter to a process that is not of the container', async () => {
    const socketPath = join(await scratchDirectory(), 'engine.sock')
    const asked: string[] = []
    const server = createServer((request, response) => {
      request.resume()
      asked.push(`${request.method} ${request.url?.split('?')[0]}`)
      response.end(JSON.stringify({ Id: 'f'.repeat(64), State: { Running: true, Pid: process.pid } }))
    }).listen(socketPath)
    onTestFinished(() => void server.close())
    await expect(startAt(socketPath)).rejects.toMatchObject({
      reason: 'unsupported',
      message: expect.stringMatching(/^The container engine numbers processes otherwise than the server\./),
    })
    expect(asked).not.toContain(`POST /containers/${'f'.repeat(64)}/start`)
    expect(asked.at(-1)).toBe(`DELETE /containers/${'f'.repeat(64)}`)
  })

  it('names the Debian packages of absent tools', async () => {
    const directory = await scratchDirectory()
    const options = { programDirectories: [directory] }
    await expect(startAt('/none', options)).rejects.toMatchObject({ debianPackage: 'socat' })
    mkdirSync(join(directory, 'bin'))
    writeFileSync(join(directory, 'socat'), '', { mode: 0o755 })
    await expect(startAt('/none', options)).rejects.toMatchObject({ debianPackage: 'iproute2' })
  })

  it('allows no image unless the host does', async () => {
    const check = (images: readonly string[], image: string) =>
      containerEmulator({ socketPath: '/none', images }).check?.({ ...settings, image })
    await expect(check([], 'frr')).rejects.toMatchObject({ reason: 'not-allowed' })
    await expect(check(['frr'], 'frr')).resolves.toMatchObject({ image: 'frr' })
    await expect(check(['frr'], 'frr:10')).rejects.toMatchObject({ reason: 'not-allowed' })
  })
})

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { guestKernel } from '../../../../packages/process-emulators/tests/guest-kernel.ts'
import { initialRamDisk } from '../../../../packages/process-emulators/tests/initial-ram-disk.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { asRecord, createLab, type Instance, type Lab, nodePlug, openTerminal, switchPlug, vmPlug } from './lab.ts'
import { createOutsideNetwork, type OutsideNetwork, requireNamespaces } from './outside-network.ts'

const installed =
  (await requireProgram('vpcs', 'vpcs')) &&
  (await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')) &&
  (await requireProgram('busybox', 'busybox-static')) &&
  requireNamespaces()

/** An ICMP error has a text after the time. */
const answered = /icmp_seq=1 ttl=\d+ time=[\d.]+ ms\r?\n/

const createNat = async (lab: Lab, name: string): Promise<string> =>
  String(asRecord(await lab.call('POST', `${lab.path}/nat/nodes`, { name })).node_id)

describe.skipIf(!installed)('a NAT node', () => {
  let outside: OutsideNetwork
  let images: string
  beforeAll(async () => {
    outside = await createOutsideNetwork()
    images = mkdtempSync(join(tmpdir(), 'trivium-images-'))
    const { kernel, modules } = await guestKernel()
    writeFileSync(join(images, 'kernel'), readFileSync(kernel))
    writeFileSync(join(images, 'initrd'), initialRamDisk({ busybox: readFileSync('/usr/bin/busybox'), modules }))
  }, 120_000)
  afterAll(() => outside?.close())

  const serve = (environment: Readonly<Record<string, string>>) =>
    startServer({ environment: { TRIVIUM_IMAGES_DIR: images, ...environment } })

  // With the internet, the program also has IPv6.
  describe.each([
    ['embedded', ',internet'],
    ['vpcs', ''],
  ])('in a lab of %s virtual PCs', (emulator, more) => {
    let server: ServerProcess
    let lab: Lab
    let pc: Instance
    let nat: string
    beforeAll(async () => {
      server = await serve({ TRIVIUM_EMU3: emulator, TRIVIUM_LAB_REACH: `${outside.openNetwork}${more}` })
      lab = await createLab(server)
      nat = await createNat(lab, 'NAT')
      pc = await lab.create('emu3', { name: 'PC1', startup_script: 'set pcname PC1\n' })
      await lab.cable(vmPlug('emu3', pc.vm_id), nodePlug('nat', nat))
      await lab.call('POST', `${lab.path}/nat/nodes/${nat}/start`)
      await lab.start('emu3', pc.vm_id)
    }, 180_000)
    afterAll(() => server?.[Symbol.asyncDispose]())

    it('leases an address, carries pings to what is allowed, and refuses the rest', async () => {
      const console = await openTerminal(pc.console)
      expect(await console.run('ip dhcp', /GW 192\.168\.122\.1/, 60_000)).toContain('IP 192.168.122.')
      const ping = (address: string) =>
        console.run(`ping ${address} -c 1 -w 2000`, /icmp_seq=1 [^\n]*\n|not reachable[^\n]*\n/, 20_000)
      expect(await ping(outside.open)).toMatch(answered)
      expect(await ping('192.168.122.1')).toMatch(answered)
      for (const closed of [outside.closed, outside.host, '169.254.169.254', '192.168.122.77'])
        expect(await ping(closed)).not.toMatch(answered)
      expect(await ping(outside.closed)).toMatch(/type:3, code:13/)
      console.close()
    }, 120_000)

    it('shows its state, link and captured frames, and its process ends with it', async () => {
      const one = `${lab.path}/nat/nodes/${nat}`
      expect(await lab.call('GET', `${one}/status`)).toEqual({ status: 'started' })
      const { memory_bytes } = asRecord(await lab.call('GET', `${one}/resources`))
      expect(memory_bytes).toBeGreaterThan(2 ** 20)
      const links = await lab.call('GET', `${lab.path}/links`)
      expect(links).toMatchObject([
        { ends: expect.arrayContaining([expect.objectContaining({ kind: 'nat', name: 'NAT' })]) },
      ])
      const { counters } = asRecord(await lab.call('GET', `${one}/adapters/0/ports/0/nio`))
      expect(counters).toMatchObject({ incoming: { frames: expect.any(Number) } })
      await lab.call('POST', `${one}/adapters/0/ports/0/start_capture`, { capture_file_name: 'nat.pcap' })
      await lab.call('POST', `${one}/adapters/0/ports/0/stop_capture`)
      await lab.call('POST', `${one}/stop`)
      expect(await lab.call('GET', `${one}/status`)).toEqual({ status: 'stopped' })
      await lab.call('POST', `${one}/start`)
    }, 180_000)
  })

  it('lets a QEMU guest fetch a page from what is allowed, and nothing from this machine or elsewhere', async () => {
    const secret = createServer((_request, response) => response.end('a secret of the host\n'))
    onTestFinished(() => void secret.close())
    await new Promise<void>((resolve) => secret.listen(0, '0.0.0.0', resolve))
    const address = secret.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await using server = await serve({ TRIVIUM_LAB_REACH: outside.openNetwork })
    const lab = await createLab(server)
    const bridge = await lab.createSwitch('bridge')
    const nat = await createNat(lab, 'NAT')
    const guest = await lab.create('emu1', {
      name: 'guest',
      emu1_path: 'qemu-system-x86_64',
      ram: 128,
      adapter_type: 'virtio-net-pci',
      kernel_image: 'kernel',
      initrd: 'initrd',
      kernel_command_line: 'console=ttyS0 quiet guest_address=192.168.122.50/24',
      options: '-nodefaults',
    })
    await lab.cable(vmPlug('emu1', guest.vm_id), switchPlug(bridge, 1, 'access', 1))
    await lab.cable(nodePlug('nat', nat), switchPlug(bridge, 2, 'access', 1))
    await lab.call('POST', `${lab.path}/nat/nodes/${nat}/start`)
    await lab.start('emu1', guest.vm_id)
    const shell = await openTerminal(guest.console)
    await shell.until(/guest-ready/, 90_000)
    await shell.run('ip route add default via 192.168.122.1; echo "routed"', /\nrouted/)
    // The statically linked wget of Debian's busybox needs files of the C library that the guest does not have.
    const fetchPage = (host: string, at = 80) =>
      shell.run(`printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 3 ${host} ${at}; echo "ended"`, /\nended\r?\n/, 60_000)

    expect(await fetchPage(outside.open)).toContain(`page of ${outside.open}`)
    for (const [host, at] of [
      [outside.closed, 80],
      [outside.host, port],
      ['192.168.122.1', port],
      ['192.168.122.2', port],
      ['192.168.122.77', port],
      ['169.254.169.254', 80],
    ] as const)
      expect(await fetchPage(host, at)).not.toMatch(/HTTP\/1\.1|page of|secret/)
    // A frame to the loopback address itself, which the guest sends once it has no loopback device of its own.
    await shell.run(
      'ip link set lo down; ip route add 127.0.0.0/8 via 192.168.122.1; echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet; echo "ready"',
      /\nready/,
    )
    expect(await fetchPage('127.0.0.1', port)).not.toMatch(/HTTP\/1\.1|secret of the host/)
    expect(await fetchPage(outside.open)).toContain('page of')
    shell.close()
  }, 300_000)
})

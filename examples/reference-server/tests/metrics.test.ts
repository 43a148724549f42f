import { once } from 'node:events'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asRecord, createLab, type Instance, type Lab, openTerminal, vmPlug } from './emulation/lab.ts'
import { requireProgram } from './require-program.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { storageClient } from './storage/storage-client.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

const DAY_MS = 24 * 60 * 60 * 1000

/** Sends a request that a web page can make a browser send to any port. */
async function visit(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'close')
}

describe('/metrics', () => {
  const auditDirectory = mkdtempSync(join(tmpdir(), 'trivium-audit-'))
  let server: ServerProcess
  let lab: Lab

  beforeAll(async () => {
    server = await startServer({
      environment: {
        TRIVIUM_AUDIT_LOG: join(auditDirectory, 'audit.log'),
        TRIVIUM_CAPTURE_BYTES: '1024',
        TRIVIUM_CAPTURE_DAYS: '1',
      },
    })
    lab = await createLab(server)
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(auditDirectory, { recursive: true, force: true })
  })

  /** Returns the value of one metric with its labels; `undefined` where it is absent. */
  const measured = async (line: string): Promise<number | undefined> => {
    const text = await (await server.ask('/metrics')).text()
    const found = text.split('\n').find((one) => one.startsWith(`${line} `))
    return found === undefined ? undefined : Number(found.slice(line.length + 1))
  }

  it('exports captures from their start to their removal, and the limit that ended one', async () => {
    const pcs: Instance[] = []
    for (const index of [1, 2]) {
      pcs.push(await lab.create('emu3', { name: `PC${index}`, startup_script: `ip 10.0.0.${index}/24\n` }))
    }
    const [first, second] = pcs
    if (!first || !second) throw new Error('there are no virtual PCs')
    await lab.cable(vmPlug('emu3', first.vm_id), vmPlug('emu3', second.vm_id))
    const port = `${lab.path}/emu3/vms/${first.vm_id}/adapters/0/ports/0`
    const capture = asRecord(await lab.call('POST', `${port}/start_capture`, { capture_file_name: 'a.pcap' }))
    expect(await measured('trivium_emulation_capture_running')).toBe(1)

    for (const { vm_id } of pcs) await lab.start('emu3', vm_id)
    expect(await measured('trivium_emulation_instance_running{kind="virtual-pc"}')).toBe(2)
    expect(await measured('trivium_emulation_instance_starts_total{kind="virtual-pc"}')).toBe(2)
    const terminal = await openTerminal(first.console)
    await terminal.run('ping 10.0.0.2 -c 6', /icmp_seq=6[^\n]*\n/)
    terminal.close()
    await expect.poll(() => measured('trivium_emulation_capture_limited_total{limit="capture"}')).toBe(1)
    expect(await measured('trivium_emulation_capture_running')).toBe(0)
    const size = await measured('trivium_emulation_capture_size_bytes')
    expect(size).toBeGreaterThan(24)
    expect(size).toBeLessThanOrEqual(1024)

    // The capture becomes too old now, after the start of the server.
    utimesSync(String(capture.pcap_file_path), new Date(), new Date(Date.now() - DAY_MS - 1))
    expect(await lab.call('GET', `${lab.path}/captures`)).toEqual([])
    expect(await measured('trivium_emulation_retention_removed_total{kind="captures"}')).toBe(1)
    expect(await measured('trivium_emulation_capture_size_bytes')).toBe(0)

    await visit(second.console)
    expect(await measured('trivium_emulation_console_refusals_total{port="console"}')).toBe(1)
    for (const { vm_id } of pcs) await lab.call('POST', `${lab.path}/emu3/vms/${vm_id}/stop`)
    expect(await measured('trivium_emulation_instance_running{kind="virtual-pc"}')).toBe(0)
  }, 60_000)

  it.skipIf(!hasQemu)(
    'exports the accelerator of machines, the size of their logs and the refusals at their monitor',
    async () => {
      const broken = await lab.create('emu1', {
        name: 'broken',
        emu1_path: 'qemu-system-x86_64',
        options: '-cpu absent',
      })
      await expect(lab.start('emu1', broken.vm_id)).rejects.toThrow(/absent/)
      expect(await measured('trivium_emulation_log_written_bytes_total{kind="machine"}')).toBeGreaterThan(0)
      expect(await measured('trivium_emulation_instance_running{kind="machine"}')).toBeUndefined()

      const machine = await lab.create('emu1', { name: 'whole', emu1_path: 'qemu-system-x86_64', ram: 64 })
      await lab.start('emu1', machine.vm_id)
      const starts = ['tcg', 'kvm'].map((accelerator) =>
        measured(`trivium_emulation_instance_starts_total{kind="machine",accelerator="${accelerator}"}`),
      )
      expect((await Promise.all(starts)).filter((count) => count !== undefined)).toEqual([1])
      const { monitor } = asRecord(await lab.call('GET', `${lab.path}/emu1/vms/${machine.vm_id}`))
      await visit(Number(monitor))
      expect(await measured('trivium_emulation_console_refusals_total{port="monitor"}')).toBe(1)
      await lab.call('POST', `${lab.path}/emu1/vms/${machine.vm_id}/stop`)
      expect(await measured('trivium_emulation_instance_running{kind="machine"}')).toBe(0)
    },
    60_000,
  )

  it('exports the latest use of volumes', async () => {
    const of = (name: string) => measured(`trivium_storage_volume_${name}_bytes{svm="svm1",volume="vol1"}`)
    await expect.poll(() => of('size')).toBe(2 ** 40)
    expect(Number(await of('used')) + Number(await of('available'))).toBe(2 ** 40)
    expect(await measured('trivium_storage_quota_omitted{svm="svm1",volume="vol1"}')).toBe(0)
  }, 60_000)

  it('exports the jobs of a storage, and the bytes of the audit log', async () => {
    expect(await measured('trivium_storage_job_kept')).toBeGreaterThanOrEqual(0)
    const storage = storageClient(server)
    await storage.setQuota(await storage.volume('vol1'), true)
    await expect.poll(() => measured('trivium_storage_job_ended_total{state="success"}')).toBeGreaterThan(0)
    await expect.poll(() => measured('trivium_audit_written_bytes_total')).toBeGreaterThan(0)
    await expect.poll(() => measured('trivium_storage_job_kept')).toBeGreaterThan(0)
  }, 60_000)
})

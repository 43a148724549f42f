import type { Socket } from '@trivium/http-contract'
import { describe, expect, it, vi } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'
import { emulationSocketRoutes } from '../index.ts'

const project = '11111111-1111-4111-8111-111111111111'
const id = '22222222-2222-4222-8222-222222222222'
const path = `/v1/projects/${project}/emu1/vms/${id}`

async function openLab(consoleType: string) {
  const lab = createHttpLab()
  await lab.call('POST', '/v1/projects', { project_id: project })
  const machine = { name: 'M1', emu1_path: '/usr/bin/qemu-system-x86_64', vm_id: id, console_type: consoleType }
  await lab.call('POST', `/v1/projects/${project}/emu1/vms`, machine)
  await lab.call('POST', `${path}/start`)
  const route = emulationSocketRoutes(lab.emulation, { admin: () => false }).find(
    ({ operation }) => operation.path === '/v1/projects/{project_id}/emu1/vms/{vm_id}/vnc/ws',
  )
  const ticketOf = async () => {
    const { ticket } = (await lab.call('POST', `${path}/console/ticket`)).body as { ticket: string }
    return ticket
  }
  const accept = async (query = '') => {
    const verdict = await route?.accept({
      method: 'GET',
      params: { project_id: project, vm_id: id },
      query,
      headers: {},
      remoteAddress: undefined,
      host: undefined,
      mount: { origin: 'http://localhost', path: '' },
      signal: new AbortController().signal,
    })
    if (!verdict) throw new Error('There is no such socket')
    return verdict
  }
  return { ...lab, accept, ticketOf }
}

function fakeSocket() {
  let receive: (message: string | Uint8Array) => void = () => {}
  const shown: string[] = []
  const closed: (number | undefined)[] = []
  const socket: Socket = {
    bufferedBytes: 0,
    send: (message) => void shown.push(typeof message === 'string' ? message : new TextDecoder().decode(message)),
    close: (code) => void closed.push(code),
    onMessage: (listener) => {
      receive = listener
    },
    onClose: () => {},
  }
  return { socket, shown, closed, type: (bytes: Uint8Array) => receive(bytes) }
}

describe('the display of a machine over WebSocket', () => {
  it('passes on bytes in both directions with a ticket, and is closed to others', async () => {
    const { accept, ticketOf, emulators } = await openLab('vnc')
    expect(await accept()).toMatchObject({ reply: { status: 401 } })
    const ticket = await ticketOf()
    const verdict = await accept(`ticket=${ticket}`)
    const { socket, shown, type } = fakeSocket()
    if ('open' in verdict) verdict.open(socket)
    type(new TextEncoder().encode('RFB 003.008\n'))
    await vi.waitFor(() => expect(emulators.machine.runs[0]?.drawn.join('')).toBe('RFB 003.008\n'))
    expect(shown).toEqual(['RFB 003.008\n'])
    expect(await accept(`ticket=${ticket}`)).toMatchObject({ reply: { status: 401 } })
  })

  it('returns 409 for a machine without a display', async () => {
    const { accept, ticketOf } = await openLab('telnet')
    expect(await accept(`ticket=${await ticketOf()}`)).toMatchObject({
      reply: { status: 409, value: { message: 'The emu1 VM M1 has no display for VNC.' } },
    })
  })
})

describe('the console port of a machine', () => {
  it('shows the display with console_type vnc, only to clients that begin as those of VNC do', async () => {
    const { consoles, emulators } = await openLab('vnc')
    const drawn = emulators.machine.runs[0]?.drawn
    const viewer = consoles.get(2000)?.('RFB 003.')
    viewer?.events.data(new TextEncoder().encode('008\n\x01'))
    await vi.waitFor(() => expect(drawn?.join('')).toBe('RFB 003.008\n\x01'))
    expect(viewer?.received).toEqual(['RFB 003.008\n'])

    drawn?.splice(0)
    for (const words of ['GET / HTTP/1.1\r\n', 'RFB / HTTP/1.1\r\n', 'RFB 003x008\n', '\x16\x03\x01', '\0\x01']) {
      const other = consoles.get(2000)?.('R')
      other?.events.data(new TextEncoder().encode(words.replace(/^R/, '')))
      other?.events.data(new TextEncoder().encode('RFB 003.008\n'))
    }
    const browser = consoles.get(2000)?.('POST / HTTP/1.1\r\n')
    browser?.events.data(new TextEncoder().encode('RFB 003.008\n'))
    await Promise.resolve()
    expect(drawn?.join('')).not.toContain('\n')
    expect(drawn?.join('')).not.toContain('HTTP')
  })

  it('shows the display with console_type spice, only to clients that begin as those of SPICE do, and not to VNC', async () => {
    const { accept, consoles, emulators, ticketOf } = await openLab('spice')
    const drawn = emulators.machine.runs[0]?.drawn
    for (const words of ['GET / HTTP/1.1\r\n', 'REDX', 'RFB 003.008\n', '\x16\x03\x01']) {
      consoles.get(2000)?.(words)?.events.data(new TextEncoder().encode('REDQ'))
    }
    consoles.get(2000)?.('RE')?.events.data(new TextEncoder().encode('DQ\x02'))
    await vi.waitFor(() => expect(drawn?.join('')).toContain('REDQ\x02'))
    expect(drawn?.join('')).toBe('REDQ\x02')
    expect(await accept(`ticket=${await ticketOf()}`)).toMatchObject({ reply: { status: 409 } })
  })

  it('stays closed with console_type none', async () => {
    expect((await openLab('none')).consoles.has(2000)).toBe(false)
    expect((await openLab('telnet')).consoles.has(2000)).toBe(true)
  })
})

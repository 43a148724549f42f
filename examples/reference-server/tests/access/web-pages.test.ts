import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hasBrowser, openBrowser } from '../console/browser.ts'
import { asRecord, createLab, openTerminal, type Terminal } from '../emulation/lab.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { listeningPorts } from './listening-ports.ts'
import { connectToPeer, requestRelay } from './peer-messages.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')
const hasVpcs = await requireProgram('vpcs', 'vpcs')

/** Input that a page sends to a virtual PC, to QEMU's monitor and to any other guest. */
const PAGE_INPUT = '\r\nip 10.77.77.77/24\r\nstop\r\n'
const PAGE_OUTPUT = /10\.77|HTTP|Host|Origin|stop|\+page/
/** Names of a page in WebRTC that make its messages shorter and longer than 255 bytes. */
const PEER_NAMES = ['ip+page', `ip+page${'x'.repeat(249)}`]

/** A boot sector that prints `#`, and then every byte that its serial port receives. */
function echoingSector(): Uint8Array {
  const sector = new Uint8Array(512)
  sector.set([
    // cli, because the firmware reads the port too; mov dx, 3f8; mov al, '#'; out dx, al
    ...[0xfa, 0xba, 0xf8, 0x03, 0xb0, 0x23, 0xee],
    // Until a byte is available: mov dx, 3fd; in al, dx; test al, 1; jz; then mov dx, 3f8; in al, dx; mov ah, al
    ...[0xba, 0xfd, 0x03, 0xec, 0xa8, 0x01, 0x74, 0xfb, 0xba, 0xf8, 0x03, 0xec, 0x88, 0xc4],
    // Until one can be sent: mov dx, 3fd; in al, dx; test al, 20; jz; then mov dx, 3f8; mov al, ah; out dx, al; back to the first
    ...[0xba, 0xfd, 0x03, 0xec, 0xa8, 0x20, 0x74, 0xfb, 0xba, 0xf8, 0x03, 0x88, 0xe0, 0xee, 0xeb, 0xe2],
  ])
  sector.set([0x55, 0xaa], 510)
  return sector
}

interface Guest {
  readonly terminal: Terminal
  /** Types a line and returns everything that the console has shown since it was ready. */
  screen(): Promise<string>
}

describe.each(['embedded', 'vpcs'] as const)('TCP ports of a lab with %s virtual PCs', (emu3) => {
  const installed = hasQemu && (emu3 === 'embedded' || hasVpcs)
  describe.skipIf(!installed)('and a QEMU machine', () => {
    const images = mkdtempSync(join(tmpdir(), 'trivium-web-pages-'))
    let server: ServerProcess
    let guests: readonly Guest[]
    let monitor: Terminal

    const ports = () =>
      listeningPorts(server.process.pid ?? 0).filter(({ port }) => port !== Number(new URL(server.url).port))

    /** Expects that no guest has received input from a page, that no machine has stopped, and that all accept typed input. */
    const expectUntouched = async () => {
      for (const guest of guests) expect(await guest.screen()).not.toMatch(PAGE_OUTPUT)
      expect(await monitor.run('info status', /VM status: \w+/, 10_000)).toContain('running')
    }

    beforeAll(async () => {
      writeFileSync(join(images, 'echo.img'), echoingSector())
      server = await startServer({ environment: { TRIVIUM_EMU3: emu3, TRIVIUM_IMAGES_DIR: images } })
      const lab = await createLab(server)
      await lab.createSwitch('switch')
      const pc = await lab.create('emu3', { name: 'pc', startup_script: 'set pcname pc\n' })
      const machine = asRecord(
        await lab.create('emu1', {
          name: 'machine',
          emu1_path: 'qemu-system-x86_64',
          ram: 16,
          hda_disk_image: 'echo.img',
        }),
      )
      await lab.start('emu3', pc.vm_id)
      await lab.start('emu1', String(machine.vm_id))
      const shell = await openTerminal(pc.console)
      await shell.until(/pc> /)
      const serial = await openTerminal(Number(machine.console))
      await serial.until(/#/)
      monitor = await openTerminal(Number(machine.monitor))
      await monitor.until(/\(qemu\) /)
      guests = [
        { terminal: shell, screen: () => shell.run('show ip', /IP\/MASK +: \S+[\s\S]*?pc> /, 10_000) },
        { terminal: serial, screen: () => serial.run('typed', /typed/, 10_000) },
      ]
    }, 120_000)
    afterAll(async () => {
      for (const terminal of [...(guests ?? []).map((guest) => guest.terminal), monitor]) terminal?.close()
      await server?.[Symbol.asyncDispose]()
      rmSync(images, { recursive: true, force: true })
    })

    it('belong to the server itself and to no program that it has started', () => {
      expect(ports().map(({ pid }) => pid)).toEqual([1, 2, 3].map(() => server.process.pid))
    })

    it.each([
      ['a request', `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${PAGE_INPUT}`],
      ['a request after telnet negotiation', `\xff\xfd\x01\xff\xfb\x1fGET / HTTP/1.1\r\n\r\n${PAGE_INPUT}`],
      ['a line with the host', `Host: 127.0.0.1\r\n${PAGE_INPUT}`],
      ['a TLS handshake', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${PAGE_INPUT}`],
    ])('close a connection that sends %s', async (_name, text) => {
      for (const { port } of ports()) {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        socket.resume()
        socket.write(text, 'latin1')
        await once(socket, 'close')
      }
      await expectUntouched()
    })

    /** The number of connections that were closed because a page sent to them. */
    const refusals = async () => {
      const metrics = await (await server.ask('/metrics')).text()
      const counts = [...metrics.matchAll(/^trivium_emulation_console_refusals_total\S* (\d+)$/gm)]
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    const openPage = async () => {
      const site = createServer((request, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(request.url === '/' ? '<title>Another site</title>' : '')
      })
      site.listen(0, '127.0.0.1')
      await once(site, 'listening')
      onTestFinished(() => void site.close())
      const address = site.address()
      const browser = await openBrowser()
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      await page.goto(`http://localhost:${typeof address === 'object' ? address?.port : ''}/`)
      return page
    }

    it.skipIf(!hasBrowser)(
      'pass on no text that a page of another site sends',
      async () => {
        const page = await openPage()
        const attempted = new Set<string>()
        page.on('requestfailed', (request) => attempted.add(new URL(request.url()).port))
        for (const { port } of ports()) {
          expect(await page.evaluate(send, { port, typed: PAGE_INPUT })).toEqual([
            'failed',
            'failed',
            'failed',
            'failed',
            'failed',
          ])
        }
        expect([...attempted].sort()).toEqual(
          ports()
            .map(({ port }) => `${port}`)
            .sort(),
        )
        await expectUntouched()
      },
      120_000,
    )

    it.skipIf(!hasBrowser)(
      'pass on no message of WebRTC from a page of another site',
      async () => {
        const page = await openPage()
        for (const { port } of ports()) {
          // The browser can close first, where the greeting of a console arrives before the browser has sent anything.
          expect(await page.evaluate(requestRelay, { port, name: '' })).toContain(`${port}`)
          for (const name of PEER_NAMES) {
            const before = await refusals()
            const look = async () => {
              await page.evaluate(connectToPeer, { port, name })
              expect(await refusals()).toBeGreaterThan(before)
            }
            await vi.waitFor(look, { timeout: 30_000, interval: 500 })
          }
        }
        await expectUntouched()
      },
      120_000,
    )
  })
})

/** Runs in the page: sends to another origin in every way that needs no consent of it. */
async function send({ port, typed }: { readonly port: number; readonly typed: string }): Promise<readonly string[]> {
  const url = `http://127.0.0.1:${port}/`
  const outcome = (sent: Promise<unknown>) =>
    sent.then(
      () => 'answered',
      () => 'failed',
    )
  const form = () =>
    new Promise<void>((resolve) => {
      const frame = document.createElement('iframe')
      frame.name = `frame${port}`
      document.body.append(frame)
      const element = document.createElement('form')
      Object.assign(element, { method: 'post', action: url, enctype: 'text/plain', target: frame.name })
      const field = document.createElement('textarea')
      Object.assign(field, { name: 'x', value: typed })
      element.append(field)
      document.body.append(element)
      // The event also fires for an error page.
      frame.addEventListener('load', () => resolve())
      element.submit()
    })
  const socket = () =>
    new Promise<void>((resolve, reject) => {
      const opened = new WebSocket(url.replace('http', 'ws'))
      opened.addEventListener('open', () => resolve())
      opened.addEventListener('error', reject)
    })
  const outcomes = [
    await outcome(fetch(url, { method: 'POST', mode: 'no-cors', body: typed })),
    await outcome(
      fetch(url, { method: 'POST', mode: 'no-cors', body: new Blob([new Uint8Array([255, 250, 31]), typed]) }),
    ),
    await outcome(fetch(url, { method: 'PUT', body: typed })),
    await outcome(fetch(url.replace('http', 'https'), { mode: 'no-cors' })),
    await outcome(socket()),
  ]
  await form()
  navigator.sendBeacon(url, typed)
  // The browser sends this request after the beacon.
  await outcome(fetch(url, { method: 'POST', mode: 'no-cors', body: typed }))
  return outcomes
}

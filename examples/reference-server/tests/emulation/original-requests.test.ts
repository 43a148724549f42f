import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../access/send.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { asRecord } from './lab.ts'
import { type OriginalRequest, originalRequests } from './original-requests.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

describe("the requests of the original server's handler tests", () => {
  let server: ServerProcess
  const ids = new Map<string, string>()

  beforeAll(async () => {
    const images = mkdtempSync(join(tmpdir(), 'trivium-images-'))
    // The beginning of an IOU image: a 32-bit ELF program.
    writeFileSync(join(images, 'iou.bin'), Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 1, 1))
    chmodSync(join(images, 'iou.bin'), 0o500)
    server = await startServer({
      environment: { TRIVIUM_GNS3_NAMES: '1', TRIVIUM_AUTH: 'off', TRIVIUM_IMAGES_DIR: images },
    })
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  const ask = async ({ method, path, body }: OriginalRequest) => {
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? name)
    const sent = body ?? (method === 'GET' || method === 'DELETE' ? undefined : {})
    const text = typeof sent === 'object' ? JSON.stringify(sent) : sent
    const {
      status,
      headers,
      text: answer,
    } = await send(server.url, {
      method,
      path: `/v1${at}`,
      ...(text !== undefined && { body: text }),
    })
    return { status, headers, answer: answer === '' ? undefined : (JSON.parse(answer) as unknown) }
  }

  const requests = originalRequests.filter(({ needsQemu = false }) => hasQemu || !needsQemu)

  it.each(
    requests.map((request) => [request.method, request.path, request] as const),
  )('get the answer of the original: %s %s', async (_method, _path, request) => {
    const { status, headers, answer } = await ask(request)
    expect([status, answer]).toEqual([request.status, answer])
    expect(headers['content-type']).toBe(answer === undefined ? undefined : 'application/json')
    if (request.route !== undefined) expect(headers['x-route']).toBe(`/v1${request.route}`)
    if (request.keys) expect(Object.keys(asRecord(answer)).toSorted()).toEqual([...request.keys].toSorted())
    if (request.values) expect(answer).toMatchObject(request.values)
    if (request.as === undefined) return
    const { vm_id, device_id, project_id } = asRecord(answer)
    ids.set(request.as, String(vm_id ?? device_id ?? project_id))
  })
})

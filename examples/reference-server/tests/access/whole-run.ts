import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createLab, type Lab, vmPlug } from '../emulation/lab.ts'
import { type AdminRequest, createKey, type ServerProcess } from '../server-process.ts'

/**
 * Creates one of everything: a key, a chat with it, an image with a URL, a virtual PC with a link and a capture, a temporary
 * project, a quota rule. Reads the documents.
 */
export async function useEverything(server: ServerProcess): Promise<Lab> {
  const authorization = `Bearer ${await createKey(server)}`
  const ask = async (status: number, path: string, request: AdminRequest = {}) => {
    const response = await server.ask(path, request)
    const text = await response.text()
    expect([path, response.status], text).toEqual([path, status])
  }
  const chat = { model: 'local/echo-no-llm', messages: [{ role: 'user', content: 'Hello' }] }
  await ask(200, '/v1/chat/completions', { method: 'POST', headers: { authorization }, body: chat })
  const image = { prompt: 'A tree', size: '256x256', response_format: 'url' }
  await ask(200, '/v1/images/generations', { method: 'POST', headers: { authorization }, body: image })

  await createLab(server, { temporary: true })
  const lab = await createLab(server)
  const [one, other] = [
    await lab.create('emu3', { name: 'PC1', startup_script: 'ip 10.0.0.1/24' }),
    await lab.create('emu3', { name: 'PC2', startup_script: 'ip 10.0.0.2/24' }),
  ]
  await lab.cable(vmPlug('emu3', one.vm_id), vmPlug('emu3', other.vm_id))
  for (const { vm_id: id } of [one, other]) await lab.start('emu3', id)
  const port = `${lab.path}/emu3/vms/${one.vm_id}/adapters/0/ports/0`
  await lab.call('POST', `${port}/start_capture`, { capture_file_name: 'a.pcap' })

  const rule = {
    svm: { name: 'svm1' },
    volume: { name: 'vol1' },
    type: 'tree',
    qtree: { name: '' },
    space: { hard_limit: '1G' },
  }
  await ask(201, '/api/storage/quota/rules', { method: 'POST', body: rule })
  for (const path of ['/docs', '/openapi.json', '/health', '/metrics']) await ask(200, path)
  return lab
}

/** Returns every path in a directory, recursively. */
export const pathsIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? [path, ...pathsIn(path)] : [path]
  })

/** Returns the paths to which the group or other users have any right. */
export const accessibleToOthers = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => (lstatSync(path).mode & 0o077) !== 0)

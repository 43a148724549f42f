import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createLab } from '../emulation/lab.ts'
import { requireProgram } from '../require-program.ts'
import { startServer } from '../server-process.ts'
import { found, secrets } from './secrets.ts'

const canRun =
  (await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')) && (await requireProgram('vpcs', 'vpcs'))

it.runIf(canRun)(
  'passes no secret to the programs that it starts, in their environment or their arguments',
  async () => {
    await using server = await startServer({
      environment: {
        OPENAI_API_KEY: secrets.openAi,
        OPENAI_MODELS: 'm-1',
        ANTHROPIC_API_KEY: secrets.anthropic,
        ANTHROPIC_MODELS: 'm-1',
        BRAVE_API_KEY: secrets.brave,
        TRIVIUM_EMU3: 'vpcs',
      },
    })
    const lab = await createLab(server)
    const machine = await lab.create('emu1', { name: 'machine', emu1_path: 'qemu-system-x86_64', ram: 16 })
    const pc = await lab.create('emu3', { name: 'pc' })
    await lab.start('emu1', machine.vm_id)
    await lab.start('emu3', pc.vm_id)
    const children = descendantsOf(server.process.pid ?? 0)
    expect(children.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^qemu/), expect.stringMatching(/^vpcs/)]),
    )
    for (const { name, environment, command } of children) {
      expect(found(environment + command, secrets), name).toEqual([])
    }
    expect(found(read(server.process.pid ?? 0, 'cmdline'), secrets)).toEqual([])
  },
)

interface Process {
  readonly name: string
  readonly environment: string
  readonly command: string
}

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'latin1')

/** Returns the children of a process and all their descendants. */
const descendantsOf = (pid: number): readonly Process[] =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => read(pid, `task/${thread}/children`).trim().split(' '))
    .filter((child) => child !== '')
    .flatMap((child) => familyOf(Number(child)))

function familyOf(pid: number): readonly Process[] {
  try {
    const name = read(pid, 'comm').trim()
    return [{ name, environment: read(pid, 'environ'), command: read(pid, 'cmdline') }, ...descendantsOf(pid)]
  } catch {
    // The process has ended meanwhile.
    return []
  }
}

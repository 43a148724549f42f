import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emulationContract } from '@trivium/emulation-core/http'
import { machineDefaults } from '@trivium/emulation-core/ports'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { qemuEmulator } from '../../src/qemu/index.ts'
import { scratchDirectory } from '../scratch-directory.ts'
import { type ApplianceFacts, applianceMachine } from './appliance-machine.ts'

const factsSchema = v.looseObject({ name: v.string(), images: v.array(v.string()) })
const lines = (await readFile(join(import.meta.dirname, 'facts.jsonl'), 'utf8')).trim().split('\n')
const factsOfAll = lines.map((line) => v.parse(factsSchema, JSON.parse(line)))

/** Creates the settings of the machine as a request does, and has the emulator check them. */
async function check(facts: ApplianceFacts): Promise<string | undefined> {
  const parsed = v.safeParse(emulationContract.createEmu1.body, applianceMachine(facts))
  if (!parsed.success) return parsed.issues.map(({ message }) => message).join(', ')
  const directory = await scratchDirectory()
  for (const slot of facts.images) await writeFile(join(directory, `${facts.name}.${slot}`), '')
  const { settings } = parsed.output
  const emulator = qemuEmulator({ imageDirectories: [directory], memoryLimitMegabytes: 65_536 })
  try {
    await emulator.check?.({ ...machineDefaults, console: 2000, monitor: 2001, ...settings })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('applianceMachine', () => {
  it('returns a machine that is accepted for 181 of the 182 appliances of GNS3, and refused for options with a path of their author', async () => {
    const refused: string[] = []
    for (const facts of factsOfAll) {
      const reason = await check(facts)
      if (reason !== undefined) refused.push(`${facts.name}: ${reason.slice(0, 120)}`)
    }
    expect(factsOfAll).toHaveLength(182)
    expect(refused).toEqual([expect.stringMatching(/^.*: This server does not allow these options: option '-drive'/)])
  })
})

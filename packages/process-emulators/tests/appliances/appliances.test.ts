import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emulationContract } from '@trivium/emulation-core/http'
import { machineDefaults } from '@trivium/emulation-core/ports'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { qemuEmulator } from '../../src/qemu/index.ts'
import { scratchDirectory } from '../scratch-directory.ts'

/** What an appliance of GNS3's registry requires of a machine, as `scripts/appliance-facts.ts` prints it. */
const factsSchema = v.looseObject({ name: v.string(), images: v.array(v.string()) })
type ApplianceFacts = v.InferOutput<typeof factsSchema>

const lines = (await readFile(join(import.meta.dirname, 'facts.jsonl'), 'utf8')).trim().split('\n')
const factsOfAll = lines.map((line) => v.parse(factsSchema, JSON.parse(line)))

/** Returns an appliance file with these facts and one version, whose images have names of their own. */
const fileOf = ({ name, images, custom_adapters, ...qemu }: ApplianceFacts) => {
  const named = images.map((slot) => [slot, `${name}.${slot}`] as const)
  return {
    name,
    custom_adapters,
    qemu,
    images: named.map(([, filename]) => ({ filename, version: '1', md5sum: '', filesize: 0 })),
    versions: [{ name: '1', images: Object.fromEntries(named) }],
  }
}

/** Reads the file as an import does, and has the emulator check the machine. */
async function check(facts: ApplianceFacts): Promise<string | undefined> {
  const parsed = v.safeParse(emulationContract.importApplianceEmu1.body, fileOf(facts))
  if (!parsed.success) return parsed.issues.map(({ message }) => message).join(', ')
  const machine = parsed.output.machine()
  const directory = await scratchDirectory()
  for (const { name } of machine?.images ?? []) await writeFile(join(directory, name), '')
  const emulator = qemuEmulator({ imageDirectories: [directory], memoryLimitMegabytes: 65_536 })
  try {
    await emulator.check?.({ ...machineDefaults, console: 2000, monitor: 2001, program: '', ...machine?.settings })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('an import of an appliance', () => {
  it('makes a machine that is accepted for 181 of the 182 appliances of GNS3, and refused for options with a path of their author', async () => {
    const refused: string[] = []
    for (const facts of factsOfAll) {
      const reason = await check(facts)
      if (reason !== undefined) refused.push(`${facts.name}: ${reason.slice(0, 120)}`)
    }
    expect(factsOfAll).toHaveLength(182)
    expect(refused).toEqual([expect.stringMatching(/^.*: This server does not allow these options: option '-drive'/)])
  })
})

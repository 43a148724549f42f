import type { Operation } from '@trivium/http-contract'
import * as v from 'valibot'
import { importedMachine } from '../appliances/appliance-operations.ts'
import { emulationContract } from '../contract.ts'
import { fields } from '../requests/fields.ts'
import { machineFields } from './machine.ts'

const { create, update, object } = machineFields

const renamed = <Path, Others extends object>({ emu1_path, ...others }: { readonly emu1_path: Path } & Others) => ({
  ...others,
  qemu_path: emu1_path,
})

const response = v.pipe(v.object(renamed(object.entries)), v.title('QemuInstance'))

const imported = v.pipe(v.object(renamed(importedMachine.entries)), v.title('ImportedQemu'))

const { createEmu1, listEmu1, getEmu1, updateEmu1, importApplianceEmu1 } = emulationContract

/**
 * Bodies and responses of the machine operations under the product's name, by operation id: `qemu_path` replaces
 * `emu1_path`.
 */
export const productMachineOperations: Readonly<Record<string, Pick<Operation, 'body' | 'responses'>>> = {
  createEmu1: { body: fields(renamed(create.entries)), responses: { ...createEmu1.responses, 201: response } },
  listEmu1: { responses: { ...listEmu1.responses, 200: v.array(response) } },
  getEmu1: { responses: { ...getEmu1.responses, 200: response } },
  updateEmu1: {
    body: v.optional(fields(renamed(update.entries)), {}),
    responses: { ...updateEmu1.responses, 200: response },
  },
  importApplianceEmu1: { responses: { ...importApplianceEmu1.responses, 201: imported } },
}

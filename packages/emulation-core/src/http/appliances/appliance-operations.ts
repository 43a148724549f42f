import type { Contract, Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation } from '../../index.ts'
import type { DiskImage } from '../../ports.ts'
import { failure, failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { machineFields, machineWire } from '../kinds/machine.ts'
import { fields, nonEmptyLine, plainName, whole } from '../requests/fields.ts'
import { inProject, PROJECT, placeOf } from '../requests/places.ts'
import { imageSlots } from './appliance-file.ts'
import { appliance, type RequiredImage } from './appliance-machine.ts'

const { tag } = placeOf('machine')

const imageStates = ['ready', 'different', 'missing', 'unknown'] as const

/** Whether an image is there. `unknown` where the host does not keep images. */
type ImageState = (typeof imageStates)[number]

const images = v.array(
  v.object({
    slot: v.picklist(imageSlots),
    name: v.string(),
    bytes: v.nullable(whole),
    md5: v.nullable(v.string()),
    download_url: v.nullable(v.string()),
    state: v.picklist(imageStates),
  }),
)

/** The answer to an import. */
export const importedMachine = v.pipe(v.object({ ...machineFields.object.entries, images }), v.title('ImportedMachine'))

/** The operation that only machines have. */
export const applianceOperations = {
  importAppliance: {
    method: 'POST',
    path: `${PROJECT}/${tag}/appliances`,
    summary: `Creates an ${tag} instance from an appliance file`,
    description:
      'The body is a file of the GNS3 registry (`.gns3a`). `version` is the name of one of its versions; absent, the first is taken. `name` replaces that of the appliance. The answer is the instance, and the images that its start needs.',
    tags: [tag],
    params: inProject,
    query: fields({ name: v.optional(plainName), version: v.optional(nonEmptyLine(255)) }),
    body: appliance,
    bodyLimit: 2 ** 20,
    responses: { 201: importedMachine, ...failureResponses },
  },
} as const satisfies Contract

export const applianceHandlers = ({
  instances,
  diskImages,
}: Pick<Emulation, 'instances' | 'diskImages'>): Handlers<typeof applianceOperations> => ({
  importAppliance: async ({ params, query, body: { name, versions, machine } }) => {
    const required = machine(query.version)
    if (required === undefined) return failure(400, withoutVersion(query.version ?? versions[0], versions))
    const { settings } = required
    const created = await instances.create({ ...params, kind: 'machine', name: query.name ?? name, settings })
    if (created.isErr()) return toFailure(created.error)
    const present = (await diskImages.list()).map((list) => list.images).unwrapOr(undefined)
    return { status: 201, body: { ...machineWire.toWire(created.value), images: required.images.map(toWire(present)) } }
  },
})

/** A message names this many versions. */
const NAMED_VERSIONS = 20

const withoutVersion = (version: string | undefined, versions: readonly string[]): string =>
  `The appliance has no version '${version}' with settings for QEMU. Its versions are: ${versions.slice(0, NAMED_VERSIONS).join(', ')}`

const toWire = (present: readonly DiskImage[] | undefined) => (image: RequiredImage) => ({
  slot: image.slot,
  name: image.name,
  bytes: image.bytes ?? null,
  md5: image.md5 ?? null,
  download_url: image.downloadUrl ?? null,
  state: stateOf(image, present),
})

/** A disk that was created here has no checksum. The registry has empty disks whose files differ in size from ours. */
function stateOf({ name, bytes, md5 }: RequiredImage, present: readonly DiskImage[] | undefined): ImageState {
  if (present === undefined) return 'unknown'
  const image = present.find((each) => each.name === name)
  if (image === undefined) return 'missing'
  const { facts } = image
  if (md5 !== undefined && facts?.md5 !== undefined) return facts.md5 === md5 ? 'ready' : 'different'
  if (facts && facts.sha256 === undefined) return 'ready'
  return bytes === undefined || image.bytes === bytes ? 'ready' : 'different'
}

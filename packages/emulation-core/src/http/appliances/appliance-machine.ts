import * as v from 'valibot'
import type { MachineSettings } from '../../ports.ts'
import { toMachineSettings } from '../kinds/machine.ts'
import {
  type ApplianceFile,
  type ApplianceImage,
  type ApplianceVersion,
  applianceFile,
  imageSlots,
  type QemuSettings,
} from './appliance-file.ts'

/** The machines that an appliance file describes. */
export interface Appliance {
  readonly name: string
  /** One for each version of the file, in its order, or one without a name. */
  readonly machines: readonly ApplianceMachine[]
}

/** What one version of an appliance requires of a machine. */
export interface ApplianceMachine {
  readonly version: string | undefined
  readonly settings: Partial<MachineSettings> & Pick<MachineSettings, 'program'>
  readonly images: readonly RequiredImage[]
}

/** An image that the machine needs at its start. */
export interface RequiredImage {
  /** The field of the machine that names it. */
  readonly slot: (typeof imageSlots)[number]
  readonly name: string
  readonly bytes: number | undefined
  /** In lower case hexadecimal digits. */
  readonly md5: string | undefined
  readonly downloadUrl: string | undefined
}

/** An appliance file of GNS3's registry, for machines. Each field has the bounds of the machine. */
export const appliance = v.pipe(
  applianceFile,
  v.check(
    (file) => qemuSettings(file, undefined) !== undefined,
    "The appliance has no settings for QEMU, in 'qemu' or 'settings'",
  ),
  v.transform((file): Appliance => {
    const versions = file.versions?.length ? file.versions : [undefined]
    const images = new Map(file.images?.map((image) => [image.filename, image]))
    return { name: file.name, machines: versions.map((version) => toMachine(file, version, images)) }
  }),
)

function toMachine(
  file: ApplianceFile,
  version: ApplianceVersion | undefined,
  images: ReadonlyMap<string, ApplianceImage>,
): ApplianceMachine {
  const { arch, platform, kvm, options, ...fields } = qemuSettings(file, version) ?? {}
  const program = `qemu-system-${arch ?? platform ?? 'x86_64'}`
  const names = version?.images ?? {}
  const settings = toMachineSettings({
    custom_adapters: file.custom_adapters,
    ...fields,
    ...names,
    usage: file.usage,
    options: kvm === 'disable' ? `${options ?? ''} -accel tcg`.trim() : options,
  })
  return {
    version: version?.name,
    settings: { ...settings, program },
    images: imageSlots.flatMap((slot) => {
      const name = names[slot]
      return typeof name === 'string' ? [{ slot, name, ...imageFacts(images.get(name)) }] : []
    }),
  }
}

/** Later files have several settings, of which a version names one. It has those of the default too, unless it says no. */
function qemuSettings(file: ApplianceFile, version: ApplianceVersion | undefined): QemuSettings | undefined {
  if (file.qemu) return file.qemu
  const all = file.settings?.filter((each) => each.template_type === 'qemu') ?? []
  const standard = all.find((each) => each.default === true) ?? all[0]
  const named = all.find(({ name }) => typeof name === 'string' && name === version?.settings) ?? standard
  if (named === undefined) return undefined
  if (standard === undefined || named.inherit_default_properties === false) return named.template_properties
  return { ...standard.template_properties, ...named.template_properties }
}

function imageFacts(image: ApplianceImage | undefined) {
  const checksum = image?.checksum_type === 'md5' ? image.checksum : undefined
  return {
    bytes: image?.filesize ?? undefined,
    md5: (image?.md5sum ?? checksum)?.toLowerCase(),
    downloadUrl: image?.direct_download_url ?? image?.download_url ?? undefined,
  }
}

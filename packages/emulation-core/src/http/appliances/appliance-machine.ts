import * as v from 'valibot'
import type { MachineSettings } from '../../ports.ts'
import { toMachineSettings } from '../kinds/machine.ts'
import { withoutNullish } from '../requests/fields.ts'
import {
  type ApplianceFile,
  type ApplianceImage,
  type ApplianceVersion,
  applianceFile,
  imageSlots,
  WITHOUT_ACCELERATION,
} from './appliance-file.ts'

/** An appliance, and what its versions require of a machine. */
export interface Appliance {
  readonly name: string
  /** The names of its versions, in the order of the file. */
  readonly versions: readonly string[]
  /**
   * Translates a version. A file can have a thousand, of which one is needed.
   *
   * @param name of the version. @default the first one
   * @returns `undefined` for a version that does not exist, or whose settings are not there or not for QEMU
   */
  machine(name?: string): ApplianceMachine | undefined
}

/** What one version of an appliance requires of a machine. */
export interface ApplianceMachine {
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
    const versions = file.versions ?? []
    return {
      name: file.name,
      versions: versions.map(({ name }) => name),
      machine: (wanted) => {
        const version = wanted === undefined ? versions[0] : versions.find(({ name }) => name === wanted)
        return wanted !== undefined && version === undefined ? undefined : toMachine(file, version)
      },
    }
  }),
)

function toMachine(file: ApplianceFile, version: ApplianceVersion | undefined): ApplianceMachine | undefined {
  const qemu = qemuSettings(file, version)
  if (qemu === undefined) return undefined
  const { arch, platform, kvm, options = '', ...fields } = qemu
  const program = `qemu-system-${arch ?? platform ?? 'x86_64'}`
  const names = version?.images ?? {}
  const settings = toMachineSettings({
    custom_adapters: file.custom_adapters,
    ...fields,
    ...names,
    usage: file.usage,
    options: kvm === 'disable' && !choosesAccelerator(options) ? `${options}${WITHOUT_ACCELERATION}`.trim() : options,
  })
  return {
    settings: { ...settings, program },
    images: imageSlots.flatMap((slot) => {
      const name = names[slot]
      return typeof name === 'string' ? [{ slot, name, ...imageFacts(imageOf(file, name, version)) }] : []
    }),
  }
}

const choosesAccelerator = (options: string) => /accel|-(?:enable|no)-kvm/.test(options)

/** Later files have several settings, of which a version names one. It has those of the default too, unless it says no. */
function qemuSettings(file: ApplianceFile, version: ApplianceVersion | undefined) {
  if (file.qemu) return withoutNullish(file.qemu)
  const all = file.settings?.filter((each) => each.template_type === 'qemu') ?? []
  const standard = all.find((each) => each.default === true) ?? all[0]
  const named = version?.settings ? all.find(({ name }) => name === version.settings) : standard
  if (named === undefined || standard === undefined) return undefined
  const own = withoutNullish(named.template_properties)
  return named.inherit_default_properties === false ? own : { ...withoutNullish(standard.template_properties), ...own }
}

/** Two versions can have files of the same name. */
function imageOf({ images }: ApplianceFile, name: string, version: ApplianceVersion | undefined) {
  const named = images?.filter(({ filename }) => filename === name)
  return named?.find((image) => image.version === version?.name) ?? named?.[0]
}

/** Leaves out what is not a checksum or an address of the web. */
function imageFacts(image: ApplianceImage | undefined) {
  const checksum = image?.md5sum ?? (image?.checksum_type === 'md5' ? image.checksum : undefined) ?? ''
  const url = image?.direct_download_url || image?.download_url || ''
  return {
    bytes: image?.filesize ?? undefined,
    md5: /^[\da-f]{32}$/i.test(checksum) ? checksum.toLowerCase() : undefined,
    downloadUrl: /^https?:\/\//i.test(url) ? url : undefined,
  }
}

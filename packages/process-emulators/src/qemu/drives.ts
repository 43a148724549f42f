import { type DiskInterface, Refusal } from '@trivium/emulation-core/ports'
import { escaped } from './escaped.ts'

/** The drives of a machine, with checked paths. */
export interface MachineDrives {
  readonly disks: readonly MachineDisk[]
  /** Empty without a CD-ROM. */
  readonly cdromImage: string
  /** Empty for the firmware of the emulator. */
  readonly biosImage: string
  readonly uefi: UefiFiles | undefined
}

export interface MachineDisk {
  readonly path: string
  readonly format: string
  /** 0 is the first of the four disks, whose drive is `hda`. */
  readonly index: number
  readonly interface: DiskInterface
}

/** The firmware, which is only read, and the variables of one machine. */
export interface UefiFiles {
  readonly code: string
  readonly variables: string
}

/** The places of CD-ROMs on the default bus, the usual one first. */
const cdromIndexes = [2, 3] as const

/** Returns the arguments for firmware, controllers, disks and CD-ROM. */
export function driveParameters({ disks, cdromImage, biosImage, uefi }: MachineDrives): readonly string[] {
  const has = (wanted: DiskInterface) => disks.some((disk) => disk.interface === wanted)
  return [
    ...(biosImage === '' ? [] : ['-bios', biosImage]),
    ...(uefi === undefined ? [] : flash(uefi)),
    ...(has('sata') ? ['-device', 'ahci,id=sata'] : []),
    ...(has('scsi') ? ['-device', 'virtio-scsi-pci,id=scsi'] : []),
    ...disks.flatMap(disk),
    ...(cdromImage === ''
      ? []
      : ['-drive', `file=${escaped(cdromImage)},format=raw,index=${cdromIndex(disks)},media=cdrom,readonly=on`]),
  ]
}

/**
 * Returns the first place on the default bus that no disk uses. Throws a `not-allowed` refusal where both are in use.
 */
export function cdromIndex(disks: readonly Pick<MachineDisk, 'index' | 'interface'>[]): number {
  const free = cdromIndexes.find((at) => !disks.some((disk) => disk.interface === 'ide' && disk.index === at))
  if (free !== undefined) return free
  throw new Refusal(
    'not-allowed',
    'The hdc and hdd disks leave no place for a CD-ROM. Use another interface than ide for one of them.',
  )
}

function disk({ path, format, index, interface: bus }: MachineDisk): readonly string[] {
  const file = `file=${escaped(path)},format=${format}`
  const id = `hd${'abcd'.charAt(index)}`
  const own = ['-drive', `${file},if=none,id=${id},media=disk`]
  switch (bus) {
    case 'ide':
      return ['-drive', `${file},index=${index},media=disk`]
    case 'virtio':
      return ['-drive', `${file},if=virtio,index=${index},media=disk`]
    case 'sata':
      return [...own, '-device', `ide-hd,drive=${id},bus=sata.${index}`]
    case 'scsi':
      return [...own, '-device', `scsi-hd,drive=${id},bus=scsi.0,scsi-id=${index}`]
    case 'nvme':
      return [...own, '-device', `nvme,drive=${id},serial=${id}`]
    case 'none':
      return own
  }
}

const flash = ({ code, variables }: UefiFiles) => [
  ...['-drive', `file=${escaped(code)},format=raw,if=pflash,unit=0,readonly=on`],
  ...['-drive', `file=${escaped(variables)},format=raw,if=pflash,unit=1`],
]

import * as v from 'valibot'
import { MAX_ARGUMENTS, MAX_DEVICE, MAX_PATH } from '../../bounds.ts'
import { MAX_USAGE } from '../../kinds/machine/bounds.ts'
import { describeValue } from '../errors/describe-value.ts'
import { machineFields } from '../kinds/machine.ts'
import { flag, integer, knownFields, line, list, nonEmptyLine, oneOf, plainName, text } from '../requests/fields.ts'

// An appliance file of GNS3's registry. Further members are for its own clients, and are left out.

/** The members of a version's images. */
export const imageSlots = [
  ...(['hda_disk_image', 'hdb_disk_image', 'hdc_disk_image', 'hdd_disk_image', 'cdrom_image'] as const),
  ...(['bios_image', 'kernel_image', 'initrd'] as const),
] as const

/** What `kvm: disable` adds to the options. */
export const WITHOUT_ACCELERATION = ' -accel tcg'

const { entries } = machineFields.create

const qemu = knownFields({
  arch: v.nullish(nonEmptyLine(MAX_DEVICE)),
  platform: v.nullish(nonEmptyLine(MAX_DEVICE)),
  kvm: v.nullish(oneOf(['require', 'allow', 'disable'])),
  ram: entries.ram,
  cpus: entries.cpus,
  maxcpus: entries.maxcpus,
  adapters: entries.adapters,
  adapter_type: entries.adapter_type,
  custom_adapters: entries.custom_adapters,
  mac_address: entries.mac_address,
  console_type: entries.console_type,
  boot_priority: entries.boot_priority,
  uefi: entries.uefi,
  hda_disk_interface: entries.hda_disk_interface,
  hdb_disk_interface: entries.hdb_disk_interface,
  hdc_disk_interface: entries.hdc_disk_interface,
  hdd_disk_interface: entries.hdd_disk_interface,
  kernel_command_line: entries.kernel_command_line,
  options: v.nullish(line(MAX_ARGUMENTS - WITHOUT_ACCELERATION.length)),
  on_close: entries.on_close,
  cpu_throttling: entries.cpu_throttling,
  process_priority: entries.process_priority,
})

const otherTemplates = ['docker', 'dynamips', 'iou', 'virtualbox', 'vmware', 'vpcs'] as const

const image = knownFields({
  filename: nonEmptyLine(MAX_PATH),
  version: v.nullish(text(255)),
  filesize: v.nullish(integer(0, Number.MAX_SAFE_INTEGER)),
  md5sum: v.nullish(text(MAX_DEVICE)),
  checksum: v.nullish(text(MAX_DEVICE)),
  checksum_type: v.nullish(text(MAX_DEVICE)),
  download_url: v.nullish(line(MAX_PATH)),
  direct_download_url: v.nullish(line(MAX_PATH)),
})

const path = v.nullish(nonEmptyLine(MAX_PATH))

const version = knownFields({
  name: nonEmptyLine(255),
  settings: v.nullish(text(255)),
  images: v.nullish(
    knownFields({
      hda_disk_image: path,
      hdb_disk_image: path,
      hdc_disk_image: path,
      hdd_disk_image: path,
      cdrom_image: path,
      bios_image: path,
      kernel_image: path,
      initrd: path,
    } satisfies Record<(typeof imageSlots)[number], typeof path>),
  ),
})

/** Settings of the later form of the file, which can be those of other emulators. */
const settings = v.variant(
  'template_type',
  [
    knownFields({
      template_type: v.literal('qemu'),
      name: v.nullish(text(255)),
      default: v.nullish(flag),
      inherit_default_properties: v.nullish(flag),
      template_properties: qemu,
    }),
    knownFields({ template_type: v.picklist(otherTemplates), name: v.nullish(text(255)) }),
  ],
  ({ input }) => `${describeValue(input)} is not the type of a template`,
)

export const applianceFile = knownFields({
  name: v.pipe(
    nonEmptyLine(255),
    v.transform((name) => name.replaceAll('/', '-')),
    plainName,
  ),
  usage: v.nullish(text(MAX_USAGE)),
  custom_adapters: entries.custom_adapters,
  qemu: v.nullish(qemu),
  settings: v.nullish(list(settings, 50)),
  images: v.nullish(list(image, 2000)),
  versions: v.nullish(list(version, 1000)),
})

export interface ApplianceFile extends v.InferOutput<typeof applianceFile> {}
export interface ApplianceVersion extends v.InferOutput<typeof version> {}
export interface ApplianceImage extends v.InferOutput<typeof image> {}

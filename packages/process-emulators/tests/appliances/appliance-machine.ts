/** What an appliance of GNS3's registry requires of a machine, as `scripts/appliance-facts.ts` prints it. */
export interface ApplianceFacts extends Readonly<Record<string, unknown>> {
  readonly name: string
  /** The places of its images: `hda_disk_image`, `cdrom_image` and similar fields. */
  readonly images: readonly string[]
}

/** Fields that the machine takes as they are. */
const FIELDS = [
  ...['ram', 'cpus', 'adapters', 'adapter_type', 'console_type', 'boot_priority', 'uefi', 'options', 'cpu_throttling'],
  ...['hda_disk_interface', 'hdb_disk_interface', 'hdc_disk_interface', 'hdd_disk_interface', 'kernel_command_line'],
  ...['on_close', 'process_priority', 'custom_adapters'],
]

/** Returns the body that creates the machine of an appliance, with its images by these names. */
export const applianceMachine = (facts: ApplianceFacts): Readonly<Record<string, unknown>> => ({
  name: facts.name,
  emu1_path: `qemu-system-${String(facts.arch ?? facts.platform ?? 'x86_64')}`,
  ...Object.fromEntries(FIELDS.filter((name) => name in facts).map((name) => [name, facts[name]])),
  ...Object.fromEntries(facts.images.map((slot) => [slot, `${facts.name}.${slot}`])),
})

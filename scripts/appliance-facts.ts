import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv, exit, stdout } from 'node:process'

/**
 * Prints what the QEMU appliances of GNS3's registry require of a machine: one line of JSON for each, without their
 * texts. The argument is the directory `appliances` of a checkout.
 */
const [, , directory] = argv
if (directory === undefined) {
  console.error('Usage: node scripts/appliance-facts.ts DIRECTORY')
  exit(2)
}

const settingNames = [
  ...['arch', 'platform', 'ram', 'cpus', 'adapters', 'adapter_type', 'console_type', 'boot_priority', 'kvm', 'uefi'],
  ...['hda_disk_interface', 'hdb_disk_interface', 'hdc_disk_interface', 'hdd_disk_interface', 'on_close', 'options'],
  ...['process_priority', 'cpu_throttling', 'kernel_command_line', 'custom_adapters'],
]

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The settings of the first form of the file, or the first ones for QEMU of the later form. */
function qemuOf(appliance: Json): Json | undefined {
  if (isObject(appliance.qemu)) return appliance.qemu
  const settings = listOf(appliance.settings).find((each) => isObject(each) && each.template_type === 'qemu')
  return isObject(settings) && isObject(settings.template_properties) ? settings.template_properties : undefined
}

const lines: string[] = []
for (const file of (await readdir(directory)).filter((name) => name.endsWith('.gns3a')).sort()) {
  const appliance: unknown = JSON.parse(await readFile(join(directory, file), 'utf8'))
  const qemu = isObject(appliance) ? qemuOf(appliance) : undefined
  if (!isObject(appliance) || qemu === undefined) continue
  const images = new Set<string>()
  for (const version of listOf(appliance.versions)) {
    if (isObject(version) && isObject(version.images)) for (const slot of Object.keys(version.images)) images.add(slot)
  }
  const given = { custom_adapters: appliance.custom_adapters, ...qemu }
  const facts = settingNames.map((name) => [name, Reflect.get(given, name)]).filter(([, value]) => value !== undefined)
  lines.push(
    JSON.stringify({ name: file.replace(/\.gns3a$/, ''), images: [...images].sort(), ...Object.fromEntries(facts) }),
  )
}
stdout.write(`${lines.join('\n')}\n`)

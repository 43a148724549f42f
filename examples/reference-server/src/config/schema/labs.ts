import * as v from 'valibot'
import { optional, section } from './section.ts'
import { flag, listOf, oneOf, text, whole } from './values.ts'

const ports = v.pipe(v.string('must be FIRST-LAST'), v.regex(/^\d{1,5}-\d{1,5}$/, 'must be FIRST-LAST'))

/** Entries as a list, or in one text. The settings check each. */
const entries = v.union(
  [text, listOf(text, 1000)],
  'must be a list of texts, or text with its entries separated by commas',
)

/** Settings of the emulation service. */
export const labs = section({
  projects_dir: optional('Directory of projects (projects, in the data directory).', text),
  images_dir: optional('Directory of images of emulators (images, in the data directory).', text),
  image_bytes: optional('The most bytes of one uploaded image (34359738368).', whole(1024, Number.MAX_SAFE_INTEGER)),
  images_bytes: optional('The most bytes of all images (274877906944).', whole(1024, Number.MAX_SAFE_INTEGER)),
  images_free_bytes: optional(
    'The bytes that uploads of images leave free on the disk (1073741824).',
    whole(1024, Number.MAX_SAFE_INTEGER),
  ),
  console_ports: optional('TCP ports of consoles (2000-5000).', ports),
  console_host: optional(
    'The address on which consoles listen. Another than loopback needs a password or sources (127.0.0.1).',
    text,
  ),
  console_password: optional('The password that telnet consoles ask for, at least 8 characters (none).', text),
  console_sources: optional('Addresses and networks that can open the ports of consoles (every source).', entries),
  udp_ports: optional('UDP ports of links (10000-20000).', ports),
  gns3_names: optional('Whether paths and fields with product names are served too (false).', flag),
  version_told: optional(
    'The version that /v1/version reports (that of Trivium; with product names 1.3.0alpha1).',
    text,
  ),
  trust_options: optional(
    'Whether every option and monitor command of QEMU is allowed, which then reach every file of the server (false).',
    flag,
  ),
  emu3: optional('The emulator of virtual PCs (embedded).', oneOf(['embedded', 'vpcs'])),
  capture_bytes: optional('The most bytes of one capture file (1073741824).', whole(1024, Number.MAX_SAFE_INTEGER)),
  project_capture_bytes: optional(
    'The most bytes of all capture files of a project (4294967296).',
    whole(1024, Number.MAX_SAFE_INTEGER),
  ),
  capture_days: optional('Days for which capture files are kept (30).', whole(1, 1_000_000)),
  lab_reach: optional('Networks and addresses that labs reach by NAT nodes, or internet (none).', entries),
  lab_devices: optional('Network devices of the host that labs can use (none).', entries),
  container_socket: optional('The Unix socket of Podman or Docker, which runs containers of labs (none).', text),
  container_images: optional(
    'Names of images that containers of labs can use, in which * stands for any characters (none).',
    entries,
  ),
})

export type Labs = v.InferOutput<typeof labs>

import type { ContainerWire } from '../kinds/instance.ts'
import { type FormField, type FormValues, labelledChoices, textReader } from './form-field.ts'

const FURTHER = 'Further settings'

/** The fields of a container. */
export const containerFields: readonly FormField[] = [
  {
    name: 'image',
    label: 'Image',
    type: 'text',
    required: true,
    hint: 'The name of an image that the server has and allows, for example: localhost/labs/frr:10',
  },
  {
    name: 'start_command',
    label: 'Start command',
    type: 'text',
    hint: 'The program and its arguments. Empty for the command of the image',
  },
  { name: 'adapters', label: 'Network adapters', type: 'number', required: true, min: 1, max: 32 },
  { name: 'memory', label: 'Memory in MiB', type: 'number', required: true, min: 6, max: 1_048_576 },
  {
    name: 'cpus',
    label: 'Processor cores',
    type: 'text',
    required: true,
    hint: 'The most that it uses, from 0.01 to 256',
  },
  { name: 'startup_config', label: 'Startup configuration', type: 'lines' },
  {
    name: 'startup_config_path',
    label: 'File of the startup configuration',
    type: 'text',
    hint: 'A path in the container, which gets the configuration at each start, for example: /etc/frr/frr.conf',
  },
  {
    name: 'console_type',
    label: 'Console',
    type: 'text',
    choices: labelledChoices({ telnet: 'Telnet', none: 'No console' }),
    group: FURTHER,
  },
  { name: 'console_command', label: 'Program of the console', type: 'text', required: true, group: FURTHER },
  { name: 'environment', label: 'Variables', type: 'lines', hint: 'One on each line: NAME=value', group: FURTHER },
  {
    name: 'volumes',
    label: 'Volumes',
    type: 'lines',
    hint: 'Directories of the container that are kept over a restart, one on each line',
    group: FURTHER,
  },
]

/** The values of a new container. */
export const containerDefaults: FormValues = {
  image: '',
  start_command: '',
  adapters: '1',
  memory: '256',
  cpus: '1',
  startup_config: '',
  startup_config_path: '',
  console_type: 'telnet',
  console_command: '/bin/sh',
  environment: '',
  volumes: '',
}

/** Returns the values of a container. */
export const containerValues = (wire: ContainerWire): FormValues => ({
  image: wire.image,
  start_command: wire.start_command,
  adapters: String(wire.adapters),
  memory: String(wire.memory),
  cpus: String(wire.cpus),
  startup_config: wire.startup_config ?? '',
  startup_config_path: wire.startup_config_path,
  console_type: wire.console_type,
  console_command: wire.console_command,
  environment: wire.environment.join('\n'),
  volumes: wire.volumes.join('\n'),
})

/** Converts the values of a container to the fields of a request. */
export function containerBody(values: FormValues) {
  const text = textReader(values)
  const lines = (name: string) =>
    text(name)
      .split('\n')
      .filter((line) => line.trim() !== '')
  return {
    image: text('image').trim(),
    start_command: text('start_command'),
    adapters: Number(text('adapters')),
    memory: Number(text('memory')),
    cpus: Number(text('cpus')),
    startup_config: text('startup_config'),
    startup_config_path: text('startup_config_path').trim(),
    console_type: text('console_type') === 'none' ? ('none' as const) : ('telnet' as const),
    console_command: text('console_command'),
    environment: lines('environment'),
    volumes: lines('volumes').map((line) => line.trim()),
  }
}

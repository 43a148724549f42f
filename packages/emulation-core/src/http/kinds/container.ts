import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import {
  containerBounds,
  isConfigPath,
  isContainerPath,
  isDistinct,
  isVariable,
  MAX_CONTAINER_LINE,
  MAX_CONTAINER_PATH,
  MAX_IMAGE,
  MAX_VARIABLES,
  MAX_VOLUMES,
  variableName,
} from '../../kinds/container/bounds.ts'
import { containerConsoleTypes } from '../../kinds/container/settings.ts'
import { describeValue } from '../errors/describe-value.ts'
import {
  fields,
  integer,
  line,
  list,
  nonEmptyLine,
  number,
  oneOf,
  plainName,
  port,
  type Received,
  text,
  whole,
  withoutNullish,
} from '../requests/fields.ts'
import { nodeId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const variable = v.pipe(
  line(MAX_CONTAINER_LINE),
  v.check(isVariable, (issue) => `${describeValue(issue.input)} is not a variable as NAME=value`),
)
const environment = v.pipe(
  list(variable, MAX_VARIABLES),
  v.check((items) => isDistinct(items.map(variableName)), 'Two variables of environment have the same name'),
)

const notAPath = (issue: Received) =>
  `${describeValue(issue.input)} is not an absolute path in the container. Its names have letters, digits and '_.@+-', and it is outside of /proc, /sys and /dev`
const volumes = v.pipe(
  list(v.pipe(line(MAX_CONTAINER_PATH), v.check(isContainerPath, notAPath)), MAX_VOLUMES),
  v.check((paths) => isDistinct(paths), 'Two volumes have the same path'),
)
const configPath = v.pipe(line(MAX_CONTAINER_PATH), v.check(isConfigPath, notAPath))

const optional = {
  adapters: v.nullish(integer(...containerBounds.adapters)),
  console: v.nullish(port),
  console_command: v.nullish(nonEmptyLine(MAX_CONTAINER_LINE)),
  console_type: v.nullish(oneOf(containerConsoleTypes)),
  cpus: v.nullish(number(...containerBounds.cpus)),
  environment: v.nullish(environment),
  memory: v.nullish(integer(...containerBounds.memoryMegabytes)),
  start_command: v.nullish(line(MAX_CONTAINER_LINE)),
  startup_config: v.nullish(text(2 ** 20)),
  startup_config_path: v.nullish(configPath),
  volumes: v.nullish(volumes),
}

const create = fields({ name: plainName, image: nonEmptyLine(MAX_IMAGE), node_id: v.nullish(nodeId), ...optional })
const update = fields({ name: v.nullish(plainName), image: v.nullish(nonEmptyLine(MAX_IMAGE)), ...optional })

const object = v.pipe(
  v.object({
    adapters: whole,
    console: whole,
    console_command: v.string(),
    console_type: v.picklist(containerConsoleTypes),
    cpus: v.number(),
    environment: v.array(v.string()),
    image: v.string(),
    memory: whole,
    name: v.string(),
    node_id: v.string(),
    project_id: v.string(),
    start_command: v.string(),
    startup_config: v.nullable(v.string()),
    startup_config_path: v.string(),
    volumes: v.array(v.string()),
  }),
  v.title('ContainerNode'),
)

const toSettings = (wire: v.InferOutput<typeof update>) =>
  withoutNullish({
    image: wire.image,
    console: wire.console,
    consoleType: wire.console_type,
    consoleCommand: wire.console_command,
    startCommand: wire.start_command,
    environment: wire.environment,
    adapters: wire.adapters,
    memoryMegabytes: wire.memory,
    cpus: wire.cpus,
    volumes: wire.volumes,
    startupConfigPath: wire.startup_config_path,
  })

export const containerWire: KindWire<
  'container',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'container',
  create: v.pipe(
    create,
    v.transform(
      ({ node_id, ...wire }): NewFields<'container'> => ({
        name: wire.name,
        settings: { ...toSettings(wire), image: wire.image },
        ...withoutNullish({ id: node_id, text: wire.startup_config }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        ({ name, ...wire }): InstanceUpdate<'container'> => ({
          ...withoutNullish({ name, text: wire.startup_config }),
          settings: toSettings(wire),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings, text: config }) => ({
    adapters: settings.adapters,
    console: settings.console,
    console_command: settings.consoleCommand,
    console_type: settings.consoleType,
    cpus: settings.cpus,
    environment: [...settings.environment],
    image: settings.image,
    memory: settings.memoryMegabytes,
    name,
    node_id: id,
    project_id: projectId,
    start_command: settings.startCommand,
    startup_config: config,
    startup_config_path: settings.startupConfigPath,
    volumes: [...settings.volumes],
  }),
}

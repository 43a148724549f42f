import * as v from 'valibot'
import type { Project, ProjectUpdate } from '../../index.ts'
import type { ProjectCounts } from '../../projects/projects.ts'
import {
  fields,
  flag,
  integer,
  line,
  nonEmptyLine,
  plainName,
  text,
  whole,
  withoutNullish,
} from '../requests/fields.ts'

const pixels = v.nullish(integer(100, 1_000_000))
const step = v.nullish(integer(1, 10_000))

const sceneFields = {
  width: pixels,
  height: pixels,
  zoom: v.nullish(integer(1, 1000)),
  grid_size: step,
  drawing_grid_size: step,
  show_grid: v.nullish(flag),
  snap_to_grid: v.nullish(flag),
  show_layers: v.nullish(flag),
  show_interface_labels: v.nullish(flag),
}

/** What requests set of a project, without its path. */
export const projectFields = {
  name: v.nullish(plainName),
  temporary: v.optional(flag),
  description: v.nullish(text(10_000)),
  author: v.nullish(line(255)),
  locked: v.nullish(flag),
  auto_open: v.nullish(flag),
  auto_start: v.nullish(flag),
  auto_stop_minutes: v.nullish(integer(0, 525_600)),
  scene: v.nullish(fields(sceneFields)),
}

export const projectPath = v.nullish(nonEmptyLine(4096))

const sceneObject = v.partial(
  v.object({
    width: whole,
    height: whole,
    zoom: whole,
    grid_size: whole,
    drawing_grid_size: whole,
    show_grid: v.boolean(),
    snap_to_grid: v.boolean(),
    show_layers: v.boolean(),
    show_interface_labels: v.boolean(),
  }),
)

export const projectSchema = v.pipe(
  v.object({
    archived: v.boolean(),
    author: v.optional(v.string()),
    auto_open: v.boolean(),
    auto_start: v.boolean(),
    auto_stop_minutes: whole,
    changed_at: v.string(),
    created_at: v.string(),
    description: v.optional(v.string()),
    location: v.string(),
    locked: v.boolean(),
    name: v.optional(v.string()),
    nodes: whole,
    nodes_running: whole,
    path: v.string(),
    project_id: v.string(),
    scene: v.optional(sceneObject),
    status: v.picklist(['opened', 'closed']),
    temporary: v.boolean(),
  }),
  v.title('Project'),
)

type WireDetails = v.InferOutput<v.ObjectSchema<typeof projectFields, undefined>>

/** Translates what a request sets of a project. */
export const fromWireDetails = (wire: WireDetails): ProjectUpdate => ({
  ...withoutNullish({
    name: wire.name,
    temporary: wire.temporary,
    description: wire.description,
    author: wire.author,
    locked: wire.locked,
    autoOpen: wire.auto_open,
    autoStart: wire.auto_start,
    autoStopMinutes: wire.auto_stop_minutes,
  }),
  ...(wire.scene && {
    scene: withoutNullish({
      width: wire.scene.width,
      height: wire.scene.height,
      zoom: wire.scene.zoom,
      gridSize: wire.scene.grid_size,
      drawingGridSize: wire.scene.drawing_grid_size,
      showGrid: wire.scene.show_grid,
      snapToGrid: wire.scene.snap_to_grid,
      showLayers: wire.scene.show_layers,
      showInterfaceLabels: wire.scene.show_interface_labels,
    }),
  }),
})

/** Translates a project to the wire. */
export function toWireProject(
  project: Project,
  { instances, running, changedAt = project.changedAt }: ProjectCounts,
  location: string,
): v.InferInput<typeof projectSchema> {
  const { scene } = project
  const changed = changedAt > project.changedAt ? changedAt : project.changedAt
  return {
    archived: project.archived,
    ...(project.author !== undefined && { author: project.author }),
    auto_open: project.autoOpen,
    auto_start: project.autoStart,
    auto_stop_minutes: project.autoStopMinutes,
    changed_at: changed.toISOString(),
    created_at: project.createdAt.toISOString(),
    ...(project.description !== undefined && { description: project.description }),
    location,
    locked: project.locked,
    ...(project.name !== undefined && { name: project.name }),
    nodes: instances,
    nodes_running: running,
    path: project.path,
    project_id: project.id,
    ...(scene && {
      scene: withoutNullish({
        width: scene.width,
        height: scene.height,
        zoom: scene.zoom,
        grid_size: scene.gridSize,
        drawing_grid_size: scene.drawingGridSize,
        show_grid: scene.showGrid,
        snap_to_grid: scene.snapToGrid,
        show_layers: scene.showLayers,
        show_interface_labels: scene.showInterfaceLabels,
      }),
    }),
    status: project.status === 'opened' ? 'opened' : 'closed',
    temporary: project.temporary,
  }
}

/** The tables of emulation. Times are milliseconds since 1970, booleans 0 and 1. */
export type EmulationTables = {
  emulation_projects: ProjectRow
  emulation_instances: InstanceRow
  emulation_removals: RemovalRow
  emulation_drawings: DrawingRow
}

export interface ProjectRow {
  id: string
  path: string
  /** `null` where none was set. */
  name: string | null
  temporary: number
  created_at: number
  revision: number
  /** `null` for the admin's. */
  owner_id: string | null
  /** All other fields of the project as JSON. `null` in rows of an earlier version. */
  document: string | null
}

export interface InstanceRow {
  id: string
  project_id: string
  kind: string
  created_at: number
  revision: number
  /** All other fields of the record as JSON. */
  document: string
}

export interface DrawingRow {
  id: string
  project_id: string
  created_at: number
  revision: number
  x: number
  y: number
  z: number
  rotation: number
  locked: number
  /** The length of the SVG, in UTF-16 code units. */
  characters: number
  svg: string
}

export interface RemovalRow {
  project_id: string
  kind: string
  id: string
  /** Order of the removals of a project, from 1. */
  position: number
}

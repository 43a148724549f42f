import type { ReportLine } from './report/ledger.ts'

export interface Translation {
  /** The text of the gateway's file, in YAML. It contains no secret. */
  readonly text: string
  /** What differs, is to be done, is not needed or is left out, in the order of the input. */
  readonly report: readonly ReportLine[]
}

/** One instruction of classic BPF, by the numbers that `tcpdump -ddd` prints. */
export interface FilterInstruction {
  readonly code: number
  /** Instructions to skip where a comparison is true. */
  readonly jt: number
  /** Instructions to skip where a comparison is false. */
  readonly jf: number
  /** The operand, from 0 to 2^32 - 1. */
  readonly k: number
}

/** A program of classic BPF, which accepts a frame where it returns another number than 0. */
export type FilterProgram = readonly FilterInstruction[]

/** Compiles filters of captures. */
export interface CaptureFilters {
  /**
   * Compiles an expression in the syntax of pcap-filter. Resolves no name of a host. Rejects with a `Refusal` for a
   * mistake in the expression, with its description.
   *
   * @param dataLinkType libpcap's name: `DLT_EN10MB`
   */
  compile(expression: string, dataLinkType: string): Promise<FilterProgram>
}

/** The most characters of a filter. */
export const MAX_FILTER = 1024

import './progress.css'

export interface ProgressProps {
  readonly label: string
  /** How much of `total` is done; absent when it is unknown. */
  readonly done?: number | undefined
  readonly total?: number | undefined
}

/** Shows the progress of work. */
export function Progress({ label, done, total }: ProgressProps) {
  const known = done !== undefined && total !== undefined && total > 0
  return (
    <div className="progress">
      <div className="row">
        <span>{label}</span>
        {known && <span className="quiet">{Math.floor((100 * done) / total)} %</span>}
      </div>
      <progress aria-label={label} {...(known && { value: done, max: total })} />
    </div>
  )
}

import { BaseEdge, EdgeLabelRenderer, type EdgeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import type { CableEdge } from './lab-nodes.ts'

/** How far the curve goes straight out of a port, as a share of its length. */
const STIFFNESS = 0.3
const [MIN_REACH, MAX_REACH] = [30, 90]

/** Draws a cable as a curve between two ports, so that adjacent cables are distinguishable. */
export const Cable = memo(function Cable({
  sourceX,
  sourceY,
  sourcePosition,
  targetX,
  targetY,
  targetPosition,
  selected,
  data,
}: EdgeProps<CableEdge>) {
  const length = Math.hypot(targetX - sourceX, targetY - sourceY)
  const reach = Math.min(MAX_REACH, Math.max(MIN_REACH, STIFFNESS * length))
  const outOf = (y: number, position: Position) => (position === Position.Top ? y - reach : y + reach)
  const [nearY, farY] = [outOf(sourceY, sourcePosition), outOf(targetY, targetPosition)]
  const path = `M${sourceX},${sourceY} C${sourceX},${nearY} ${targetX},${farY} ${targetX},${targetY}`
  // The middle of the curve.
  const [x, y] = [(sourceX + targetX) / 2, (sourceY + targetY + 3 * (nearY + farY)) / 8]
  const classes = ['cable', selected && 'selected', data?.isDown && 'down', data?.isCaptured && 'captured']
  const label = [data?.isDown && 'down', data?.isCaptured && '● captured', data?.summary].filter(Boolean).join(' · ')
  return (
    <>
      <BaseEdge path={path} className={classes.filter(Boolean).join(' ')} interactionWidth={24} />
      {label !== '' && (
        <EdgeLabelRenderer>
          <div className="cable-label" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
            {label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
})

import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { choiceOf } from '../kinds/instance.ts'
import { KindIcon } from '../kinds/kind-icon.tsx'
import { portKey } from '../kinds/ports.ts'
import { type InstanceNode, OUTSIDE_PORT, type OutsideNode } from './lab-nodes.ts'

/** Draws an instance with its ports, from which users draw cables. The ports of a switch are at the top. */
export const InstanceBox = memo(function InstanceBox({
  data: { instance, state, ports },
  isConnectable,
}: NodeProps<InstanceNode>) {
  const isHub = instance.kind === 'emu5'
  return (
    <div className={`instance-box ${isHub ? 'hub' : ''} ${state ?? 'unknown'}`}>
      <div className="head">
        <KindIcon kind={choiceOf(instance)} />
        <span className="name">{instance.name}</span>
        <span className="light" title={state} />
      </div>
      <div className="ports">
        {ports.map((port) => (
          <Handle
            key={portKey(port)}
            id={portKey(port)}
            type="source"
            position={isHub ? Position.Top : Position.Bottom}
            className={`port ${port.isCabled ? 'cabled' : 'free'}`}
            isConnectable={isConnectable}
            isConnectableStart={!port.isCabled}
            isConnectableEnd={!port.isCabled}
            title={`${instance.name} ${port.label}${port.isCabled ? ', cabled' : ''}`}
          >
            {port.label}
          </Handle>
        ))}
      </div>
    </div>
  )
})

/** Draws the other side of a link that leaves the project. */
export const OutsideBox = memo(function OutsideBox({ data: { name } }: NodeProps<OutsideNode>) {
  return (
    <div className="outside-box">
      <Handle id={OUTSIDE_PORT} type="target" position={Position.Top} isConnectable={false} />
      <span className="quiet">Outside</span> {name}
    </div>
  )
})

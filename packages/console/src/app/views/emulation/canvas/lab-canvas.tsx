import {
  applyNodeChanges,
  Background,
  type Connection,
  ConnectionMode,
  Controls,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Instance } from '../kinds/instance.ts'
import type { Port } from '../kinds/ports.ts'
import type { Lab, Selection } from '../lab/use-lab.ts'
import { Cable } from './cable.tsx'
import { InstanceBox, OutsideBox } from './instance-node.tsx'
import { type CableEdge, type LabNode, labEdges, labNodes } from './lab-nodes.ts'
import { usePositions } from './use-positions.ts'
import '@xyflow/react/dist/style.css'
import './lab-canvas.css'

const nodeTypes = { instance: InstanceBox, outside: OutsideBox }
const edgeTypes = { cable: Cable }

const fitted = { minZoom: 0.6, maxZoom: 1, padding: 0.12 }

const ariaLabels = {
  'node.a11yDescription.default': 'Enter or the space bar selects it, then the arrow keys move it.',
  'node.a11yDescription.keyboardDisabled': 'Enter or the space bar selects it.',
  'edge.a11yDescription.default': 'Enter or the space bar selects the cable.',
}

const lockedAriaLabels = { ...ariaLabels, 'node.a11yDescription.default': 'Enter or the space bar selects it.' }

/** A port of an instance. */
export interface PortReference extends Pick<Port, 'adapter' | 'port'> {
  readonly instanceId: string
}

export interface LabCanvasProps {
  readonly lab: Lab
  readonly selection: Selection | undefined
  readonly onSelect: (change: (before: Selection | undefined) => Selection | undefined) => void
  /** Called when a cable was drawn between two free ports. */
  readonly onCable: (one: PortReference, other: PortReference) => void
  /** Called after a double click on an instance. */
  readonly onOpen: (instance: Instance) => void
}

/** Shows the instances and cables of a lab, and stores the positions of the instances. */
export default function LabCanvas({ lab, selection, onSelect, onCable, onOpen }: LabCanvasProps) {
  const { placed, move } = usePositions(lab)
  const [nodes, setNodes] = useState<LabNode[]>([])
  const [flow, setFlow] = useState<ReactFlowInstance<LabNode, CableEdge>>()
  const hasMoved = useRef(false)
  const count = Object.keys(placed).length

  // The view fits all nodes until the user moves it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: fits again when the number of nodes changes.
  useEffect(() => {
    if (!hasMoved.current) void flow?.fitView(fitted)
  }, [flow, count])

  // React Flow hides a node without measured sizes.
  useEffect(() => {
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]))
      return labNodes(lab, placed, selection).map((node) => {
        const old = known.get(node.id)
        return old?.measured ? { ...node, measured: old.measured } : node
      })
    })
  }, [lab, placed, selection])
  const edges = useMemo(() => [...labEdges(lab, selection)], [lab, selection])

  const changeNodes = useCallback(
    (changes: NodeChange<LabNode>[]) => {
      applySelection(changes, 'instance', onSelect)
      setNodes((before) => applyNodeChanges(changes, before))
      const steps = changes.filter((change) => change.type === 'position' && change.dragging !== true)
      move(
        Object.fromEntries(
          steps.flatMap((change) =>
            change.type === 'position' && change.position ? [[change.id, { ...change.position }]] : [],
          ),
        ),
      )
    },
    [onSelect, move],
  )
  const changeEdges = useCallback(
    (changes: EdgeChange<CableEdge>[]) => applySelection(changes, 'link', onSelect),
    [onSelect],
  )
  const connect = useCallback(
    ({ source, sourceHandle, target, targetHandle }: Connection) => {
      const [one, other] = [portOf(source, sourceHandle), portOf(target, targetHandle)]
      if (one && other) onCable(one, other)
    },
    [onCable],
  )

  return (
    <ReactFlow<LabNode, CableEdge>
      className="lab-canvas"
      aria-label="Topology"
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={changeNodes}
      onEdgesChange={changeEdges}
      onConnect={connect}
      nodesConnectable={!lab.isLocked}
      isValidConnection={({ source, sourceHandle, target, targetHandle }) =>
        source !== target || sourceHandle !== targetHandle
      }
      connectionMode={ConnectionMode.Loose}
      connectionRadius={18}
      deleteKeyCode={null}
      multiSelectionKeyCode={null}
      selectionKeyCode={null}
      zoomOnDoubleClick={false}
      preventScrolling={false}
      minZoom={0.3}
      maxZoom={1.5}
      ariaLabelConfig={lab.isLocked ? lockedAriaLabels : ariaLabels}
      onInit={setFlow}
      onMoveEnd={(event) => {
        if (event !== null) hasMoved.current = true
      }}
      onNodeDoubleClick={(_event, node) => {
        if (node.type === 'instance') onOpen(node.data.instance)
      }}
    >
      <Background gap={20} />
      <Controls showInteractive={false} fitViewOptions={fitted} />
    </ReactFlow>
  )
}

/** Applies changes of the selection. A deselected element clears the selection only if it is the current one. */
function applySelection(
  changes: readonly (NodeChange<LabNode> | EdgeChange<CableEdge>)[],
  type: Selection['type'],
  onSelect: LabCanvasProps['onSelect'],
): void {
  for (const change of changes) {
    if (change.type !== 'select') continue
    const { id, selected } = change
    onSelect((before) => {
      if (selected) return { type, id }
      return before?.type === type && before.id === id ? undefined : before
    })
  }
}

function portOf(instanceId: string, handle: string | null): PortReference | undefined {
  const [adapter, port] = (handle ?? '').split('/').map(Number)
  if (adapter === undefined || port === undefined || Number.isNaN(adapter + port)) return undefined
  return { instanceId, adapter, port }
}

import { portAllocatorConformance } from '../conformance/index.ts'
import { createPortAllocator } from './create-port-allocator.ts'

portAllocatorConformance(() => createPortAllocator({ isFree: async () => true }))

import type { OrientationFilter } from '@reelmark/contract/fields.ts'
import { rememberedOnDevice, rememberOnDevice } from '../../ui/device-memory.ts'
import { readOrientation } from './explore-search.ts'

const key = 'orientation'

/** The filter last chosen on this device; undefined is all. */
export function rememberedOrientation(): Exclude<OrientationFilter, 'all'> | undefined {
  return readOrientation(rememberedOnDevice(key))
}

export function rememberOrientation(filter: OrientationFilter | undefined): void {
  rememberOnDevice(key, filter ?? 'all')
}
